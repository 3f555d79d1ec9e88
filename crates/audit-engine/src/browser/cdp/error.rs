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

/// An answer that a visit can do without; none if the page did not give it.
///
/// # Errors
/// If the page cannot answer any more: its process or the browser has ended.
pub(crate) fn optional<T>(answer: Result<T, CdpError>) -> Result<Option<T>, CdpError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error @ (CdpError::Closed | CdpError::Crashed)) => Err(error),
        Err(error) => {
            tracing::debug!(%error, "a page is judged without an answer of the browser");
            Ok(None)
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_answer_is_missing_unless_the_page_has_ended() {
        assert_eq!(optional(Ok(1)), Ok(Some(1)));
        let late = CdpError::TimedOut {
            method: "Test.ask",
            after: Duration::from_secs(3),
        };
        for error in [late, CdpError::TooLarge { method: "Test.ask" }] {
            assert_eq!(optional::<u8>(Err(error)), Ok(None));
        }
        for error in [CdpError::Closed, CdpError::Crashed] {
            assert_eq!(optional::<u8>(Err(error.clone())), Err(error));
        }
    }
}
