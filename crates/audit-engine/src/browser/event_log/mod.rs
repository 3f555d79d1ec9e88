//! Collects the events of a page: its messages and its requests.

mod messages;
mod requests;
mod timing;

use super::cdp::events::Event;
use crate::gather::{MAX_PAGE_EVENT_URL_BYTES, PageEvents};
use crate::lab::TimedRequest;
use messages::MessageLog;
use requests::RequestLog;

/// What was logged of the current document.
#[derive(Debug, Default)]
pub(super) struct EventLog {
    messages: MessageLog,
    requests: RequestLog,
}

impl EventLog {
    /// Adds an event; those that it does not keep are ignored.
    pub(super) fn note(&mut self, event: &Event) {
        self.messages.note(event);
        self.requests.note(event);
    }

    /// A document has replaced another: what was logged is of that one, but the requests that loaded the new one.
    pub(super) fn begin_document(&mut self, loader: &str) {
        self.messages.begin_document();
        self.requests.begin_document(loader);
    }

    /// The engine stopped a script that ran for too long. What follows from that is not the page's.
    pub(super) const fn script_was_stopped(&mut self) {
        self.messages.has_long_script = true;
    }

    /// Whether a request is open.
    pub(super) fn is_loading(&self) -> bool {
        self.requests.are_any_open()
    }

    /// The requests with their times, in the order in which they began.
    pub(super) fn finish_timed(self) -> Vec<TimedRequest> {
        self.requests.finish_timed()
    }

    /// The events, in an order that does not depend on when they arrived.
    pub(super) fn finish(self) -> PageEvents {
        let has_long_script = self.messages.has_long_script;
        let (messages, are_messages_cut) = self.messages.finish();
        let (requests, are_requests_cut) = self.requests.finish();
        PageEvents {
            messages,
            requests,
            is_cut: are_messages_cut || are_requests_cut,
            has_long_script,
            was_limited: false,
            focus: None,
            coverage: None,
            text_colors: None,
        }
    }
}

fn without_fragment(mut url: String) -> String {
    if let Some(end) = url.find('#') {
        url.truncate(end);
    }
    url.truncate(url.floor_char_boundary(MAX_PAGE_EVENT_URL_BYTES.min(url.len())));
    url
}

#[cfg(test)]
mod tests;
