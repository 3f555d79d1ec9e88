//! Visits that are finished but not committed.

use std::collections::BTreeMap;

use super::frontier::Entry;
use super::visit::Visit;
use crate::bounds::crawl::MAX_WAITING_BYTES;

/// Bytes of a visit without a page.
const BYTES_WITHOUT_PAGE: usize = 300;

/// Visits that finished before an earlier visit in the queue.
///
/// While one URL hangs, all finished visits after it wait, with everything that their pages link to. The more
/// memory they use, the fewer URLs are requested ahead. This affects when a URL is requested, never which URLs
/// are requested.
#[derive(Debug, Default)]
pub(super) struct FinishedVisits {
    visits: BTreeMap<usize, (Entry, Visit)>,
    bytes: usize,
    /// The bytes of the most recently taken visit, as an estimate for the next ones.
    usual: usize,
}

impl FinishedVisits {
    pub(super) fn insert(&mut self, place: usize, entry: Entry, visit: Visit) {
        self.bytes += bytes(&visit);
        self.visits.insert(place, (entry, visit));
    }

    /// The visit at this position in the queue, if it is finished.
    pub(super) fn take(&mut self, place: usize) -> Option<(Entry, Visit)> {
        let (entry, visit) = self.visits.remove(&place)?;
        let bytes = bytes(&visit);
        self.bytes = self.bytes.saturating_sub(bytes);
        self.usual = bytes;
        Some((entry, visit))
    }

    /// Whether another visit may start while `awaited` visits are in flight. Always true if `awaited` is zero,
    /// because the first visit in the queue must finish.
    pub(super) const fn has_room(&self, awaited: usize) -> bool {
        awaited == 0
            || self
                .usual
                .saturating_mul(awaited + 1)
                .saturating_add(self.bytes)
                <= MAX_WAITING_BYTES
    }

    /// The URLs of the visits that were not taken.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.visits.values().map(|(entry, _)| entry)
    }
}

fn bytes(visit: &Visit) -> usize {
    match visit {
        Visit::Page(visited) => visited.memory(),
        _ => BYTES_WITHOUT_PAGE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::{FetchError, FetchErrorKind};
    use crate::site::UrlTable;

    fn finished_with(bytes: &[usize]) -> FinishedVisits {
        let url = url::Url::parse("https://example.com/").unwrap();
        let id = UrlTable::default().intern(&url, true);
        let mut finished = FinishedVisits::default();
        for (place, bytes) in bytes.iter().enumerate() {
            let entry = Entry {
                id,
                depth: None,
                parent: None,
                hops: 0,
                link_only: false,
            };
            let error = FetchError::new(FetchErrorKind::Protocol, "");
            finished.insert(place, entry, Visit::Failed(error));
            finished.bytes += bytes - BYTES_WITHOUT_PAGE;
        }
        finished
    }

    #[test]
    fn finished_visits_limit_further_requests() {
        assert!(finished_with(&[3_000, MAX_WAITING_BYTES / 2]).has_room(1));
        let mut finished = finished_with(&[3_000, MAX_WAITING_BYTES]);
        assert!(!finished.has_room(1));
        assert!(finished.has_room(0), "the first one must finish");
        assert!(finished.take(1).is_some());
        assert!(finished.take(1).is_none());
    }

    #[test]
    fn the_last_page_estimates_the_next_ones() {
        let mut finished = finished_with(&[BYTES_WITHOUT_PAGE]);
        assert!(finished.has_room(MAX_WAITING_BYTES));
        finished.usual = MAX_WAITING_BYTES / 4;
        assert!(finished.has_room(2));
        assert!(!finished.has_room(3));
    }
}
