//! Why a call to the browser has no answer.

use std::time::Duration;

use crate::gather::RenderError;

/// Why a call to the browser has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CdpError {
    /// The pipe is closed: the browser has ended.
    #[error("the browser has ended")]
    Closed,
    /// The process of the page has ended.
    #[error("the process of the page has ended")]
    Crashed,
    /// No answer arrived in time.
    #[error("the browser did not answer {method} within {} ms", after.as_millis())]
    TimedOut {
        /// The called method.
        method: &'static str,
        /// How long the call waited.
        after: Duration,
    },
    /// The browser answered with an error.
    #[error("the browser refused {method}: {message} ({code})")]
    Refused {
        /// The called method.
        method: &'static str,
        /// The error code of JSON-RPC.
        code: i64,
        /// The browser's own words.
        message: String,
    },
    /// The answer was longer than the limit of a message.
    #[error("the answer of the browser to {method} is too large")]
    TooLarge {
        /// The called method.
        method: &'static str,
    },
    /// The answer has another form than expected.
    #[error("the answer of the browser to {method} cannot be read: {reason}")]
    Unreadable {
        /// The called method.
        method: &'static str,
        /// What was expected, and where.
        reason: String,
    },
}

impl From<CdpError> for RenderError {
    fn from(error: CdpError) -> Self {
        match error {
            CdpError::Closed | CdpError::Crashed => Self::Crashed,
            CdpError::TimedOut { .. } => Self::Hung,
            CdpError::TooLarge { .. } => Self::TooLarge,
            CdpError::Refused { .. } | CdpError::Unreadable { .. } => {
                Self::Browser(error.to_string())
            }
        }
    }
}
