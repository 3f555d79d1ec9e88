//! A generated site of any size with known defects.

mod defect;
mod document;
mod layout;
mod manifest;
mod serve;
#[cfg(test)]
mod tests;
mod text;

use std::sync::Arc;

use bytes::Bytes;

use crate::{TestRequest, TestResponse};

pub use defect::Defect;
pub use document::ServedDocument;
pub use manifest::Manifest;
pub use serve::{LargeSiteServer, ServeOptions};

use layout::Layout;
pub(crate) use layout::mixed;
use text::Prose;

/// A site of up to 100,000 pages and more. It generates responses by path, without files and without storing
/// pages.
///
/// The same seed, number of pages and defects give the same bytes. Each page has about 8 to 15 KB and 30 links.
/// Every page without a defect is clean for the checks that [`Defect`] lists. The [`Manifest`] has the defects
/// of each page.
///
/// ```
/// use testkit::large_site::{Defect, LargeSite};
///
/// let site = LargeSite::new(300, 7, "http://127.0.0.1:8080", &Defect::ALL);
/// assert_eq!(site.answer("/").status, 200);
/// assert!(site.manifest().count("title-missing") > 0);
/// ```
#[derive(Debug, Clone)]
pub struct LargeSite {
    layout: Layout,
    prose: Arc<Prose>,
    origin: Arc<str>,
}

impl LargeSite {
    /// A site with this number of pages, at least one, with each of these defects on at most about a twentieth
    /// of the pages. `origin` is the origin of the URLs in its sitemaps: scheme, host and port without a slash.
    #[must_use]
    pub fn new(pages: u32, seed: u64, origin: &str, defects: &[Defect]) -> Self {
        Self {
            layout: Layout::new(pages, seed, defects),
            prose: Arc::new(Prose::new(seed)),
            origin: Arc::from(origin),
        }
    }

    /// The number of pages that a crawl finds with the sitemap.
    #[must_use]
    pub const fn pages(&self) -> u32 {
        self.layout.pages()
    }

    /// The number of pages that a crawl finds by links alone.
    #[must_use]
    pub fn linked_pages(&self) -> u32 {
        let orphans = (0..self.pages()).filter(|page| self.layout.is_orphan(*page));
        self.pages() - u32::try_from(orphans.count()).unwrap_or(u32::MAX)
    }

    /// The response to a path without its query.
    #[must_use]
    pub fn answer(&self, path: &str) -> ServedDocument {
        document::answer(self, path)
    }

    /// The page of a path in gzip; none if the path is not a page. It costs little more than the page itself,
    /// because its paragraphs were compressed once for all pages.
    #[must_use]
    pub fn compressed(&self, path: &str) -> Option<Vec<u8>> {
        document::compressed(self, path)
    }

    /// The response for a [`crate::LoopbackServer`].
    #[must_use]
    pub fn respond(&self, request: &TestRequest) -> TestResponse {
        let answer = self.answer(request.path());
        let response = TestResponse::new(answer.status, Bytes::from(answer.body))
            .header("Content-Type", answer.media_type);
        match answer.location {
            Some(location) => response.header("Location", &location),
            None => response,
        }
    }

    /// The defects of each page.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        Manifest::new(&self.layout)
    }
}
