//! The order of the crawl.

use crate::site::{PageNumber, UrlId};

/// A URL that is queued.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) id: UrlId,
    /// Clicks from the start page; none if only a sitemap lists it.
    pub(crate) depth: Option<u32>,
    pub(crate) parent: Option<PageNumber>,
    /// The number of consecutive redirects that led to it.
    pub(crate) hops: usize,
    /// Whether patterns exclude it, so that it is requested only for its links.
    pub(crate) link_only: bool,
}

/// The queue of a breadth-first crawl. Its order does not depend on how fast responses arrive.
///
/// URLs are requested ahead, but their responses are committed strictly in the order of the queue, and only a
/// commit adds URLs. So the queue, and with it the number of each page, is the same for one connection and for
/// thirty-two. With a page cap, a URL is requested only if it fits under the cap even if every URL requested
/// before it turns out to be a page.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    queue: Vec<Option<Entry>>,
    /// Indexed by the ids of the URLs.
    queued: Vec<bool>,
    dispatched: usize,
    committed: usize,
}

impl Frontier {
    /// Adds a URL at the end, unless it was added before. Returns whether it was new.
    pub(crate) fn push(&mut self, entry: Entry) -> bool {
        let new = !self.contains(entry.id);
        self.mark_requested(entry.id);
        if new {
            self.queue.push(Some(entry));
        }
        new
    }

    /// Marks a URL as requested without queueing it.
    pub(crate) fn mark_requested(&mut self, id: UrlId) {
        if self.queued.len() <= id.index() {
            self.queued.resize(id.index() + 1, false);
        }
        if let Some(queued) = self.queued.get_mut(id.index()) {
            *queued = true;
        }
    }

    /// Whether the URL was added before.
    pub(crate) fn contains(&self, id: UrlId) -> bool {
        self.queued.get(id.index()).is_some_and(|queued| *queued)
    }

    /// The next URL to request and its position in the queue, if at most `ahead` responses are awaited and
    /// fewer than `room` pages are pending.
    pub(crate) fn dispatch(&mut self, ahead: usize, room: usize) -> Option<(usize, Entry)> {
        let undecided = self.dispatched.saturating_sub(self.committed);
        if undecided >= ahead || undecided >= room {
            return None;
        }
        let place = self.dispatched;
        let entry = self.queue.get_mut(place)?.take()?;
        self.dispatched += 1;
        Some((place, entry))
    }

    /// The position that is committed next.
    pub(crate) const fn next_commit(&self) -> usize {
        self.committed
    }

    /// Records that the position [`Frontier::next_commit`] was committed.
    pub(crate) const fn commit(&mut self) {
        self.committed += 1;
    }

    /// Whether every URL was requested and committed.
    pub(crate) fn is_drained(&self) -> bool {
        self.committed >= self.queue.len()
    }

    /// How many URLs were requested so far.
    pub(crate) const fn requested(&self) -> usize {
        self.dispatched
    }

    /// How many URLs are not committed. This includes requests in flight, because their number depends on the
    /// number of connections.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len().saturating_sub(self.committed)
    }

    /// How many requests are in flight.
    pub(crate) const fn in_flight(&self) -> usize {
        self.dispatched.saturating_sub(self.committed)
    }

    /// Takes the URLs that were never requested.
    pub(crate) fn take_rest(&mut self) -> Vec<Entry> {
        self.queue
            .iter_mut()
            .skip(self.dispatched)
            .filter_map(Option::take)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::UrlTable;

    fn entry(table: &mut UrlTable, path: &str) -> Entry {
        let url = url::Url::parse("https://example.com/")
            .unwrap()
            .join(path)
            .unwrap();
        Entry {
            id: table.intern(&url, true),
            depth: Some(0),
            parent: None,
            hops: 0,
            link_only: false,
        }
    }

    #[test]
    fn a_url_is_queued_once() {
        let mut table = UrlTable::default();
        let mut frontier = Frontier::default();
        assert!(frontier.push(entry(&mut table, "/a")));
        assert!(!frontier.push(entry(&mut table, "/a#x")));
    }

    #[test]
    fn requests_run_ahead_only_within_the_page_cap() {
        let mut table = UrlTable::default();
        let mut frontier = Frontier::default();
        for path in ["/a", "/b", "/c"] {
            frontier.push(entry(&mut table, path));
        }
        assert!(frontier.dispatch(32, 2).is_some());
        assert!(frontier.dispatch(32, 2).is_some());
        assert!(frontier.dispatch(32, 2).is_none());
        // The first was not a page: two pages still fit.
        frontier.commit();
        assert!(frontier.dispatch(32, 2).is_some());
        // The second was a page.
        frontier.commit();
        assert!(frontier.dispatch(32, 1).is_none());
    }

    #[test]
    fn the_waiting_count_includes_requests_in_flight() {
        let mut table = UrlTable::default();
        let mut frontier = Frontier::default();
        for path in ["/a", "/b", "/c"] {
            frontier.push(entry(&mut table, path));
        }
        frontier.dispatch(32, 9);
        frontier.dispatch(32, 9);
        assert_eq!(frontier.waiting(), 3);
        frontier.commit();
        assert_eq!(frontier.waiting(), 2);
    }

    #[test]
    fn urls_that_were_never_requested_can_be_taken() {
        let mut table = UrlTable::default();
        let mut frontier = Frontier::default();
        for path in ["/a", "/b", "/c"] {
            frontier.push(entry(&mut table, path));
        }
        frontier.dispatch(1, 9);
        assert_eq!(frontier.take_rest().len(), 2);
    }
}
