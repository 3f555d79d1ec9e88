//! Pages with many files that are served over HTTP/1.1 only.

use crate::address::SiteKey;
use crate::check::{Evidence, Outcome};
use crate::common::http::home::NO_START_PAGE;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::gather::HttpVersion;
use crate::site::{PageFacts, Site};

declare_check! {
    /// ## What it checks
    /// An https site whose start page needs six or more requests to the site itself supports
    /// HTTP/2.
    ///
    /// ## Why it matters
    /// Over HTTP/1.1 a browser fetches about six files of a host at a time; all other requests
    /// wait. HTTP/2 multiplexes all requests over one connection.
    ///
    /// ## How to fix it
    /// Enable HTTP/2 in the web server or in the reverse proxy, for example `http2 on;` in nginx or
    /// `Protocols h2 http/1.1` in Apache.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/a.css"><script src="/a.js"></script><img src="/1.png"><img src="/2.png"><img src="/3.png"></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/2 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/a.css"><script src="/a.js"></script><img src="/1.png"><img src="/2.png"><img src="/3.png"></html>
    /// ```
    ///
    /// ## Limits
    /// Requests that scripts make are not counted. A proxy between the audit and the site can hide
    /// the site's HTTP/2 support.
    ///
    /// ## Also known as
    /// - Lighthouse: `modern-http-insight`
    /// - Lighthouse: `uses-http2`
    ///
    /// ## References
    /// - RFC 9113, HTTP/2
    /// - Chrome for Developers, Lighthouse: Use HTTP/2
    HTTP1_ONLY {
        id: "http1-only",
        title: "HTTP/2 not enabled",
        dimension: Performance,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// From this number of requests on, HTTP/1.1 delays files.
const MIN_REQUESTS: usize = 6;

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let requests = own_requests(site, home);
    if site.start.scheme() != "https" || requests < MIN_REQUESTS {
        return Outcome::NotApplicable;
    }
    // This probe requests the start page itself.
    let Some(response) = site
        .probes
        .foreign_origin
        .as_ref()
        .and_then(|probe| probe.answer())
    else {
        return Outcome::CannotTell("The start page was not requested a second time.");
    };
    Outcome::pass_if(response.version >= HttpVersion::Http2, || {
        Evidence::here().message(format!(
            "The start page needs {} requests to the site and is served over HTTP/1.1; expected HTTP/2.",
            grouped(requests)
        ))
    })
}

/// The number of requests to the site: the document and the files that it loads from the same site.
fn own_requests(site: &Site, home: &PageFacts) -> usize {
    let own = home
        .resources
        .iter()
        .filter(|used| used.eager)
        .filter_map(|used| url::Url::parse(site.urls.url(used.target)).ok())
        .filter(|url| SiteKey::from_url(url).as_ref() == Some(&site.key));
    1 + own.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    const FIVE: &str = "<img src=/1><img src=/2><img src=/3><img src=/4><img src=/5>";

    #[test]
    fn pages_with_few_requests_are_not_checked() {
        let four = FIVE.replace("<img src=/5>", "<img src=https://cdn.example.net/5>");
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{four}");
        assert_eq!(audit(&HTTP1_ONLY, &site).applicable, 0);
    }

    #[test]
    fn plain_http_is_not_checked() {
        let site =
            format!("=== http://example.com/\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{FIVE}");
        assert_eq!(
            audit_from(&HTTP1_ONLY, "http://example.com/", &site).applicable,
            0
        );
    }

    #[test]
    fn http_1_1_fails_and_http_2_passes() {
        let over = |version: &str| {
            let site = format!("=== /\n{version} 200 OK\nContent-Type: text/html\n\n{FIVE}");
            audit(&HTTP1_ONLY, &site).affected
        };
        assert_eq!((over("HTTP/1.1"), over("HTTP/2")), (1, 0));
    }
}
