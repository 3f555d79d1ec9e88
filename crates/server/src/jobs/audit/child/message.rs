//! The output of a child: a sequence of JSON values that ends with the end of the audit. The values before it report
//! progress and the requests sent so far.

use std::cell::Cell;
use std::io::Read;
use std::rc::Rc;
use std::time::Duration;

use domain::FailureCode;
use domain::run::{RunError, RunPhase, RunProgress};
use serde::{Deserialize, Serialize};

use super::result::Result as WireResult;
use crate::jobs::audit::counted::OUTCOMES;

/// Maximum size of a message in bytes. The result of a large site has a few megabytes; pages are limited to 100,000.
pub(super) const MESSAGE_BYTES: u64 = 64 << 20;
/// Maximum requests recorded between two messages; more are not counted.
pub(super) const MAX_FETCHES: usize = 2_000;

/// A message of a child.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Message {
    /// The progress of the audit, and the requests since the last message.
    Progress {
        progress: WireProgress,
        fetches: Vec<Fetch>,
    },
    /// The audit ended with a result.
    Result(Box<WireResult>),
    /// The audit ended without a result.
    Error { code: String, message: String },
}

/// `domain::run::RunProgress`.
#[derive(Serialize, Deserialize)]
pub(super) struct WireProgress {
    phase: String,
    discovered: u64,
    fetched: u64,
    audited: u64,
    rendered: u64,
    measured: Option<u64>,
    seconds_left: Option<u64>,
    percent: u8,
}

/// A recorded request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fetch {
    /// Its index in [`OUTCOMES`].
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

    /// Returns its outcome, its bytes and its duration; `None` if the outcome is unknown.
    pub(super) fn read(self) -> Option<(&'static str, u64, Duration)> {
        let outcome = OUTCOMES.get(usize::from(self.outcome))?;
        Some((outcome, self.bytes, Duration::from_micros(self.micros)))
    }
}

impl Message {
    pub(super) fn progress(progress: &RunProgress, fetches: Vec<Fetch>) -> Self {
        let progress = WireProgress {
            phase: progress.phase.as_str().to_owned(),
            discovered: progress.pages_discovered,
            fetched: progress.pages_fetched,
            audited: progress.pages_audited,
            rendered: progress.pages_rendered,
            measured: progress.pages_measured,
            seconds_left: progress.seconds_left,
            percent: progress.percent,
        };
        Self::Progress { progress, fetches }
    }

    pub(super) fn error(error: &RunError) -> Self {
        Self::Error {
            code: error.code.as_str().to_owned(),
            message: error.message.clone(),
        }
    }
}

impl WireProgress {
    /// Returns the progress of a message.
    pub(super) fn read(&self) -> RunProgress {
        RunProgress {
            phase: RunPhase::named(&self.phase).unwrap_or(RunPhase::Crawling),
            pages_discovered: self.discovered,
            pages_fetched: self.fetched,
            pages_audited: self.audited,
            pages_rendered: self.rendered,
            pages_measured: self.measured,
            seconds_left: self.seconds_left,
            percent: self.percent.min(99),
        }
    }
}

/// Returns the error of a message.
pub(super) fn error(code: &str, message: String) -> RunError {
    match FailureCode::named(code) {
        Some(code) => RunError { code, message },
        None => RunError::internal(),
    }
}

/// How many more bytes of the present message may be read.
#[derive(Clone)]
pub(super) struct Budget(Rc<Cell<u64>>);

impl Budget {
    pub(super) fn new() -> Self {
        Self(Rc::new(Cell::new(MESSAGE_BYTES)))
    }

    /// Resets the budget for the next message.
    pub(super) fn renew(&self) {
        self.0.set(MESSAGE_BYTES);
    }
}

/// A reader that fails when the budget is used up.
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
    fn progress_comes_back() {
        let progress = RunProgress {
            phase: RunPhase::Rendering,
            pages_discovered: 9,
            pages_fetched: 8,
            pages_audited: 7,
            pages_rendered: 6,
            pages_measured: Some(2),
            seconds_left: Some(40),
            percent: 78,
        };
        let text = serde_json::to_string(&Message::progress(&progress, Vec::new())).unwrap();
        let Message::Progress { progress: sent, .. } = serde_json::from_str(&text).unwrap() else {
            panic!("another message");
        };
        assert_eq!(sent.read(), progress);
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
