//! The server returns no 5xx errors.

use crate::check::{Evidence, Extent, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::common::links::status::requested_urls;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No URL of the site that is linked or listed in a sitemap returns a status from 500 to 599
    /// after two retries.
    ///
    /// ## Why it matters
    /// Visitors cannot read the page. Search engines reduce their crawl rate for a site that returns
    /// server errors, and drop the pages after a while.
    ///
    /// ## How to fix it
    /// Search the error log of the server for the URL and the time of the audit, and fix the cause.
    /// If the page is gone permanently, return 404 or 410.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// HTTP/1.1 500 Internal Server Error
    /// Content-Type: text/html
    ///
    /// <!doctype html><title>Error</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// The crawler requests a failing URL three times within seconds. The check cannot distinguish
    /// an error that ends later from a permanent one. Status 999, which some bot protection
    /// services return, is not a server error. `link-broken-internal` names the pages that link to
    /// the URL.
    ///
    /// ## Also known as
    /// - Search Console: Server error (5xx)
    /// - Screaming Frog: Response Codes: Internal Server Error (5xx)
    /// - Lighthouse: `http-status-code`
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.6
    /// - Google Search Central, How HTTP status codes, and network and DNS errors affect Google Search
    HTTP_SERVER_ERROR {
        id: "http-server-error",
        title: "Server errors (5xx)",
        dimension: Seo,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let inlinks = Inlinks::direct(site);
    for (id, entry) in requested_urls(site) {
        let Some(status) = entry.status() else {
            continue;
        };
        let outcome = Outcome::pass_if(!(500..=599).contains(&status), || {
            let linked = inlinks.to(id).map_or_else(String::new, |inlink| {
                format!("; {} links to it", inlink.page.url)
            });
            Evidence::here()
                .message(format!("The URL returns status {status}{linked}."))
                .cause(&*entry.url, format!("Server error at {}", entry.url))
        })
        .with_extent(Extent::PageLost);
        verdicts.record(&entry.url, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn every_requested_url_counts() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<a href=/a>a</a><a href=/gone>g</a><a href=/r>r</a>\n=== /a\na\n=== /r\nHTTP/1.1 301 Moved\nLocation: /a\n",
        );
        assert_eq!((tallied.applicable, tallied.affected), (4, 0));
    }

    #[test]
    fn a_server_error_fails_and_names_an_inlink() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 502 Bad Gateway\n\n",
        );
        assert_eq!(tallied.affected, 1);
        let occurrence = &tallied.findings[0].occurrences[0];
        assert_eq!(occurrence.url, "https://example.com/a");
        assert!(
            occurrence
                .message
                .contains("https://example.com/ links to it")
        );
    }

    #[test]
    fn status_999_passes() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 999 No\n\n",
        );
        assert_eq!(tallied.affected, 0);
    }

    #[test]
    fn resources_of_pages_do_not_count() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<img src=/a.png>\n=== /a.png\nHTTP/1.1 500 No\n\n",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
