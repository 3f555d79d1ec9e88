//! What the requests of a connection tell it.

use std::cell::Cell;
use std::rc::Rc;

use actix_web::dev::ServiceRequest;

/// What the requests of a connection tell about what is read from it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Rc<RequestsState>);

#[derive(Debug, Default)]
struct RequestsState {
    /// How many requests are under way: from when the head of one is read until its answer is handed to the
    /// connection.
    under_way: Cell<usize>,
    /// How many requests began so far. One that is answered at once is never seen under way.
    begun: Cell<u64>,
    /// Whether the body of the last request was dropped before its end.
    has_unread_body: Cell<bool>,
}

impl Requests {
    /// Counts a request, whose head was read.
    pub(crate) fn begin(&self) -> RequestGuard {
        let state = &self.0;
        state.under_way.set(state.under_way.get() + 1);
        state.begun.set(state.begun.get().wrapping_add(1));
        state.has_unread_body.set(false);
        RequestGuard(self.clone())
    }

    /// How many requests are under way.
    pub(crate) fn under_way(&self) -> usize {
        self.0.under_way.get()
    }

    /// How many requests began so far.
    pub(crate) fn begun(&self) -> u64 {
        self.0.begun.get()
    }

    /// Whether the body of the last request was dropped before its end.
    pub(crate) fn has_unread_body(&self) -> bool {
        self.0.has_unread_body.get()
    }
}

/// A request of a connection under way.
#[derive(Debug)]
pub struct RequestGuard(Requests);

impl RequestGuard {
    /// Counts a request; none where its connection is none of [`server`](crate::server::server).
    pub fn new(request: &ServiceRequest) -> Option<Self> {
        Some(request.conn_data::<Requests>()?.begin())
    }

    /// To be kept with the body of the request.
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

/// The body of a request. Dropped before the end, it has its connection read what remains.
#[derive(Debug)]
pub struct BodyGuard {
    requests: Requests,
    is_at_end: bool,
}

impl BodyGuard {
    /// Says that the body was read to its end.
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
