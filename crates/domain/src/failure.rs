//! Why a run ends without a report.

use std::fmt;

/// The closed list of reasons for which a run fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureCode {
    /// The name has no address.
    DnsFailure,
    /// Nothing listens there.
    ConnectionRefused,
    /// The TLS handshake or the certificate failed.
    TlsError,
    /// A deadline passed before the site answered.
    Timeout,
    /// The start page answered with an error status.
    HttpError,
    /// The start URL redirects in a loop or more than ten times.
    TooManyRedirects,
    /// The start URL lands on another site.
    RedirectedElsewhere,
    /// robots.txt forbids the start page.
    RobotsDisallowed,
    /// The site turns automated visitors away.
    Blocked,
    /// The target, or where it leads, is forbidden.
    TargetNotAllowed,
    /// The start page is no HTML document.
    NotHtml,
    /// The run took longer than it may.
    DeadlineExceeded,
    /// The audit needs more than one run may use: it ended its worker twice while it ran alone.
    ResourceLimit,
    /// A fault of ours.
    Internal,
}

impl FailureCode {
    /// All codes.
    pub const ALL: [Self; 14] = [
        Self::DnsFailure,
        Self::ConnectionRefused,
        Self::TlsError,
        Self::Timeout,
        Self::HttpError,
        Self::TooManyRedirects,
        Self::RedirectedElsewhere,
        Self::RobotsDisallowed,
        Self::Blocked,
        Self::TargetNotAllowed,
        Self::NotHtml,
        Self::DeadlineExceeded,
        Self::ResourceLimit,
        Self::Internal,
    ];

    /// The code of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == name)
    }

    /// The code on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DnsFailure => "dns_failure",
            Self::ConnectionRefused => "connection_refused",
            Self::TlsError => "tls_error",
            Self::Timeout => "timeout",
            Self::HttpError => "http_error",
            Self::TooManyRedirects => "too_many_redirects",
            Self::RedirectedElsewhere => "redirected_elsewhere",
            Self::RobotsDisallowed => "robots_disallowed",
            Self::Blocked => "blocked",
            Self::TargetNotAllowed => "target_not_allowed",
            Self::NotHtml => "not_html",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::ResourceLimit => "resource_limit",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
