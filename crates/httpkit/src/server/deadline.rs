//! Time limits of a connection.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::rt::time::{Sleep, sleep};

/// A time limit that runs while something is awaited.
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

    /// Starts the time, if it does not run, and answers whether it is over; else the task is woken when it is.
    pub(super) fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        let span = self.span;
        let running = self.running.get_or_insert_with(|| Box::pin(sleep(span)));
        running.as_mut().poll(context) == Poll::Ready(())
    }

    /// Stops the time; it starts from the beginning.
    pub(super) fn stop(&mut self) {
        self.running = None;
    }
}
