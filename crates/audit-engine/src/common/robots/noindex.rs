//! Whether the site as a whole has `noindex`.

use crate::site::Site;

/// Where the site has `noindex`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sitewide<'a> {
    /// On the start page, with this directive.
    Home(&'a str),
    /// On this number of pages, which is more than half.
    Majority(usize),
}

/// Whether the start page or most pages have `noindex`.
pub(crate) fn sitewide(site: &Site) -> Option<Sitewide<'_>> {
    let count = site
        .pages
        .iter()
        .filter(|page| page.noindex.is_some())
        .count();
    if count > 1 && count > site.pages.len() / 2 {
        return Some(Sitewide::Majority(count));
    }
    site.home()?.noindex.as_deref().map(Sitewide::Home)
}
