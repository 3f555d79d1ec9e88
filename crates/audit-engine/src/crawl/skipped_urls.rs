//! Why a crawl is not complete.

use std::collections::BTreeMap;

use url::Url;

use super::left_out::LeftOut;
use crate::site::SkipReason;

/// Counts the URLs that are skipped and not kept, and remembers which limits were reached.
#[derive(Debug, Default)]
pub(super) struct SkippedUrls {
    left_out: LeftOut,
    depth_reached: bool,
    cap_reached: bool,
    has_excluded: bool,
    links_cut: bool,
}

impl SkippedUrls {
    /// Records why a URL that is kept is not requested.
    pub(super) fn record(&mut self, url: &Url, reason: SkipReason) {
        if reason == SkipReason::TooLong {
            self.left_out.keep(url);
        }
        self.record_reason(reason);
    }

    /// Counts a URL that is not kept, unless it was counted before. Returns whether it was new.
    pub(super) fn count(&mut self, url: &Url, reason: SkipReason) -> bool {
        self.record_reason(reason);
        self.left_out.count(url, reason)
    }

    /// Like [`SkippedUrls::count`], by the [`LeftOut::hash`] of the URL.
    pub(super) fn count_hash(&mut self, hash: u64, reason: SkipReason) -> bool {
        self.record_reason(reason);
        self.left_out.count_hash(hash, reason)
    }

    /// Removes a URL from the count, because it is kept from now on. Returns whether it was counted.
    pub(super) fn uncount(&mut self, url: &Url) -> bool {
        self.left_out.take(url)
    }

    /// Records that patterns exclude a URL.
    pub(super) const fn record_excluded(&mut self) {
        self.has_excluded = true;
    }

    /// Records that a page had more links than the limit, or was not read to its end.
    pub(super) const fn record_cut_links(&mut self) {
        self.links_cut = true;
    }

    /// Whether the page cap excluded a URL.
    pub(super) const fn is_cap_reached(&self) -> bool {
        self.cap_reached
    }

    /// Whether the depth limit excluded a URL.
    pub(super) const fn is_depth_reached(&self) -> bool {
        self.depth_reached
    }

    /// How many URLs were counted for each reason.
    pub(super) fn counts(&self) -> BTreeMap<SkipReason, u64> {
        self.left_out.counts()
    }

    /// Whether pages may be missing although no limit of the crawl was reached.
    pub(super) fn has_gaps(&self) -> bool {
        self.has_excluded || self.links_cut || self.left_out.has(SkipReason::Trap)
    }

    fn record_reason(&mut self, reason: SkipReason) {
        self.depth_reached |= reason == SkipReason::Depth;
        self.cap_reached |= reason == SkipReason::PageCap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url() -> Url {
        Url::parse("https://example.com/a").unwrap()
    }

    #[test]
    fn a_url_skipped_for_a_limit_marks_the_limit_as_reached() {
        let mut skipped = SkippedUrls::default();
        skipped.record(&url(), SkipReason::Depth);
        assert!(skipped.is_depth_reached() && !skipped.is_cap_reached());
        assert!(skipped.count(&url(), SkipReason::PageCap));
        assert!(skipped.is_cap_reached() && !skipped.has_gaps());
    }

    #[test]
    fn a_counted_url_of_a_crawl_trap_is_a_gap() {
        let mut skipped = SkippedUrls::default();
        skipped.count(&url(), SkipReason::Trap);
        assert!(skipped.has_gaps());
        assert!(skipped.uncount(&url()));
        assert!(!skipped.has_gaps());
    }
}
