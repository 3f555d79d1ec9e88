//! The URLs that the sitemaps list, with their crawl results.

use std::collections::HashSet;

use crate::check::Evidence;
use crate::gather::sitemap::{SitemapEntry, SitemapKind};
use crate::site::{Site, SitemapFile, UrlEntry, UrlId};

/// A URL of the site that a sitemap lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed<'a> {
    /// The sitemap.
    pub(crate) file: &'a SitemapFile,
    /// The entry in the sitemap.
    pub(crate) entry: SitemapEntry<'a>,
    /// The URL's id.
    pub(crate) id: UrlId,
    /// Its crawl result.
    pub(crate) url: &'a UrlEntry,
}

impl Listed<'_> {
    /// Evidence with the line of the sitemap.
    pub(crate) fn evidence(&self) -> Evidence {
        Evidence::line(line(self.entry.line), self.entry.loc).at(self.file.url.as_str())
    }
}

/// Converts a parser's line number for evidence.
pub(crate) fn line(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The internal URLs that sitemaps list, each once, in file order.
pub(crate) fn listed_urls(site: &Site) -> impl Iterator<Item = Listed<'_>> {
    let mut seen = HashSet::new();
    site.sitemap_entries().filter_map(move |(file, entry)| {
        let (id, url) = site.lookup(&entry.url()?)?;
        (url.internal && seen.insert(id)).then_some(Listed {
            file,
            entry,
            id,
            url,
        })
    })
}

/// Whether the file could be read as a sitemap at all.
pub(crate) fn is_sitemap(file: &SitemapFile) -> bool {
    file.sitemap
        .as_ref()
        .is_some_and(|sitemap| !matches!(sitemap.kind, SitemapKind::Invalid { .. }))
}

/// Whether the response at a default sitemap URL is an HTML page or empty, as some servers return for every
/// URL, and not an invalid sitemap.
pub(crate) fn is_something_else(file: &SitemapFile) -> bool {
    let Some(SitemapKind::Invalid { reason, .. }) = file.sitemap.as_ref().map(|s| &s.kind) else {
        return false;
    };
    !file.listed_in_robots
        && ["<html", "<HTML", "not XML with a root element", "empty"]
            .iter()
            .any(|sign| reason.contains(sign))
}
