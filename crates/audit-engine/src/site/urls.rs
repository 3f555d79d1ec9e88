//! Every discovered URL, once.

use std::hash::{BuildHasher as _, RandomState};

use hashbrown::HashTable;
use url::{Position, Url};

use super::texts::Texts;
use crate::bounds::{MAX_KNOWN_URL_BYTES, MAX_KNOWN_URLS};
use crate::gather::FetchErrorKind;

/// The index of a URL in its [`UrlTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlId(u32);

impl UrlId {
    pub(crate) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Why a URL was not requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SkipReason {
    /// robots.txt disallows it.
    RobotsDisallowed,
    /// It is deeper than the depth limit.
    Depth,
    /// The page cap was reached.
    PageCap,
    /// The time budget of the crawl was exhausted.
    Deadline,
    /// The audit was cancelled.
    Cancelled,
    /// It is external, and external links are not requested, or not this one.
    External,
    /// The gates forbid it.
    NotAllowed,
    /// Include or exclude patterns exclude it. It may have been requested for its links.
    Excluded,
    /// It looks like part of a crawl trap; see [`TrapKind`](super::TrapKind).
    Trap,
    /// It is longer than the gates allow.
    TooLong,
    /// A limit or the time for requests other than pages was exhausted.
    Budget,
}

impl SkipReason {
    /// The name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RobotsDisallowed => "robots_disallowed",
            Self::Depth => "depth",
            Self::PageCap => "page_cap",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
            Self::External => "external",
            Self::NotAllowed => "target_not_allowed",
            Self::Excluded => "excluded",
            Self::Trap => "trap",
            Self::TooLong => "url_too_long",
            Self::Budget => "budget",
        }
    }
}

/// The response of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlResponse {
    /// The status code.
    pub status: u16,
    /// The media type in lower case, empty if there was none.
    pub media_type: Box<str>,
    /// The target of a redirect; none if `Location` is missing or invalid.
    pub location: Option<UrlId>,
}

/// The state of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlState {
    /// It was discovered and not processed.
    Known,
    /// It was not requested.
    Skipped(SkipReason),
    /// It responded.
    Responded(UrlResponse),
    /// It did not respond.
    Failed(FetchErrorKind, Box<str>),
}

/// A URL and its state.
#[derive(Debug, Clone)]
pub struct UrlEntry {
    /// The URL without its fragment, unless that is a route of an application that needs scripts.
    pub url: Box<str>,
    /// Whether it belongs to the site.
    pub internal: bool,
    /// Whether a sitemap lists it.
    pub in_sitemap: bool,
    /// Its state.
    pub state: UrlState,
}

impl UrlEntry {
    /// The response, if there was one.
    #[must_use]
    pub const fn answer(&self) -> Option<&UrlResponse> {
        match &self.state {
            UrlState::Responded(answer) => Some(answer),
            _ => None,
        }
    }

    /// The status code, if there was a response.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        match &self.state {
            UrlState::Responded(answer) => Some(answer.status),
            _ => None,
        }
    }
}

/// The longest redirect chain that is followed.
pub const MAX_REDIRECTS: usize = 10;

/// Every URL that was linked, listed or requested, interned.
#[derive(Debug, Default)]
pub struct UrlTable {
    entries: Vec<UrlEntry>,
    by_url: HashTable<UrlId>,
    /// Bytes of all URLs.
    url_bytes: usize,
    hrefs: Texts,
    /// URLs whose fragment is a route.
    routes: usize,
    /// Randomly seeded, so that no site can choose URLs that collide.
    hasher: RandomState,
}

impl UrlTable {
    /// The id of a URL; its fragment is dropped.
    pub(crate) fn intern(&mut self, url: &Url, internal: bool) -> UrlId {
        self.intern_text(&url[..Position::AfterQuery], internal)
    }

    /// The id of a URL of the site whose fragment is a route: a path that a script reads, such as `#/about`.
    pub(crate) fn intern_route(&mut self, url: &Url) -> UrlId {
        let before = self.entries.len();
        let id = self.intern_text(url.as_str(), true);
        self.routes += self.entries.len() - before;
        id
    }

    /// The id of a route that is known.
    pub(crate) fn find_route(&self, url: &Url) -> Option<UrlId> {
        self.look_up(self.hasher.hash_one(url.as_str()), url.as_str())
    }

    /// The number of routes.
    pub(crate) const fn route_count(&self) -> usize {
        self.routes
    }

    fn intern_text(&mut self, url: &str, internal: bool) -> UrlId {
        let hash = self.hasher.hash_one(url);
        if let Some(id) = self.look_up(hash, url) {
            return id;
        }
        let id = UrlId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.url_bytes += url.len();
        self.entries.push(UrlEntry {
            url: Box::from(url),
            internal,
            in_sitemap: false,
            state: UrlState::Known,
        });
        let (entries, hasher) = (&self.entries, &self.hasher);
        self.by_url.insert_unique(hash, id, |id| {
            hasher.hash_one(entries.get(id.index()).map_or("", |entry| &*entry.url))
        });
        id
    }

    fn look_up(&self, hash: u64, url: &str) -> Option<UrlId> {
        self.by_url
            .find(hash, |id| {
                self.entries
                    .get(id.index())
                    .is_some_and(|entry| *entry.url == *url)
            })
            .copied()
    }

    /// The id of an attribute's text, for [`UrlTable::href`].
    pub(crate) fn intern_href(&mut self, href: &str) -> UrlId {
        UrlId(self.hrefs.intern(href, &self.hasher))
    }

    pub(crate) fn set(&mut self, id: UrlId, state: UrlState) {
        if let Some(entry) = self.entries.get_mut(id.index()) {
            entry.state = state;
        }
    }

    pub(crate) fn mark_in_sitemap(&mut self, id: UrlId) {
        if let Some(entry) = self.entries.get_mut(id.index()) {
            entry.in_sitemap = true;
        }
    }

    /// The entry of an id of this table.
    #[must_use]
    pub fn get(&self, id: UrlId) -> Option<&UrlEntry> {
        self.entries.get(id.index())
    }

    /// The URL of an id, empty for an id of another table.
    #[must_use]
    pub fn url(&self, id: UrlId) -> &str {
        self.get(id).map_or("", |entry| &entry.url)
    }

    /// The attribute text of a [`LinkFact`](super::LinkFact).
    #[must_use]
    pub fn href(&self, id: UrlId) -> &str {
        self.hrefs.get(id.0)
    }

    /// The id of a URL, without its fragment, if the crawl has discovered it.
    #[must_use]
    pub fn find(&self, url: &Url) -> Option<UrlId> {
        let url = &url[..Position::AfterQuery];
        self.look_up(self.hasher.hash_one(url), url)
    }

    /// Every entry in order of discovery.
    pub fn iter(&self) -> impl Iterator<Item = (UrlId, &UrlEntry)> {
        (0_u32..).map(UrlId).zip(&self.entries)
    }

    /// Whether the limit of URLs of a site is reached.
    pub(crate) const fn is_full(&self) -> bool {
        self.entries.len() >= MAX_KNOWN_URLS || self.url_bytes >= MAX_KNOWN_URL_BYTES
    }

    /// The number of URLs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no URLs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The redirect chain of a URL: the URL itself, then the target of each redirect. Ends at a URL that does
    /// not redirect, that was not requested, or that occurred before (a loop; the repeated URL is the last
    /// element), and after ten redirects.
    #[must_use]
    pub fn chain(&self, id: UrlId) -> Vec<UrlId> {
        let mut chain = vec![id];
        let mut current = id;
        while let Some(next) = self
            .get(current)
            .and_then(UrlEntry::answer)
            .and_then(|answer| answer.location)
        {
            let seen = chain.contains(&next);
            chain.push(next);
            if seen || chain.len() > MAX_REDIRECTS + 1 {
                break;
            }
            current = next;
        }
        chain
    }

    /// The URL at which a request ends after redirects; none in a redirect loop or after too many redirects.
    #[must_use]
    pub fn landing(&self, id: UrlId) -> Option<UrlId> {
        let chain = self.chain(id);
        let last = *chain.last()?;
        let redirects_on = self
            .get(last)?
            .answer()
            .is_some_and(|answer| answer.location.is_some());
        (!redirects_on).then_some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(redirects: &[(&str, &str)]) -> (UrlTable, Vec<UrlId>) {
        let mut table = UrlTable::default();
        let mut ids = Vec::new();
        for (from, to) in redirects {
            let from = table.intern(&Url::parse(from).unwrap(), true);
            let to = table.intern(&Url::parse(to).unwrap(), true);
            let answer = UrlResponse {
                status: 301,
                media_type: Box::from(""),
                location: Some(to),
            };
            table.set(from, UrlState::Responded(answer));
            ids.push(from);
        }
        (table, ids)
    }

    #[test]
    fn fragments_are_ignored() {
        let mut table = UrlTable::default();
        let a = table.intern(&Url::parse("https://e.com/a#x").unwrap(), true);
        let b = table.intern(&Url::parse("https://e.com/a#y").unwrap(), true);
        assert_eq!(a, b);
        assert_eq!(table.url(a), "https://e.com/a");
    }

    #[test]
    fn a_table_is_full_by_bytes_or_by_number() {
        let mut long = UrlTable::default();
        let path = "x".repeat(2_000);
        let mut number = 0;
        while !long.is_full() {
            let url = format!("https://e.com/{number}/{path}");
            long.intern(&Url::parse(&url).unwrap(), true);
            number += 1;
        }
        assert!(number > MAX_KNOWN_URL_BYTES / 2_100 && number < MAX_KNOWN_URL_BYTES / 2_000);
        let mut short = UrlTable::default();
        for number in 0..MAX_KNOWN_URLS {
            assert!(!short.is_full());
            short.intern(
                &Url::parse(&format!("https://e.com/{number}")).unwrap(),
                true,
            );
        }
        assert!(short.is_full());
    }

    #[test]
    fn a_chain_ends_at_the_url_that_does_not_redirect() {
        let (table, ids) = table(&[
            ("https://e.com/a", "https://e.com/b"),
            ("https://e.com/b", "https://e.com/c"),
        ]);
        assert_eq!(table.chain(ids[0]).len(), 3);
        assert_eq!(
            table.landing(ids[0]).map(|id| table.url(id)),
            Some("https://e.com/c")
        );
    }

    #[test]
    fn a_redirect_loop_has_no_landing() {
        let (table, ids) = table(&[
            ("https://e.com/a", "https://e.com/b"),
            ("https://e.com/b", "https://e.com/a"),
        ]);
        assert_eq!(table.chain(ids[0]).len(), 3);
        assert_eq!(table.landing(ids[0]), None);
    }
}
