//! robots.txt answers without errors of the server.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// robots.txt of the site, and of each further origin of it that pages link to, such as http beside https or
    /// `www.` beside none, does not answer with a status of 500 or above, and a redirect of it leads to an
    /// answer.
    ///
    /// ## Why it matters
    /// Crawlers must take a robots.txt that cannot be reached for one that forbids everything. Search engines stop
    /// visiting the pages of that origin, and drop them if it lasts.
    ///
    /// ## How to fix it
    /// Look into the log of the server for the request to `/robots.txt`. An application that answers every
    /// address with a program should serve the file, or answer 404, before the program starts.
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
    /// Where it is the robots.txt of the start page, the audit may not visit any page and fails, saying why,
    /// unless it was told to ignore robots.txt. An origin that does not answer at all is left to fetch-failed. An
    /// error that lasts only for the seconds of three tries is taken for a lasting one.
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.3.1.4
    /// - Google Search Central, How Google interprets the robots.txt specification: HTTP status codes
    /// - Lighthouse audit robots-txt
    ROBOTS_UNREACHABLE {
        id: "robots-unreachable",
        title: "robots.txt cannot be reached",
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
        let what = match status {
            Some(status) => format!("{url} answers with status {status}"),
            None => format!("{url} redirects to where nothing answers"),
        };
        Evidence::here()
            .at(url.as_str())
            .message(format!(
                "{what}; crawlers must take that for a robots.txt that forbids everything."
            ))
            .cause(url.as_str(), format!("robots.txt cannot be reached: {url}"))
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
    fn a_file_and_none_at_all_pass() {
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
    fn another_origin_that_is_linked_fails() {
        let site = "=== /\n<a href=http://example.com/a>a</a>\n=== http://example.com/robots.txt\nHTTP/1.1 500 X\n\n";
        let tallied = audit(&ROBOTS_UNREACHABLE, site);
        assert_eq!(tallied.affected, 1);
        assert_eq!(tallied.findings[0].cause, "http://example.com/robots.txt");
    }

    #[test]
    fn an_origin_that_nothing_links_to_is_not_judged() {
        let site = "=== /\nx\n=== https://www.example.com/robots.txt\nHTTP/1.1 500 X\n\n";
        assert_eq!(audit(&ROBOTS_UNREACHABLE, site).affected, 0);
    }

    #[test]
    fn an_audit_that_ignores_robots_txt_tells_of_the_start_pages_own() {
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
