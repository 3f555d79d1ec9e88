//! The server answers without errors.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::common::links::status::requested_urls;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No URL of the site that is linked or listed in a sitemap answers with a status of 500 or
    /// above, after two further tries.
    ///
    /// ## Why it matters
    /// The page cannot be read by anybody. Search engines slow down their visits to a site that
    /// answers with server errors, and drop the pages after a while.
    ///
    /// ## How to fix it
    /// Look for the URL and the time of the audit in the error log of the server and repair the
    /// fault. If the page is gone for good, answer 404 or 410.
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
    /// An error that lasts only for the seconds of three tries is taken for a lasting one. Status
    /// 999, which some bot walls use, is not an error of the server. The pages that link to the
    /// URL are named by link-broken-internal.
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.6
    /// - Google Search Central, How HTTP status codes, and network and DNS errors affect Google Search
    HTTP_SERVER_ERROR {
        id: "http-server-error",
        title: "The server answers with an error",
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
        let outcome = Outcome::of(!(500..=599).contains(&status), || {
            let linked = inlinks.to(id).map_or_else(String::new, |inlink| {
                format!(", and {} links to it", inlink.page.url)
            });
            Evidence::here()
                .message(format!("The URL answers with status {status}{linked}."))
                .cause(&*entry.url, format!("Server error at {}", entry.url))
        });
        verdicts.judge(&entry.url, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn every_url_that_was_requested_counts() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<a href=/a>a</a><a href=/gone>g</a><a href=/r>r</a>\n=== /a\na\n=== /r\nHTTP/1.1 301 Moved\nLocation: /a\n",
        );
        assert_eq!((tallied.applicable, tallied.affected), (4, 0));
    }

    #[test]
    fn an_error_of_the_server_fails_and_names_a_link() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 502 Bad Gateway\n\n",
        );
        assert_eq!(tallied.affected, 1);
        let place = &tallied.findings[0].occurrences[0];
        assert_eq!(place.url, "https://example.com/a");
        assert!(place.message.contains("https://example.com/ links to it"));
    }

    #[test]
    fn a_bot_wall_is_no_error() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 999 No\n\n",
        );
        assert_eq!(tallied.affected, 0);
    }

    #[test]
    fn resources_of_pages_are_not_judged_here() {
        let tallied = audit(
            &HTTP_SERVER_ERROR,
            "=== /\n<img src=/a.png>\n=== /a.png\nHTTP/1.1 500 No\n\n",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }
}
