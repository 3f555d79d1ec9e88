//! URLs that are counted but not kept.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use url::Url;

use crate::bounds::crawl::MAX_COUNTED_LEFT_OUT;
use crate::site::SkipReason;

/// Counts URLs by the reason for which they were skipped, each once, without keeping them.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    reasons: HashMap<u64, SkipReason>,
    /// URLs that are kept although they are too long, because they are redirect targets or listed in a sitemap.
    kept: HashSet<u64>,
}

impl LeftOut {
    /// Counts the URL, unless it was counted before. Returns whether it was new.
    pub(crate) fn count(&mut self, url: &Url, reason: SkipReason) -> bool {
        self.count_hash(Self::hash(url), reason)
    }

    /// Like [`LeftOut::count`], by the [`LeftOut::hash`] of the URL.
    pub(crate) fn count_hash(&mut self, hash: u64, reason: SkipReason) -> bool {
        if self.reasons.len() >= MAX_COUNTED_LEFT_OUT || self.kept.contains(&hash) {
            return false;
        }
        self.reasons.insert(hash, reason).is_none()
    }

    /// Records that a URL is kept although it is too long, so that it is not counted as well.
    pub(crate) fn keep(&mut self, url: &Url) {
        self.kept.insert(Self::hash(url));
    }

    /// Removes a URL that is kept from now on. Returns whether it was counted.
    pub(crate) fn take(&mut self, url: &Url) -> bool {
        !self.reasons.is_empty() && self.reasons.remove(&Self::hash(url)).is_some()
    }

    /// Whether a URL was counted for this reason.
    pub(crate) fn has(&self, reason: SkipReason) -> bool {
        self.reasons.values().any(|known| *known == reason)
    }

    /// How many URLs were counted for each reason.
    pub(crate) fn counts(&self) -> BTreeMap<SkipReason, u64> {
        let mut counts = BTreeMap::new();
        for reason in self.reasons.values() {
            *counts.entry(*reason).or_insert(0) += 1;
        }
        counts
    }

    /// The hash of a URL whose fragment is a route.
    pub(crate) fn hash_of_route(url: &Url) -> u64 {
        let mut hasher = DefaultHasher::new();
        url.as_str().hash(&mut hasher);
        hasher.finish()
    }

    /// The hash of the URL without its fragment.
    pub(crate) fn hash(url: &Url) -> u64 {
        let mut hasher = DefaultHasher::new();
        url.scheme().hash(&mut hasher);
        url.host_str().hash(&mut hasher);
        url.port().hash(&mut hasher);
        url.path().hash(&mut hasher);
        url.query().hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_counted_once_and_can_be_removed() {
        let mut left_out = LeftOut::default();
        let url = |path: &str| Url::parse("https://e.com").unwrap().join(path).unwrap();
        assert!(left_out.count(&url("/a"), SkipReason::Trap));
        assert!(!left_out.count(&url("/a#x"), SkipReason::Trap));
        assert!(left_out.count(&url("/a?b"), SkipReason::Trap));
        assert!(left_out.take(&url("/a")));
        assert!(!left_out.take(&url("/a")));
        assert_eq!(left_out.counts(), BTreeMap::from([(SkipReason::Trap, 1)]));
    }
}
