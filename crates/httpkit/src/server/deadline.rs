//! Timeouts of a connection.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::rt::time::{Sleep, sleep};

/// A timeout that runs while an event is awaited.
#[derive(Debug)]
pub(super) struct Deadline {
    span: Duration,
    running: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    pub(super) const fn new(span: Duration) -> Self {
        Self {
            span,
            running: None,
        }
    }

    /// Starts the timeout if it is not running, and returns whether it is over. Otherwise the task is woken at its end.
    pub(super) fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        let span = self.span;
        let running = self.running.get_or_insert_with(|| Box::pin(sleep(span)));
        running.as_mut().poll(context) == Poll::Ready(())
    }

    /// Stops the timeout; it starts again from the beginning.
    pub(super) fn stop(&mut self) {
        self.running = None;
    }
}
