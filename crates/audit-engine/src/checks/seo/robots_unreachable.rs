//! robots.txt is reachable without server errors.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// robots.txt of the start page's origin, and of every other origin of the site that pages link to, does not
    /// return a status of 500 or above. If robots.txt redirects, the redirect ends at a URL that responds. Other
    /// origins are, for example, http in addition to https, or the host with `www.` in addition to the host without
    /// it.
    ///
    /// ## Why it matters
    /// Crawlers must treat an unreachable robots.txt as if it disallowed every URL. Search engines stop crawling
    /// the pages of that origin, and remove them from their index if the error persists.
    ///
    /// ## How to fix it
    /// Check the server log for the request to `/robots.txt`. If an application handles every URL, serve the file,
    /// or return 404, before the application handles the request.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="https://www.example.com/times">Times</a>
    /// === https://www.example.com/robots.txt
    /// HTTP/1.1 503 Service Unavailable
    ///
    /// === https://www.example.com/times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="https://www.example.com/times">Times</a>
    /// === https://www.example.com/robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Disallow: /drafts
    /// === https://www.example.com/times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// If robots.txt of the start page is unreachable, the audit may not crawl any page; it fails
    /// and reports the reason, unless it is configured to ignore robots.txt. `fetch-failed` reports
    /// an origin that does not respond at all. The crawler makes three attempts within seconds and
    /// treats an error in all of them as permanent.
    ///
    /// ## Also known as
    /// - Lighthouse: `robots-txt`
    /// - RFC 9309: Unreachable status
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.3.1.4
    /// - Google Search Central, How Google interprets the robots.txt specification: HTTP status codes
    /// - Lighthouse audit robots-txt
    ROBOTS_UNREACHABLE {
        id: "robots-unreachable",
        title: "robots.txt is unreachable",
        dimension: Seo,
        scope: Origin,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let failures = site.robots_unreachable.iter().map(|(url, status)| {
        let problem = match status {
            Some(status) => format!("{url} returns status {status}"),
            None => format!("{url} redirects to a URL that does not respond"),
        };
        Evidence::here()
            .at(url.as_str())
            .message(format!(
                "{problem}; crawlers must treat this as a robots.txt that disallows every URL."
            ))
            .cause(url.as_str(), format!("Unreachable robots.txt: {url}"))
    });
    Outcome::from_failures(failures.collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::check::testing::audit;
    use crate::gather::Recording;
    use crate::{AuditOptions, Auditor};

    #[test]
    fn a_file_and_client_errors_pass() {
        for robots in [
            "HTTP/1.1 200 OK\n\nUser-agent: *",
            "HTTP/1.1 404 X\n\n",
            "HTTP/1.1 403 X\n\n",
        ] {
            let tallied = audit(
                &ROBOTS_UNREACHABLE,
                &format!("=== /\nx\n=== /robots.txt\n{robots}"),
            );
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{robots}");
        }
    }

    #[test]
    fn a_server_error_on_another_linked_origin_fails() {
        let site = "=== /\n<a href=http://example.com/a>a</a>\n=== http://example.com/robots.txt\nHTTP/1.1 500 X\n\n";
        let tallied = audit(&ROBOTS_UNREACHABLE, site);
        assert_eq!(tallied.affected, 1);
        assert_eq!(tallied.findings[0].cause, "http://example.com/robots.txt");
    }

    #[test]
    fn an_origin_without_inbound_links_is_ignored() {
        let site = "=== /\nx\n=== https://www.example.com/robots.txt\nHTTP/1.1 500 X\n\n";
        assert_eq!(audit(&ROBOTS_UNREACHABLE, site).affected, 0);
    }

    #[test]
    fn an_audit_that_ignores_robots_txt_reports_the_start_origin() {
        let recording = Recording::parse("=== /\nx\n=== /robots.txt\nHTTP/1.1 503 X\n\n").unwrap();
        let options = AuditOptions {
            only: Some(vec![&ROBOTS_UNREACHABLE]),
            respect_robots: false,
            retry_pause: std::time::Duration::ZERO,
            ..AuditOptions::default()
        };
        let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let audit = runtime
            .block_on(auditor.audit("https://example.com/"))
            .unwrap();
        assert_eq!(audit.result.findings.len(), 1);
    }
}
