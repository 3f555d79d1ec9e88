//! Spaces of URLs that never end: calendars, facets, sessions, links that repeat their own path.

use std::collections::HashMap;

use url::Url;

/// Path segments of a URL that is still followed.
const MAX_SEGMENTS: usize = 20;
/// Times that a path may hold one segment.
const MAX_REPEATS: usize = 2;
/// Queries that are followed of one path.
const MAX_QUERIES: u32 = 20;

/// Remembers what tells an endless space from a large site.
#[derive(Debug, Default)]
pub(crate) struct Traps {
    queries: HashMap<Box<str>, u32>,
}

impl Traps {
    /// Whether the URL lies in an endless space. Ask once for each URL: its query is counted.
    pub(crate) fn is_trap(&mut self, url: &Url) -> bool {
        if winds(url) {
            return true;
        }
        if url.query().is_none() {
            return false;
        }
        let seen = self.queries.entry(Box::from(url.path())).or_default();
        *seen = seen.saturating_add(1);
        *seen > MAX_QUERIES
    }
}

/// Whether the path is too deep, or goes through one segment again and again.
fn winds(url: &Url) -> bool {
    let segments: Vec<&str> = url
        .path()
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    segments.len() > MAX_SEGMENTS
        || segments.iter().enumerate().any(|(index, segment)| {
            segments
                .iter()
                .skip(index)
                .filter(|other| *other == segment)
                .count()
                > MAX_REPEATS
        })
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

    #[test]
    fn a_segment_may_occur_twice() {
        let mut traps = Traps::default();
        assert!(!traps.is_trap(&url("/a/b/a/")));
        assert!(traps.is_trap(&url("/a/b/a/b/a/")));
    }

    #[test]
    fn deep_paths_are_traps() {
        let path: String = (0..20).map(|n| format!("/{n}")).collect();
        assert!(!Traps::default().is_trap(&url(&path)));
        assert!(Traps::default().is_trap(&url(&format!("{path}/x"))));
    }

    #[test]
    fn the_twenty_first_query_of_a_path_is_not_followed() {
        let mut traps = Traps::default();
        let followed = (0..30)
            .filter(|n| !traps.is_trap(&url(&format!("/calendar?day={n}"))))
            .count();
        assert_eq!(followed, 20);
        assert!(!traps.is_trap(&url("/other?day=1")));
    }
}
