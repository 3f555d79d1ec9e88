//! Crawl traps: calendars, facets, session identifiers, links that repeat their own path.
//!
//! Most traps are detected by the URL alone, before it is requested. The limits are far above what ordinary
//! sites reach, with one exception: twenty queries of one path may be the products of a shop. So the crawl
//! follows twenty queries that pages of the same path link to, as endless calendars, filters and result pages
//! do, and ten thousand queries that other pages or a sitemap link to. Skipped URLs are counted by path.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use url::Url;

use super::sessions;
use crate::bounds::crawl::{MAX_KEPT_IN_TRAPS, MAX_TRAPS};
use crate::site::{Trap, TrapKind, UrlId, UrlTable};

/// The most path segments of a URL that is followed.
const MAX_SEGMENTS: usize = 20;
/// How often a path may repeat one segment.
const MAX_REPEATS: usize = 2;
/// How many queries of one path are followed from pages of the same path.
const MAX_OWN_QUERIES: u32 = 20;
/// How many queries of one path are followed from other pages, sitemaps and feeds.
const MAX_FOREIGN_QUERIES: u32 = 10_000;
/// How many session identifiers of one URL are followed: the second shows that the first was one.
const MAX_SESSIONS: u32 = 2;
/// How many pages with the same text and links have their links followed.
const MAX_SAME_PAGES: u32 = 10;

/// Remembers the signs that distinguish a crawl trap from a large site, and the URLs that are skipped as part
/// of one.
#[derive(Debug, Default)]
pub(crate) struct Traps {
    queries: HashMap<Box<str>, Queries>,
    sessions: HashMap<u64, u32>,
    texts: HashMap<u64, u32>,
    same: HashMap<u64, u32>,
    skipped: HashMap<UrlId, TrapKind>,
}

/// How many queries of one path were followed, by where they were discovered.
#[derive(Debug, Default)]
struct Queries {
    own: u32,
    foreign: u32,
}

impl Traps {
    /// The kind of trap that the URL is part of; none if it is followed. `on` is the page that links to it,
    /// none for a listed URL.
    pub(crate) fn detect(&self, url: &Url, on: Option<&Url>) -> Option<TrapKind> {
        if let Some(kind) = path_trap(url) {
            return Some(kind);
        }
        if let Some(bare) = sessions::without(url) {
            let followed = self.sessions.get(&hash(&bare)).copied().unwrap_or(0);
            if followed >= MAX_SESSIONS {
                return Some(TrapKind::Sessions);
            }
        }
        url.query()?;
        let followed = self.queries.get(url.path())?;
        let is_full = if is_own(url, on) {
            followed.own >= MAX_OWN_QUERIES
        } else {
            followed.foreign >= MAX_FOREIGN_QUERIES
        };
        is_full.then_some(TrapKind::Queries)
    }

    /// Records that the URL is followed. `on` is the page that links to it, none for a listed URL.
    pub(crate) fn follow(&mut self, url: &Url, on: Option<&Url>) {
        if let Some(bare) = sessions::without(url) {
            *self.sessions.entry(hash(&bare)).or_default() += 1;
        }
        if url.query().is_none() {
            return;
        }
        let queries = match self.queries.get_mut(url.path()) {
            Some(known) => known,
            None => self.queries.entry(Box::from(url.path())).or_default(),
        };
        if is_own(url, on) {
            queries.own += 1;
        } else {
            queries.foreign += 1;
        }
    }

    /// Records a page. Returns true if too many pages had the same text and links. The crawl then does not
    /// follow the links of this page. Queries of links are ignored, because they differ by session and result
    /// page.
    pub(crate) fn repeats<'a>(
        &mut self,
        title: Option<&str>,
        text: u64,
        hrefs: impl Iterator<Item = &'a str>,
    ) -> bool {
        let seen = self.texts.entry(hash(&(title, text))).or_default();
        *seen += 1;
        // The links of the first page with a text are not compared.
        if *seen == 1 {
            return false;
        }
        let mut hasher = DefaultHasher::new();
        (title, text).hash(&mut hasher);
        for href in hrefs {
            href.split(['?', ';', '#'])
                .next()
                .unwrap_or_default()
                .hash(&mut hasher);
        }
        let same = self.same.entry(hasher.finish()).or_default();
        *same += 1;
        // The first of these pages was not compared.
        *same >= MAX_SAME_PAGES
    }

    /// Records that the URL is skipped as part of a trap.
    pub(crate) fn skip(&mut self, id: UrlId, kind: TrapKind) {
        self.skipped.insert(id, kind);
    }

    /// Records that the URL is no longer skipped.
    pub(crate) fn release(&mut self, id: UrlId) {
        self.skipped.remove(&id);
    }

    /// Whether the number of kept skipped URLs reached its limit.
    pub(crate) fn is_full(&self) -> bool {
        self.skipped.len() >= MAX_KEPT_IN_TRAPS
    }

    /// Whether no URL was skipped.
    pub(crate) fn is_empty(&self) -> bool {
        self.skipped.is_empty()
    }

    /// The traps among the skipped URLs, the largest first.
    pub(crate) fn summarize(&self, urls: &UrlTable) -> Vec<Trap> {
        let mut skipped: Vec<(UrlId, TrapKind)> =
            self.skipped.iter().map(|(id, kind)| (*id, *kind)).collect();
        skipped.sort_unstable();
        let mut traps: BTreeMap<(TrapKind, String), Trap> = BTreeMap::new();
        for (id, kind) in skipped {
            let url = urls.url(id);
            let path = shared_path(kind, url);
            traps
                .entry((kind, path.clone()))
                .or_insert_with(|| Trap {
                    kind,
                    path: path.into_boxed_str(),
                    example: Box::from(url),
                    urls: Vec::new(),
                })
                .urls
                .push(id);
        }
        let mut traps: Vec<Trap> = traps.into_values().collect();
        traps.sort_by_key(|trap| std::cmp::Reverse(trap.skipped()));
        traps.truncate(MAX_TRAPS);
        traps
    }
}

fn shared_path(kind: TrapKind, url: &str) -> String {
    let Ok(url) = Url::parse(url) else {
        return String::new();
    };
    let path = url.path();
    match kind {
        TrapKind::Queries | TrapKind::Redirects => path.to_owned(),
        TrapKind::Sessions => path.split(';').next().unwrap_or_default().to_owned(),
        TrapKind::DeepPath | TrapKind::RepeatedSegment | TrapKind::SamePages => {
            let first = path.split('/').find(|segment| !segment.is_empty());
            first.map_or_else(|| "/".to_owned(), |first| format!("/{first}/"))
        }
    }
}

fn is_own(url: &Url, on: Option<&Url>) -> bool {
    on.is_some_and(|on| on.path() == url.path())
}

/// A hash that is the same on every run.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether the path is too deep, or repeats a segment too often.
fn path_trap(url: &Url) -> Option<TrapKind> {
    let path = url.path();
    // A path with so few slashes can be neither.
    if path.bytes().filter(|byte| *byte == b'/').count() <= MAX_REPEATS {
        return None;
    }
    let segments = || path.split('/').filter(|segment| !segment.is_empty());
    if segments().nth(MAX_SEGMENTS).is_some() {
        return Some(TrapKind::DeepPath);
    }
    let repeated = segments().enumerate().any(|(index, segment)| {
        let further = segments().skip(index + 1);
        further.filter(|other| *other == segment).count() >= MAX_REPEATS
    });
    repeated.then_some(TrapKind::RepeatedSegment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.com")
            .unwrap()
            .join(path)
            .unwrap()
    }

    fn followed(traps: &mut Traps, paths: impl Iterator<Item = String>, on: &str) -> usize {
        let on = url(on);
        paths
            .filter(|path| {
                let url = url(path);
                let follows = traps.detect(&url, Some(&on)).is_none();
                if follows {
                    traps.follow(&url, Some(&on));
                }
                follows
            })
            .count()
    }

    #[test]
    fn a_segment_may_occur_twice() {
        let traps = Traps::default();
        assert_eq!(traps.detect(&url("/a/b/a/"), None), None);
        assert_eq!(
            traps.detect(&url("/a/b/a/b/a/"), None),
            Some(TrapKind::RepeatedSegment)
        );
    }

    #[test]
    fn deep_paths_are_traps() {
        let path: String = (0..20).map(|n| format!("/{n}")).collect();
        let traps = Traps::default();
        assert_eq!(traps.detect(&url(&path), None), None);
        assert_eq!(
            traps.detect(&url(&format!("{path}/x")), None),
            Some(TrapKind::DeepPath)
        );
    }

    #[test]
    fn the_twenty_first_own_query_of_a_path_is_not_followed() {
        let mut traps = Traps::default();
        let days = (0..30).map(|n| format!("/calendar?day={n}"));
        assert_eq!(followed(&mut traps, days, "/calendar?day=0"), 20);
        assert_eq!(
            traps.detect(&url("/other?day=1"), Some(&url("/other"))),
            None
        );
    }

    #[test]
    fn queries_linked_from_other_pages_are_no_trap() {
        let mut traps = Traps::default();
        let products = (0..5_000).map(|n| format!("/product?id={n}"));
        assert_eq!(followed(&mut traps, products, "/category"), 5_000);
    }

    #[test]
    fn the_third_session_of_a_url_is_not_followed() {
        let mut traps = Traps::default();
        let visits = (0..9).map(|n| format!("/a?x=1&sid=0123456789abcdef{n}"));
        assert_eq!(followed(&mut traps, visits, "/"), 2);
        let visits = (0..9).map(|n| format!("/b;jsessionid=0123456789ABCDEF{n}"));
        assert_eq!(followed(&mut traps, visits, "/"), 2);
    }

    #[test]
    fn pages_with_the_same_text_and_links_are_counted() {
        let mut traps = Traps::default();
        let repeats = (0..20)
            .filter(|n| traps.repeats(Some("x"), 7, [&*format!("next?sid={n}")].into_iter()))
            .count();
        assert_eq!(repeats, 10);
        assert!(!(0..20).any(|n| traps.repeats(Some("y"), n, std::iter::empty())));
        assert!(!(0..20).any(|n| traps.repeats(Some("z"), 7, [&*format!("/{n}")].into_iter())));
    }
}
