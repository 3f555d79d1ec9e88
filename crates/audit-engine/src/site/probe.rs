//! Requests for well-known places that no page needs to link.

use std::time::Duration;

use bytes::Bytes;
use url::Url;

use crate::gather::{FetchErrorKind, Headers, HttpVersion, TlsFacts};

/// A well-known place that was asked for, after at most ten redirects.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The URL asked for.
    pub requested: Url,
    /// The redirects on the way: status and URL that answered with it.
    pub hops: Vec<(u16, Url)>,
    /// The last answer, or why there is none.
    pub result: Result<ProbeAnswer, (FetchErrorKind, String)>,
}

/// The last answer to a probe.
#[derive(Debug, Clone)]
pub struct ProbeAnswer {
    /// The URL that answered.
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

/// A page that seems to say that it does not exist, though it answers with success.
#[derive(Debug, Clone)]
pub struct ErrorPage {
    /// The page, asked for once more.
    pub again: Probe,
    /// An address in the same folder that cannot exist.
    pub missing: Probe,
}

impl Probe {
    /// The answer, if something answered.
    #[must_use]
    pub fn answer(&self) -> Option<&ProbeAnswer> {
        self.result.as_ref().ok()
    }

    /// The answer, if it was a success.
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
    /// A path that cannot exist, to learn how the site answers then.
    pub missing_page: Option<Probe>,
    /// Another such path, asked for only where the first answered with success.
    pub missing_page_again: Option<Probe>,
    /// `/llms.txt`.
    pub llms_txt: Option<Probe>,
    /// `/.well-known/security.txt`.
    pub security_txt: Option<Probe>,
    /// The start URL over plain http, when the site is on https. Its redirects are not followed off the site.
    pub plain_http: Option<Probe>,
    /// The start URL over https, when the site is on plain http. Its redirects are not followed off the site.
    pub https_twin: Option<Probe>,
    /// What the site's TLS endpoint shows of itself, or that of its twin on https.
    pub tls: Option<TlsFacts>,
    /// The start URL with an `Origin` header of a foreign site.
    pub foreign_origin: Option<Probe>,
    /// The start page with `www.` where it has none and without where it has, over its own scheme and
    /// over http. Only where the site is a registrable domain or its `www.`.
    pub other_hosts: Vec<Probe>,
    /// Pages that seem to say that they do not exist, and how the site answers beside them.
    pub error_pages: Vec<ErrorPage>,
    /// The start page's time to first byte, three times on an idle connection.
    pub first_byte: Vec<Duration>,
}
