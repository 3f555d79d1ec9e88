//! The visits under way.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::task::{self, JoinSet};
use url::{ParseError, Url};

use super::finished_visits::FinishedVisits;
use super::frontier::Entry;
use super::visit::{Visit, Visitor};
use crate::gather::{FetchError, FetchErrorKind, Response};
use crate::site::UrlId;

/// Visits that run as tasks of their own, and finished visits that are not committed.
#[derive(Debug)]
pub(super) struct VisitTasks {
    visitor: Arc<Visitor>,
    /// Visits pages that patterns leave out: they are read for their links and not judged.
    link_only_visitor: Arc<Visitor>,
    tasks: JoinSet<Visit>,
    /// What is under way, by its task: the place in the queue, and the URL.
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

    /// The visitor that judges pages.
    pub(super) fn visitor(&self) -> &Visitor {
        &self.visitor
    }

    /// Whether another visit may begin.
    pub(super) fn has_room(&self) -> bool {
        self.finished.has_room(self.awaited.len())
    }

    /// Begins the visit of the URL at that place of the queue. Its response may be `known` already.
    pub(super) fn spawn(
        &mut self,
        place: usize,
        entry: Entry,
        url: Result<Url, ParseError>,
        known: Option<Response>,
    ) {
        let visitor = Arc::clone(if entry.link_only {
            &self.link_only_visitor
        } else {
            &self.visitor
        });
        let task = self.tasks.spawn(async move {
            match url {
                Ok(url) => visitor.visit(url, known).await,
                Err(error) => {
                    Visit::Failed(FetchError::new(FetchErrorKind::Protocol, error.to_string()))
                }
            }
        });
        self.awaited.insert(task.id(), (place, entry));
    }

    /// Waits until a visit finishes. Returns false if none is under way. Dropping the future loses no visit.
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

    /// The visit at that place of the queue, if it is finished.
    pub(super) fn take(&mut self, place: usize) -> Option<(Entry, Visit)> {
        self.finished.take(place)
    }

    /// Whether a visit is under way.
    pub(super) fn is_running(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// The URLs whose visits were not taken, finished or not, except those that are requested for their links
    /// only.
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
    let message = "the page could not be visited";
    Visit::Failed(FetchError::new(FetchErrorKind::Protocol, message))
}
