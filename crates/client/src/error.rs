//! What can go wrong with a call.

use std::fmt;
use std::time::Duration;

use api_types::problem::Problem;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server's address cannot be used.
    #[error("the server's address {url:?}: {why}")]
    Server {
        /// The address, without a password.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no key.
    #[error("there is no API key")]
    NoKey,
    /// The key cannot be sent.
    #[error(
        "the API key is no key: it begins with sk_service_ and has visible ASCII characters alone"
    )]
    Key,
    /// Nothing has this id.
    #[error("{0:?} is no id")]
    Id(String),
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be made: {0}")]
    Setup(String),
    /// The server was not reached, or did not answer in time.
    #[error("{server} cannot be reached: {why}")]
    Unreachable {
        /// The server.
        server: String,
        /// What happened, without the address.
        why: String,
    },
    /// The server answered that it will not.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The answer is none of this interface.
    #[error(
        "{server} answered what is no answer of Assay's API ({why}): is this the address of an Assay server?"
    )]
    Strange {
        /// The server.
        server: String,
        /// What is strange.
        why: String,
    },
}

impl Error {
    /// The stable code of the server's problem, where it is one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(refusal) => Some(&refusal.problem.code),
            _ => None,
        }
    }

    /// Whether the same call may go well a little later.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Refused(refusal) => matches!(
                refusal.problem.code.as_str(),
                "rate_limited" | "unavailable" | "idempotency_in_progress"
            ),
            _ => false,
        }
    }
}

/// What the server said, and when to ask again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The problem.
    pub problem: Problem,
    /// How long to wait before the next try, where it said so.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for Refusal {
    /// The detail, then the fields that are wrong.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.detail)?;
        for error in &self.problem.errors {
            // The detail often says it already where there is one field.
            if !self.problem.detail.contains(&error.message) {
                write!(f, "\n  {}: {}", error.field, error.message)?;
            }
        }
        if let Some(wait) = self.retry_after {
            write!(f, " Try again in {} s.", wait.as_secs())?;
        }
        Ok(())
    }
}
