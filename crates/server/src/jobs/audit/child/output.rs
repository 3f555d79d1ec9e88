//! The message output of a child.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::message::{Fetch, MAX_FETCHES, Message};

/// Requests recorded since the last message.
#[derive(Default)]
pub(super) struct Fetches(Mutex<Vec<Fetch>>);

impl Fetches {
    /// Records a request.
    pub(super) fn count(&self, outcome: &str, bytes: u64, took: Duration) {
        let mut fetches = self.lock();
        if fetches.len() < MAX_FETCHES {
            fetches.push(Fetch::new(outcome, bytes, took));
        }
    }

    /// Removes and returns the recorded requests.
    pub(super) fn take(&self) -> Vec<Fetch> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Fetch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a complete message.
pub(super) fn send(message: &Message) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    serde_json::to_writer(&mut out, message)?;
    out.write_all(b"\n")?;
    out.flush()
}
