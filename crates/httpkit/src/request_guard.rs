//! Request state that a connection shares with its requests.

use std::cell::Cell;
use std::rc::Rc;

use actix_web::dev::ServiceRequest;

/// The state of a connection's requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Rc<RequestsState>);

#[derive(Debug, Default)]
struct RequestsState {
    /// Active requests: from the end of their head until their response is handed to the connection.
    under_way: Cell<usize>,
    /// Requests so far. A request that is answered immediately may never be seen as active.
    begun: Cell<u64>,
    /// Whether the body of the last request was dropped before its end.
    has_unread_body: Cell<bool>,
}

impl Requests {
    /// Counts a request whose head was read.
    pub(crate) fn begin(&self) -> RequestGuard {
        let state = &self.0;
        state.under_way.set(state.under_way.get() + 1);
        state.begun.set(state.begun.get().wrapping_add(1));
        state.has_unread_body.set(false);
        RequestGuard(self.clone())
    }

    /// Returns the number of active requests.
    pub(crate) fn under_way(&self) -> usize {
        self.0.under_way.get()
    }

    /// Returns the number of requests so far.
    pub(crate) fn begun(&self) -> u64 {
        self.0.begun.get()
    }

    /// Returns whether the body of the last request was dropped before its end.
    pub(crate) fn has_unread_body(&self) -> bool {
        self.0.has_unread_body.get()
    }
}

/// An active request of a connection.
#[derive(Debug)]
pub struct RequestGuard(Requests);

impl RequestGuard {
    /// Counts a request; `None` if its connection does not belong to [`server`](crate::server::server).
    pub fn new(request: &ServiceRequest) -> Option<Self> {
        Some(request.conn_data::<Requests>()?.begin())
    }

    /// Creates the guard to keep with the body of the request.
    pub fn body(&self) -> BodyGuard {
        BodyGuard {
            requests: self.0.clone(),
            is_at_end: false,
        }
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let under_way = &self.0.0.under_way;
        under_way.set(under_way.get().saturating_sub(1));
    }
}

/// Guards the body of a request. If it is dropped before the end, the connection reads the rest.
#[derive(Debug)]
pub struct BodyGuard {
    requests: Requests,
    is_at_end: bool,
}

impl BodyGuard {
    /// Records that the body was read to its end.
    pub fn end(&mut self) {
        self.is_at_end = true;
    }
}

impl Drop for BodyGuard {
    fn drop(&mut self) {
        if !self.is_at_end {
            self.requests.0.has_unread_body.set(true);
        }
    }
}
