//! Errors of requests.

use std::fmt;
use std::time::Duration;

use api_types::problem::Problem;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server's URL is invalid.
    #[error("invalid server URL {url:?}: {why}")]
    Server {
        /// The URL, without a password.
        url: String,
        /// The reason.
        why: String,
    },
    /// The API key is missing.
    #[error("the API key is missing")]
    NoKey,
    /// The API key is malformed.
    #[error(
        "the API key is malformed: it must begin with sk_service_ and contain only visible ASCII characters"
    )]
    Key,
    /// The text is not an id.
    #[error("{0:?} is not an id")]
    Id(String),
    /// The HTTP client cannot be created.
    #[error("cannot create the HTTP client: {0}")]
    Setup(String),
    /// The server is unreachable or the request timed out.
    #[error("{server} cannot be reached: {why}")]
    Unreachable {
        /// The server.
        server: String,
        /// The cause, without the URL.
        why: String,
    },
    /// The server returned a problem.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The response is not from this API.
    #[error(
        "{server} returned an unexpected response ({why}); check that this is the URL of an Assay server"
    )]
    Strange {
        /// The server.
        server: String,
        /// What is unexpected.
        why: String,
    },
}

impl Error {
    /// The stable code of the server's problem, if there is one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(refusal) => Some(&refusal.problem.code),
            _ => None,
        }
    }

    /// Whether the error is temporary.
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

/// The server's problem and the retry delay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The problem.
    pub problem: Problem,
    /// The delay of `Retry-After`, if there is one.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for Refusal {
    /// The detail, then the invalid fields.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.detail)?;
        for error in &self.problem.errors {
            // With one field, the detail often contains its message already.
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
