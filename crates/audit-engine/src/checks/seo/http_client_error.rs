//! URLs found outside links and sitemaps do not return 4xx errors.

use std::collections::HashSet;

use crate::algorithms::by_place::ByPlace;
use crate::check::{Evidence, Extent, Outcome, Verdicts};
use crate::common::links::status::{is_unverifiable, requested_urls};
use crate::declare_check;
use crate::site::{Site, UrlId};

declare_check! {
    /// ## What it checks
    /// No URL of the site that the crawl discovered other than through links and sitemaps returns a
    /// status from 400 to 499. Such URLs are listed in a feed, are the target of a meta refresh on
    /// the start page, or are linked only from pages that the audit excludes.
    ///
    /// ## Why it matters
    /// Visitors who follow the feed or the redirect get an error. Search engines request the URL again and
    /// again before they drop it.
    ///
    /// ## How to fix it
    /// Correct the feed or the redirect that leads to the URL, or restore the page.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><link rel="alternate" type="application/rss+xml" href="/news.xml"><h1>Island Line</h1>
    /// === /news.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/rss+xml
    ///
    /// <rss version="2.0"><channel><title>News</title><item><title>Storm</title><link>https://example.com/storm</link></item></channel></rss>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><link rel="alternate" type="application/rss+xml" href="/news.xml"><h1>Island Line</h1>
    /// === /news.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/rss+xml
    ///
    /// <rss version="2.0"><channel><title>News</title><item><title>Storm</title><link>https://example.com/storm</link></item></channel></rss>
    /// === /storm
    /// <!doctype html><html lang="en"><title>Storm – Island Line</title><h1>Storm</h1>
    /// ```
    ///
    /// ## Limits
    /// `link-broken-internal` reports URLs that a link leads to, directly or through redirects.
    /// `sitemap-url-error` reports URLs that a sitemap lists. `hreflang-to-error` reports URLs that
    /// are declared as a language version. The check skips status codes that deny access to the
    /// crawler, such as 401, 403 and 429.
    ///
    /// ## Also known as
    /// - Lighthouse: `http-status-code`
    /// - Screaming Frog: Response Codes: Internal Client Error (4xx)
    /// - Search Console: Not found (404)
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.5
    HTTP_CLIENT_ERROR {
        id: "http-client-error",
        title: "4xx errors on URLs that are neither linked nor in a sitemap",
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
    let reported = reported_by_other_checks(site);
    for (id, entry) in requested_urls(site) {
        let outcome = match entry.status() {
            Some(status) if is_unverifiable(status) => continue,
            Some(status @ 400..=499) if !entry.in_sitemap && !reported.contains(&id) => {
                Outcome::failed(vec![
                    Evidence::here()
                        .message(format!(
                            "The URL returns status {status}; {}.",
                            discovery(site, id)
                        ))
                        .cause(&*entry.url, format!("Client error at {}", entry.url)),
                ])
                .with_extent(Extent::PageLost)
            }
            None | Some(400..=499) => continue,
            Some(_) => Outcome::Passed,
        };
        verdicts.record(&entry.url, outcome);
    }
}

/// The targets of links after redirects, and the URLs declared as language versions.
fn reported_by_other_checks(site: &Site) -> HashSet<UrlId> {
    let mut landings = ByPlace::default();
    for (_, link) in site.links() {
        landings.get_or_find(link.target.index(), || site.urls.landing(link.target));
    }
    let linked = landings.into_values().flatten();
    let versions = site
        .pages
        .iter()
        .filter(|page| page.is_indexable())
        .flat_map(|page| &page.alternates)
        .filter_map(|(_, url)| site.urls.landing(site.urls.find(url)?));
    linked.chain(versions).collect()
}

/// How the crawl discovered the URL, as the end of a message.
fn discovery(site: &Site, id: UrlId) -> String {
    let redirect = site
        .urls
        .iter()
        .find(|(_, entry)| entry.answer().and_then(|answer| answer.location) == Some(id));
    redirect.map_or_else(
        || "no audited page links to it".to_owned(),
        |(_, from)| format!("{} redirects to it", from.url),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn feed(home: &str, response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=alternate type=application/rss+xml href=/f>{home}\n=== /f\nHTTP/1.1 200 OK\n\n<rss version='2.0'><channel><item><link>https://example.com/x</link></item></channel></rss>\n=== /x\n{response}"
        );
        audit(&HTTP_CLIENT_ERROR, &site)
    }

    #[test]
    fn a_missing_url_of_a_feed_fails() {
        let tallied = feed("", "HTTP/1.1 404 X\n\n");
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
        assert_eq!(tallied.findings[0].cause, "https://example.com/x");
    }

    #[test]
    fn the_message_names_a_redirect_to_the_url() {
        let tallied = feed("", "HTTP/1.1 301 X\nLocation: /y\n\n");
        assert_eq!(tallied.affected, 1);
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message.contains("https://example.com/x redirects to it"),
            "{message}"
        );
    }

    #[test]
    fn link_targets_and_language_versions_pass_here() {
        let gone = "HTTP/1.1 404 X\n\n";
        assert_eq!(feed("<a href=/x>x</a>", gone).affected, 0);
        let redirected = format!("{gone}\n=== /r\nHTTP/1.1 301 X\nLocation: /x\n\n");
        assert_eq!(feed("<a href=/r>r</a>", &redirected).affected, 0);
        let version = "<link rel=alternate hreflang=de href=/x>";
        assert_eq!(feed(version, gone).affected, 0);
    }

    #[test]
    fn sitemap_urls_pass_here() {
        let site = "=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/x\n";
        assert_eq!(audit(&HTTP_CLIENT_ERROR, site).affected, 0);
    }

    #[test]
    fn denied_requests_and_server_errors_are_not_applicable() {
        for status in [401, 403, 429] {
            let tallied = feed("", &format!("HTTP/1.1 {status} X\n\n"));
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{status}");
        }
        assert_eq!(feed("", "HTTP/1.1 500 X\n\n").affected, 0);
    }
}
