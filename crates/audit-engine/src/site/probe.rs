//! Requests for well-known URLs that are independent of links.

use std::time::Duration;

use bytes::Bytes;
use url::Url;

use crate::gather::{FetchErrorKind, Headers, HttpVersion, TlsFacts};

/// The request for a well-known URL, with at most ten redirects.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The requested URL.
    pub requested: Url,
    /// The followed redirects: the status code and the URL that returned it.
    pub hops: Vec<(u16, Url)>,
    /// The last response, or why there is none.
    pub result: Result<ProbeAnswer, (FetchErrorKind, String)>,
}

/// The last response to a probe.
#[derive(Debug, Clone)]
pub struct ProbeAnswer {
    /// The URL that responded.
    pub url: Url,
    /// Status.
    pub status: u16,
    /// Headers.
    pub headers: Headers,
    /// Body, at most 512 KiB of it.
    pub body: Bytes,
    /// HTTP version.
    pub version: HttpVersion,
}

/// A page that looks like an error page although its status is a success.
#[derive(Debug, Clone)]
pub struct ErrorPage {
    /// The page, requested again.
    pub again: Probe,
    /// A URL in the same folder that cannot exist.
    pub missing: Probe,
}

impl Probe {
    /// The response, if there was one.
    #[must_use]
    pub fn answer(&self) -> Option<&ProbeAnswer> {
        self.result.as_ref().ok()
    }

    /// The response, if it was a success.
    #[must_use]
    pub fn success(&self) -> Option<&ProbeAnswer> {
        self.answer()
            .filter(|answer| (200..300).contains(&answer.status))
    }
}

/// All probes of a site. Each is one GET on the start URL's origin, and counted in `coverage`.
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// `/robots.txt`.
    pub robots_txt: Option<Probe>,
    /// A path that cannot exist, to detect soft 404 responses.
    pub missing_page: Option<Probe>,
    /// Another such path, requested only if the first returned a success.
    pub missing_page_again: Option<Probe>,
    /// `/llms.txt`.
    pub llms_txt: Option<Probe>,
    /// `/.well-known/security.txt`.
    pub security_txt: Option<Probe>,
    /// The start URL over plain http, if the site is on https. Redirects to other sites are not followed.
    pub plain_http: Option<Probe>,
    /// The start URL over https, if the site is on plain http. Redirects to other sites are not followed.
    pub https_twin: Option<Probe>,
    /// What the TLS endpoint of the site, or of its https counterpart, presents.
    pub tls: Option<TlsFacts>,
    /// The start URL with an `Origin` header of a foreign site.
    pub foreign_origin: Option<Probe>,
    /// The start page with or without `www.`, whichever the site does not use, over its own scheme and over
    /// http. Only if the host is a registrable domain or its `www.`.
    pub other_hosts: Vec<Probe>,
    /// Pages that look like error pages, and the responses for missing URLs beside them.
    pub error_pages: Vec<ErrorPage>,
    /// The start page's time to first byte, three times on an idle connection.
    pub first_byte: Vec<Duration>,
}
