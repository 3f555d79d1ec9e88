//! The visits in flight.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::{self, JoinSet};
use url::{ParseError, Url};

use super::finished_visits::FinishedVisits;
use super::frontier::Entry;
use super::visit::{Visit, Visitor};
use crate::gather::{FetchError, FetchErrorKind, Response};
use crate::site::UrlId;

/// A visit that is to start.
#[derive(Debug)]
pub(super) struct QueuedVisit {
    /// Its position in the queue.
    pub(super) place: usize,
    pub(super) entry: Entry,
    pub(super) url: Result<Url, ParseError>,
    /// Whether a browser shows the page.
    pub(super) is_shown: bool,
}

/// Visits that run as separate tasks, and finished visits that are not committed.
#[derive(Debug)]
pub(super) struct VisitTasks {
    visitor: Arc<Visitor>,
    /// Visits pages that patterns exclude. They are read for their links and not evaluated.
    link_only_visitor: Arc<Visitor>,
    tasks: JoinSet<Visit>,
    /// The visits in flight by task: the position in the queue, and the URL.
    awaited: HashMap<task::Id, (usize, Entry)>,
    finished: FinishedVisits,
}

impl VisitTasks {
    pub(super) fn new(visitor: Visitor) -> Self {
        Self {
            link_only_visitor: Arc::new(visitor.without_checks()),
            visitor: Arc::new(visitor),
            tasks: JoinSet::new(),
            awaited: HashMap::new(),
            finished: FinishedVisits::default(),
        }
    }

    /// The visitor that evaluates pages.
    pub(super) fn visitor(&self) -> &Visitor {
        &self.visitor
    }

    /// Whether another visit may start.
    pub(super) fn has_room(&self) -> bool {
        self.finished.has_room(self.awaited.len())
    }

    /// Starts a visit. Its response may already be `known`.
    pub(super) fn spawn(&mut self, queued: QueuedVisit, known: Option<Response>) {
        let QueuedVisit {
            place,
            entry,
            url,
            is_shown,
        } = queued;
        let visitor = Arc::clone(if entry.link_only {
            &self.link_only_visitor
        } else {
            &self.visitor
        });
        let task = self.tasks.spawn(async move {
            match url {
                Ok(url) => visitor.visit(url, known, is_shown.then_some(place)).await,
                Err(error) => {
                    Visit::Failed(FetchError::new(FetchErrorKind::Protocol, error.to_string()))
                }
            }
        });
        self.awaited.insert(task.id(), (place, entry));
    }

    /// Waits until a visit finishes. Returns false if none is in flight. Dropping the future loses no visit.
    pub(super) async fn join_next(&mut self) -> bool {
        let (task, visit) = match self.tasks.join_next_with_id().await {
            Some(Ok((task, visit))) => (task, visit),
            Some(Err(error)) => (error.id(), broken()),
            None => return false,
        };
        if let Some((place, entry)) = self.awaited.remove(&task) {
            self.finished.insert(place, entry, visit);
        }
        true
    }

    /// The visit at this position in the queue, if it is finished.
    pub(super) fn take(&mut self, place: usize) -> Option<(Entry, Visit)> {
        self.finished.take(place)
    }

    /// Whether a visit is in flight.
    pub(super) fn is_running(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// The URLs whose visits were not taken, finished or not, except those that are requested only for their
    /// links.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = UrlId> {
        let awaited = self.awaited.values().map(|(_, entry)| entry);
        let unfinished = self.finished.entries().chain(awaited);
        unfinished
            .filter(|entry| !entry.link_only)
            .map(|entry| entry.id)
    }
}

/// The result of a visit whose task panicked.
fn broken() -> Visit {
    let message = "an internal error prevented the visit of the page";
    Visit::Failed(FetchError::new(FetchErrorKind::Protocol, message))
}
