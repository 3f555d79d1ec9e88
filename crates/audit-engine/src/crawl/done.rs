//! Visits whose turn has not come.

use std::collections::BTreeMap;

use super::frontier::Entry;
use super::visit::Visit;
use crate::bounds::crawl::MAX_WAITING_BYTES;

/// Bytes of a visit that brought no page.
const BYTES_WITHOUT_PAGE: usize = 300;

/// Visits that are done before others whose turn is first.
///
/// One URL that hangs keeps all behind it waiting, with everything their pages link. So fewer are
/// asked for ahead the more they weigh. That decides when a URL is asked for and never which.
#[derive(Debug, Default)]
pub(super) struct Done {
    visits: BTreeMap<usize, (Entry, Visit)>,
    bytes: usize,
    /// The bytes of the page that was taken last. The next ones are taken to be like it.
    usual: usize,
}

impl Done {
    pub(super) fn insert(&mut self, place: usize, entry: Entry, visit: Visit) {
        self.bytes += bytes(&visit);
        self.visits.insert(place, (entry, visit));
    }

    /// The visit at that place of the queue, if it is done.
    pub(super) fn take(&mut self, place: usize) -> Option<(Entry, Visit)> {
        let (entry, visit) = self.visits.remove(&place)?;
        let bytes = bytes(&visit);
        self.bytes = self.bytes.saturating_sub(bytes);
        self.usual = bytes;
        Some((entry, visit))
    }

    /// Whether another visit may begin while so many are under way. Always where none is: the one
    /// whose turn it is has to come.
    pub(super) const fn has_room(&self, awaited: usize) -> bool {
        awaited == 0
            || self
                .usual
                .saturating_mul(awaited + 1)
                .saturating_add(self.bytes)
                <= MAX_WAITING_BYTES
    }

    /// The URLs that were visited and not taken.
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

    fn done_with(bytes: &[usize]) -> Done {
        let url = url::Url::parse("https://example.com/").unwrap();
        let id = UrlTable::default().intern(&url, true);
        let mut done = Done::default();
        for (place, bytes) in bytes.iter().enumerate() {
            let entry = Entry {
                id,
                depth: None,
                parent: None,
                hops: 0,
                link_only: false,
            };
            let error = FetchError::new(FetchErrorKind::Protocol, "");
            done.insert(place, entry, Visit::Failed(error));
            done.bytes += bytes - BYTES_WITHOUT_PAGE;
        }
        done
    }

    #[test]
    fn what_waits_for_its_turn_keeps_others_from_being_asked_for() {
        assert!(done_with(&[3_000, MAX_WAITING_BYTES / 2]).has_room(1));
        let mut done = done_with(&[3_000, MAX_WAITING_BYTES]);
        assert!(!done.has_room(1));
        assert!(done.has_room(0), "what is first has to come");
        assert!(done.take(1).is_some());
        assert!(done.take(1).is_none());
    }

    #[test]
    fn the_next_pages_are_taken_to_be_as_heavy_as_the_last() {
        let mut done = done_with(&[BYTES_WITHOUT_PAGE]);
        assert!(done.has_room(MAX_WAITING_BYTES));
        done.usual = MAX_WAITING_BYTES / 4;
        assert!(done.has_room(2));
        assert!(!done.has_room(3));
    }
}
