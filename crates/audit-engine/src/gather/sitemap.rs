//! Stub.
/// S.
#[derive(Debug, Clone)]
pub struct Sitemap;
/// E.
#[derive(Debug, Clone)]
pub struct SitemapEntry;
impl Sitemap {
    /// I.
    #[must_use]
    pub fn is_index(&self) -> bool {
        false
    }
    /// E.
    #[must_use]
    pub fn entries(&self) -> &[SitemapEntry] {
        &[]
    }
}
