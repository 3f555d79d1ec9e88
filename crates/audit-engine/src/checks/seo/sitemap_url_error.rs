//! URLs in the sitemap do not return errors.

use crate::check::{Extent, Outcome, Verdicts};
use crate::common::links::status::is_unverifiable;
use crate::common::urls::sitemap_urls::{Listed, listed_urls};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No URL of the site that a sitemap lists returns a status from 400 to 499.
    ///
    /// ## Why it matters
    /// Search engines trust a sitemap less if it lists pages that do not exist, and the requests
    /// waste crawl budget.
    ///
    /// ## How to fix it
    /// Remove the entry from the sitemap, or restore the page. Most generators only need to run
    /// again.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// <url><loc>https://example.com/times</loc></url>
    /// </urlset>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// <url><loc>https://example.com/times</loc></url>
    /// </urlset>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate statuses that refuse visitors, such as 401, 403 and 429.
    /// `http-server-error` reports server errors (500 and above). The check does not evaluate URLs
    /// that the crawler skipped because of the limits of the audit.
    ///
    /// ## Also known as
    /// - Search Console: Not found (404)
    /// - Screaming Frog: Sitemaps: Non-Indexable URLs in Sitemap
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Build and submit a sitemap
    SITEMAP_URL_ERROR {
        id: "sitemap-url-error",
        title: "Sitemap URLs that return 4xx errors",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for listed in listed_urls(site) {
        let Some(defect) = client_error(&listed) else {
            continue;
        };
        let url = &listed.url.url;
        verdicts.record(
            url,
            match defect {
                None => Outcome::Passed,
                Some(defect) => Outcome::failed(vec![
                    listed
                        .evidence()
                        .message(format!("The sitemap lists {url}, which {defect}.")),
                ])
                .with_extent(Extent::PageLost),
            },
        );
    }
}

/// The error that the URL returns, if any. The outer `None` means that the check cannot evaluate the URL.
fn client_error(listed: &Listed<'_>) -> Option<Option<String>> {
    match listed.url.status()? {
        status if is_unverifiable(status) => None,
        status @ 400..=499 => Some(Some(format!("returns status {status}"))),
        500.. => None,
        _ => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn listed(answer: &str) -> Tallied {
        let site = format!(
            "=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/\nhttps://example.com/x\n=== /x\n{answer}"
        );
        audit(&SITEMAP_URL_ERROR, &site)
    }

    #[test]
    fn pages_and_redirects_pass() {
        assert_eq!((listed("x").applicable, listed("x").affected), (2, 0));
        assert_eq!(listed("HTTP/1.1 301 X\nLocation: /\n").affected, 0);
    }

    #[test]
    fn a_page_that_does_not_exist_fails_at_its_line() {
        let tallied = listed("HTTP/1.1 404 X\n\n");
        let occurrence = &tallied.findings[0].occurrences[0];
        assert_eq!(
            (occurrence.url.as_str(), occurrence.line),
            ("https://example.com/sitemap.xml", Some(2))
        );
    }

    #[test]
    fn refused_requests_and_server_errors_are_not_applicable() {
        for status in [403, 429, 500, 999] {
            assert_eq!(
                listed(&format!("HTTP/1.1 {status} X\n\n")).applicable,
                1,
                "{status}"
            );
        }
    }

    #[test]
    fn a_site_without_sitemap_is_not_applicable() {
        assert_eq!(
            audit(&SITEMAP_URL_ERROR, "=== /\n<a href=/x>x</a>").applicable,
            0
        );
    }
}
