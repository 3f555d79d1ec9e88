//! What a child answers: JSON values one after the other, the last of which is the end of the audit. Before the end
//! comes what was requested until then.

use std::cell::Cell;
use std::io::Read;
use std::rc::Rc;
use std::time::Duration;

use domain::FailureCode;
use domain::run::{RunError, RunPhase, RunProgress};
use serde::{Deserialize, Serialize};

use super::result::Result as WireResult;
use crate::jobs::audit::counted::OUTCOMES;

/// Bytes of one message at most. A result of a large site is a few megabytes; pages are up to 100,000.
pub(super) const MESSAGE_BYTES: u64 = 64 << 20;
/// Requests counted between two messages at most; more are not counted.
pub(super) const MAX_FETCHES: usize = 2_000;

/// A message of a child.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Message {
    /// How far the audit has come, and what was requested since the last message.
    Progress {
        phase: String,
        discovered: u64,
        fetched: u64,
        audited: u64,
        percent: u8,
        fetches: Vec<Fetch>,
    },
    /// The audit ended with a result.
    Result(Box<WireResult>),
    /// The audit ended without one.
    Error { code: String, message: String },
}

/// A request that was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fetch {
    /// Its place in [`OUTCOMES`].
    outcome: u8,
    bytes: u64,
    micros: u64,
}

impl Fetch {
    pub(super) fn new(outcome: &str, bytes: u64, took: Duration) -> Self {
        let place = OUTCOMES.iter().position(|known| *known == outcome);
        Self {
            outcome: place
                .and_then(|place| u8::try_from(place).ok())
                .unwrap_or(u8::MAX),
            bytes,
            micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        }
    }

    /// Its outcome, its bytes and how long it took; none where the outcome is not known.
    pub(super) fn read(self) -> Option<(&'static str, u64, Duration)> {
        let outcome = OUTCOMES.get(usize::from(self.outcome))?;
        Some((outcome, self.bytes, Duration::from_micros(self.micros)))
    }
}

impl Message {
    pub(super) fn progress(progress: &RunProgress, fetches: Vec<Fetch>) -> Self {
        Self::Progress {
            phase: progress.phase.as_str().to_owned(),
            discovered: progress.pages_discovered,
            fetched: progress.pages_fetched,
            audited: progress.pages_audited,
            percent: progress.percent,
            fetches,
        }
    }

    pub(super) fn error(error: &RunError) -> Self {
        Self::Error {
            code: error.code.as_str().to_owned(),
            message: error.message.clone(),
        }
    }
}

/// The progress of a message.
pub(super) fn progress(
    phase: &str,
    (discovered, fetched, audited): (u64, u64, u64),
    percent: u8,
) -> RunProgress {
    RunProgress {
        phase: RunPhase::named(phase).unwrap_or(RunPhase::Crawling),
        pages_discovered: discovered,
        pages_fetched: fetched,
        pages_audited: audited,
        percent: percent.min(99),
    }
}

/// The error of a message.
pub(super) fn error(code: &str, message: String) -> RunError {
    match FailureCode::named(code) {
        Some(code) => RunError { code, message },
        None => RunError::internal(),
    }
}

/// How many bytes may still be read for the present message.
#[derive(Clone)]
pub(super) struct Budget(Rc<Cell<u64>>);

impl Budget {
    pub(super) fn new() -> Self {
        Self(Rc::new(Cell::new(MESSAGE_BYTES)))
    }

    /// Allows another message.
    pub(super) fn renew(&self) {
        self.0.set(MESSAGE_BYTES);
    }
}

/// Reads no more than a budget allows; then it ends with an error.
pub(super) struct Bounded<R> {
    pub(super) inner: R,
    pub(super) budget: Budget,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(into)?;
        let bytes = u64::try_from(read).unwrap_or(u64::MAX);
        match self.budget.0.get().checked_sub(bytes) {
            Some(left) => {
                self.budget.0.set(left);
                Ok(read)
            }
            None => Err(std::io::Error::other("a message is too long")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_without_end_is_given_up() {
        let mut reader = Bounded {
            inner: std::io::repeat(b'a'),
            budget: Budget::new(),
        };
        let copied = std::io::copy(&mut reader, &mut std::io::sink());
        assert_eq!(copied.unwrap_err().to_string(), "a message is too long");
    }

    #[test]
    fn requests_come_back() {
        let took = Duration::from_micros(1_500);
        for outcome in OUTCOMES {
            let fetch = Fetch::new(outcome, 7, took);
            assert_eq!(fetch.read(), Some((outcome, 7, took)));
        }
        assert_eq!(Fetch::new("new", 7, took).read(), None);
    }
}
