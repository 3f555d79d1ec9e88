//! The events that the engine reads, and the queue of a session.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use tokio::sync::Notify;

use crate::bounds::browser::MAX_QUEUED_EVENTS;

/// An event as it arrived: its method and its parameters, not yet read. A value that this version does not know
/// can therefore not lose the event.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// The method, such as `Page.loadEventFired`.
    pub(crate) method: String,
    /// The parameters as JSON.
    pub(crate) params: Option<Box<RawValue>>,
}

impl Event {
    /// Reads the parameters; none if they have another form.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.params.as_ref()?.get()).ok()
    }

    /// Whether a visit ends as it should without it: a page may cause any number of these.
    fn is_expendable(&self) -> bool {
        ["Network.", "Runtime.", "Log.", "CSS.", "DOM."]
            .iter()
            .any(|domain| self.method.starts_with(domain))
    }

    /// Whether nobody reads it. What scripts write to the console may be large.
    fn is_unread(&self) -> bool {
        matches!(
            self.method.as_str(),
            "Runtime.consoleAPICalled" | "Network.dataReceived"
        )
    }
}

/// The events of a session that wait until they are read. It never blocks the one who adds: if it is full, the
/// oldest event of requests or messages is dropped, or the oldest event if there are none.
#[derive(Debug, Default)]
pub(super) struct EventQueue {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Event>,
    #[cfg(test)]
    dropped: u64,
    is_closed: bool,
}

impl EventQueue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, event: Event) {
        if event.is_unread() {
            return;
        }
        let mut state = self.lock();
        if state.waiting.len() >= MAX_QUEUED_EVENTS {
            let oldest = state.waiting.iter().position(Event::is_expendable);
            state.waiting.remove(oldest.unwrap_or_default());
            #[cfg(test)]
            {
                state.dropped += 1;
            }
        }
        state.waiting.push_back(event);
        drop(state);
        self.changed.notify_one();
    }

    /// Takes what waits.
    pub(super) fn take(&self) -> VecDeque<Event> {
        std::mem::take(&mut self.lock().waiting)
    }

    /// Ends the queue: what waits can still be read.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// The next event; none when the session has ended. Only one task may wait at a time.
    pub(super) async fn next(&self) -> Option<Event> {
        loop {
            let changed = self.changed.notified();
            {
                let mut state = self.lock();
                if let Some(event) = state.waiting.pop_front() {
                    return Some(event);
                }
                if state.is_closed {
                    return None;
                }
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(method: &str) -> Event {
        Event {
            method: method.to_owned(),
            params: None,
        }
    }

    #[tokio::test]
    async fn a_full_queue_drops_network_events_first() {
        let queue = EventQueue::default();
        queue.push(event("Page.loadEventFired"));
        for _ in 0..2 * MAX_QUEUED_EVENTS {
            queue.push(event("Network.loadingFinished"));
        }
        assert_eq!(queue.lock().waiting.len(), MAX_QUEUED_EVENTS);
        assert_eq!(queue.lock().dropped, 1_001);
        assert_eq!(queue.next().await.unwrap().method, "Page.loadEventFired");
    }

    #[tokio::test]
    async fn events_that_nobody_reads_are_not_kept() {
        let queue = EventQueue::default();
        queue.push(event("Runtime.consoleAPICalled"));
        queue.push(event("Runtime.exceptionThrown"));
        assert_eq!(
            queue.next().await.unwrap().method,
            "Runtime.exceptionThrown"
        );
    }

    #[tokio::test]
    async fn a_queue_without_network_events_drops_the_oldest() {
        let queue = EventQueue::default();
        for number in 0..=MAX_QUEUED_EVENTS {
            queue.push(event(&number.to_string()));
        }
        assert_eq!(queue.lock().dropped, 1);
        assert_eq!(queue.next().await.unwrap().method, "1");
    }

    #[tokio::test]
    async fn a_closed_queue_ends_after_its_last_event() {
        let queue = EventQueue::default();
        queue.push(event("Page.loadEventFired"));
        queue.close();
        assert!(queue.next().await.is_some());
        assert!(queue.next().await.is_none());
    }

    #[tokio::test]
    async fn a_reader_that_waits_is_woken() {
        let queue = std::sync::Arc::new(EventQueue::default());
        let other = std::sync::Arc::clone(&queue);
        let reader = tokio::spawn(async move { other.next().await });
        tokio::task::yield_now().await;
        queue.push(event("Page.loadEventFired"));
        assert!(reader.await.unwrap().is_some());
    }

    #[test]
    fn parameters_of_another_form_are_none_and_unknown_fields_are_ignored() {
        #[derive(serde::Deserialize)]
        struct Fired {
            timestamp: f64,
        }
        let mut event = event("Page.loadEventFired");
        assert!(event.read::<Fired>().is_none());
        let text = r#"{"timestamp":1.5,"added":"later"}"#.to_owned();
        event.params = RawValue::from_string(text).ok();
        assert!((event.read::<Fired>().unwrap().timestamp - 1.5).abs() < f64::EPSILON);
        event.params = RawValue::from_string("[]".to_owned()).ok();
        assert!(event.read::<Fired>().is_none());
    }
}
