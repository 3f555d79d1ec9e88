//! What keeps a page out of search results.

/// What keeps a page out of search results, except for mistakes that checks report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Exclusion {
    /// A `noindex` directive.
    pub(crate) noindex: bool,
    /// A canonical URL of another page.
    pub(crate) canonical: bool,
}

impl Exclusion {
    /// Whether nothing does.
    pub(crate) const fn is_none(self) -> bool {
        !self.noindex && !self.canonical
    }
}
