//! Why a run ends without a report.

use crate::named_enum::named_enum;

named_enum! {
    /// The closed list of reasons for which a run fails.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FailureCode {
        /// The name has no address.
        DnsFailure = "dns_failure",
        /// Nothing listens there.
        ConnectionRefused = "connection_refused",
        /// The TLS handshake or the certificate failed.
        TlsError = "tls_error",
        /// A deadline passed before the site answered.
        Timeout = "timeout",
        /// The start page answered with an error status.
        HttpError = "http_error",
        /// The start URL redirects in a loop or more than ten times.
        TooManyRedirects = "too_many_redirects",
        /// The start URL lands on another site.
        RedirectedElsewhere = "redirected_elsewhere",
        /// robots.txt forbids the start page.
        RobotsDisallowed = "robots_disallowed",
        /// The site turns automated visitors away.
        Blocked = "blocked",
        /// The target, or where it leads, is forbidden.
        TargetNotAllowed = "target_not_allowed",
        /// The start page is no HTML document.
        NotHtml = "not_html",
        /// The run took longer than it may.
        DeadlineExceeded = "deadline_exceeded",
        /// The audit needs more than one run may use: it ended its worker twice while it ran alone.
        ResourceLimit = "resource_limit",
        /// A fault of ours.
        Internal = "internal",
    }
}
