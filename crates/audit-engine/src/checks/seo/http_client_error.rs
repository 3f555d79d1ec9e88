//! Addresses that only feeds, refreshes and redirects lead to exist.

use std::collections::HashSet;

use crate::algorithms::by_place::ByPlace;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::status::{is_unverifiable, requested_urls};
use crate::declare_check;
use crate::site::{Site, UrlId};

declare_check! {
    /// ## What it checks
    /// No address of the site that was met by another way than a link or a sitemap answers with a status from
    /// 400 to 499: not one that a feed lists, that the start page refreshes to, or that is only linked from pages
    /// the audit leaves out.
    ///
    /// ## Why it matters
    /// Readers who follow the feed or are sent on find an error. Search engines visit the address again and
    /// again before they forget it.
    ///
    /// ## How to fix it
    /// Correct the feed or the redirect that the finding names, or bring the page back.
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
    /// An address that a link leads to, by redirects or at once, is left to link-broken-internal; one that a
    /// sitemap lists to sitemap-url-error, and one that is named as a language version to hreflang-to-error.
    /// Statuses that turn visitors away, such as 401, 403 and 429, are not judged.
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.5
    HTTP_CLIENT_ERROR {
        id: "http-client-error",
        title: "Addresses that answer with an error of the request",
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
    let told = told_elsewhere(site);
    for (id, entry) in requested_urls(site) {
        let outcome = match entry.status() {
            Some(status) if is_unverifiable(status) => continue,
            Some(status @ 400..=499) if !entry.in_sitemap && !told.contains(&id) => {
                Outcome::failed(vec![
                    Evidence::here()
                        .message(format!(
                            "The address answers with status {status}, and {}.",
                            way(site, id)
                        ))
                        .cause(&*entry.url, format!("Error at {}", entry.url)),
                ])
            }
            None | Some(400..=499) => continue,
            Some(_) => Outcome::Passed,
        };
        verdicts.judge(&entry.url, outcome);
    }
}

/// Where links lead, redirects followed, and what is named as a language version.
fn told_elsewhere(site: &Site) -> HashSet<UrlId> {
    let mut landings = ByPlace::default();
    for (_, link) in site.links() {
        landings.get_or_find(link.target.index(), || site.urls.landing(link.target));
    }
    let linked = landings.into_answers().flatten();
    let versions = site
        .pages
        .iter()
        .filter(|page| page.indexable)
        .flat_map(|page| &page.alternates)
        .filter_map(|(_, url)| site.urls.landing(site.urls.find(url)?));
    linked.chain(versions).collect()
}

fn way(site: &Site, id: UrlId) -> String {
    let redirect = site
        .urls
        .iter()
        .find(|(_, entry)| entry.answer().and_then(|answer| answer.location) == Some(id));
    redirect.map_or_else(
        || "no link of an audited page leads to it".to_owned(),
        |(_, from)| format!("{} redirects to it", from.url),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn feed(home: &str, answer: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=alternate type=application/rss+xml href=/f>{home}\n=== /f\nHTTP/1.1 200 OK\n\n<rss version='2.0'><channel><item><link>https://example.com/x</link></item></channel></rss>\n=== /x\n{answer}"
        );
        audit(&HTTP_CLIENT_ERROR, &site)
    }

    #[test]
    fn what_a_feed_lists_and_is_gone_fails() {
        let tallied = feed("", "HTTP/1.1 404 X\n\n");
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
        assert_eq!(tallied.findings[0].cause, "https://example.com/x");
    }

    #[test]
    fn a_redirect_to_it_is_named() {
        let tallied = feed("", "HTTP/1.1 301 X\nLocation: /y\n\n");
        assert_eq!(tallied.affected, 1);
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(
            message.contains("https://example.com/x redirects to it"),
            "{message}"
        );
    }

    #[test]
    fn what_a_link_leads_to_is_told_by_another_check() {
        let gone = "HTTP/1.1 404 X\n\n";
        assert_eq!(feed("<a href=/x>x</a>", gone).affected, 0);
        let redirected = format!("{gone}\n=== /r\nHTTP/1.1 301 X\nLocation: /x\n\n");
        assert_eq!(feed("<a href=/r>r</a>", &redirected).affected, 0);
        let version = "<link rel=alternate hreflang=de href=/x>";
        assert_eq!(feed(version, gone).affected, 0);
    }

    #[test]
    fn what_a_sitemap_lists_is_told_by_another_check() {
        let site = "=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/x\n";
        assert_eq!(audit(&HTTP_CLIENT_ERROR, site).affected, 0);
    }

    #[test]
    fn refusals_and_errors_of_the_server_are_not_judged_here() {
        for status in [401, 403, 429] {
            let tallied = feed("", &format!("HTTP/1.1 {status} X\n\n"));
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{status}");
        }
        assert_eq!(feed("", "HTTP/1.1 500 X\n\n").affected, 0);
    }
}
