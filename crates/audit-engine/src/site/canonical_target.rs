//! A page that another page declares as its canonical URL.

use url::Url;

use super::PageFacts;
use crate::address::without_fragment;

/// What canonical checks need of the page at a canonical URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanonicalTarget {
    /// The noindex directive as `source: token`, if there is one.
    pub noindex: Option<Box<str>>,
    /// The canonical URL that it declares, if it is another URL and the only one.
    pub further: Option<Url>,
}

impl CanonicalTarget {
    /// The page at `page` that declares these canonical URLs.
    pub(crate) fn new(page: &Url, canonicals: &[Url], noindex: Option<Box<str>>) -> Self {
        Self {
            noindex,
            further: sole_canonical(canonicals).filter(|url| url != page),
        }
    }
}

impl From<&PageFacts> for CanonicalTarget {
    fn from(page: &PageFacts) -> Self {
        Self::new(&page.url, &page.canonicals, page.noindex.clone())
    }
}

/// The only canonical URL of a page, without its fragment; `None` if there is none or they conflict.
pub(crate) fn sole_canonical(canonicals: &[Url]) -> Option<Url> {
    let mut urls = canonicals.iter().map(without_fragment);
    let first = urls.next()?;
    urls.all(|url| url == first).then_some(first)
}
