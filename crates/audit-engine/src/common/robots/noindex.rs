//! Whether the site as a whole is kept out of search engines.

use crate::site::Site;

/// How the site is kept out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sitewide<'a> {
    /// By this instruction on the start page.
    Home(&'a str),
    /// By instructions on so many pages, more than half.
    Majority(usize),
}

/// Tells whether the start page or most pages have `noindex`.
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
