//! URLs in the sitemap exist.

use crate::check::{Outcome, Verdicts};
use crate::common::links::status::is_unverifiable;
use crate::common::urls::sitemap_urls::{Listed, listed_urls};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No URL of the site that a sitemap lists answers with a status from 400 to 499.
    ///
    /// ## Why it matters
    /// A sitemap that lists pages which are not there is trusted less, and crawlers waste their
    /// visits.
    ///
    /// ## How to fix it
    /// Remove the entry from the sitemap, or bring the page back. Most generators only need to be
    /// run again.
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
    /// Statuses that turn visitors away, such as 401, 403 and 429, are not judged. Errors of the
    /// server (500 and above) are left to http-server-error. URLs that the limits of the audit
    /// left out are not judged.
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Build and submit a sitemap
    SITEMAP_URL_ERROR {
        id: "sitemap-url-error",
        title: "The sitemap lists URLs that do not exist",
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
        let Some(fault) = fault(site, &listed) else {
            continue;
        };
        let url = &listed.url.url;
        verdicts.judge(
            url,
            match fault {
                None => Outcome::Passed,
                Some(fault) => Outcome::failed(vec![
                    listed
                        .evidence()
                        .message(format!("The sitemap lists {url}, which {fault}.")),
                ]),
            },
        );
    }
}

/// What is wrong; the outer none where nobody can know.
fn fault(_: &Site, listed: &Listed<'_>) -> Option<Option<String>> {
    match listed.url.status()? {
        status if is_unverifiable(status) => None,
        status @ 400..=499 => Some(Some(format!("answers {status}"))),
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
        let place = &tallied.findings[0].occurrences[0];
        assert_eq!(
            (place.url.as_str(), place.line),
            ("https://example.com/sitemap.xml", Some(2))
        );
    }

    #[test]
    fn refusals_and_errors_of_the_server_are_not_judged() {
        for status in [403, 429, 500, 999] {
            assert_eq!(
                listed(&format!("HTTP/1.1 {status} X\n\n")).applicable,
                1,
                "{status}"
            );
        }
    }

    #[test]
    fn a_site_without_sitemap_is_not_judged() {
        assert_eq!(
            audit(&SITEMAP_URL_ERROR, "=== /\n<a href=/x>x</a>").applicable,
            0
        );
    }
}
