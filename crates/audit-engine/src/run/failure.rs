//! Why an audit has no result.

use domain::FailureCode;
use domain::target::TargetError;

use crate::gather::{FetchError, FetchErrorKind};

/// Why an audit has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuditError {
    /// The start URL is not an absolute http(s) URL.
    #[error("{0}")]
    InvalidUrl(String),
    /// The site could not be audited.
    #[error("{message}")]
    Failed {
        /// The reason, from a closed list.
        code: FailureCode,
        /// One or two sentences: what happened and how to fix it.
        message: String,
        /// What makes the audit possible if the target is the caller's own.
        remedy: Option<Remedy>,
    },
}

/// What makes an audit possible that was refused, if the target is the caller's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// To list this target, for example `127.0.0.1:8080`, in
    /// [`EgressOptions::allow_targets`](crate::egress::EgressOptions::allow_targets).
    AllowTarget(String),
    /// To unset [`AuditOptions::respect_robots`](crate::AuditOptions::respect_robots).
    IgnoreRobots,
}

impl AuditError {
    /// A failure with this code.
    pub fn failed(code: FailureCode, message: impl Into<String>) -> Self {
        Self::Failed {
            code,
            message: message.into(),
            remedy: None,
        }
    }

    /// The same with a remedy.
    pub(crate) fn with_remedy(mut self, found: Option<Remedy>) -> Self {
        if let Self::Failed { remedy, .. } = &mut self {
            *remedy = found;
        }
        self
    }

    /// What makes the audit possible if the target is the caller's own; none if nothing does.
    #[must_use]
    pub const fn remedy(&self) -> Option<&Remedy> {
        match self {
            Self::InvalidUrl(_) => None,
            Self::Failed { remedy, .. } => remedy.as_ref(),
        }
    }

    /// The code; none if the start URL is invalid.
    #[must_use]
    pub const fn code(&self) -> Option<FailureCode> {
        match self {
            Self::InvalidUrl(_) => None,
            Self::Failed { code, .. } => Some(*code),
        }
    }

    pub(crate) fn of_target(error: &TargetError) -> Self {
        match error {
            TargetError::Invalid { .. } => Self::InvalidUrl(sentence(&error.to_string())),
            TargetError::NotAllowed { .. } => {
                let message = sentence(&error.to_string());
                Self::failed(FailureCode::TargetNotAllowed, message)
                    .with_remedy(error.allow_target().map(Remedy::AllowTarget))
            }
        }
    }

    /// The failure of a request for the start page or its robots.txt.
    pub(crate) fn of_fetch(error: &FetchError) -> Self {
        let (code, hint) = match error.kind {
            FetchErrorKind::Dns => (
                FailureCode::DnsFailure,
                "Check the spelling of the name and its DNS records.",
            ),
            FetchErrorKind::Connect => (
                FailureCode::ConnectionRefused,
                "Check that the site is up and that host and port are correct.",
            ),
            FetchErrorKind::Tls => (
                FailureCode::TlsError,
                "Visitors' browsers will fail in the same way; repair the TLS configuration, or audit \
                 the http address.",
            ),
            FetchErrorKind::Timeout => (
                FailureCode::Timeout,
                "Try again. If it happens again, check the load of the server.",
            ),
            FetchErrorKind::Protocol => (
                FailureCode::HttpError,
                "Check that a web server listens on that port.",
            ),
            FetchErrorKind::NotAllowed => (FailureCode::TargetNotAllowed, ""),
        };
        let message = sentence(&error.message);
        Self::failed(code, format!("{message} {hint}").trim_end())
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    // A host name keeps its case.
    let starts_with_name = text
        .split_whitespace()
        .next()
        .is_some_and(|word| word.contains(['.', ':']));
    let mut out = if starts_with_name {
        text.to_owned()
    } else {
        format!("{first}{}", chars.as_str())
    };
    if !out.ends_with(['.', '?']) {
        out.push('.');
    }
    out
}
