//! URLs in the sitemap do not redirect.

use crate::check::{Outcome, Verdicts};
use crate::common::urls::sitemap_urls::{Listed, listed_urls};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No URL of the site that a sitemap lists returns a redirect.
    ///
    /// ## Why it matters
    /// A sitemap should list the URLs that appear in search results, and a URL that redirects never
    /// appears there.
    ///
    /// ## How to fix it
    /// Replace the entry with the URL at which the redirect ends. Check that the base URL of the generator has the
    /// correct scheme, host and trailing slash.
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
    /// === /times
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /timetable
    ///
    /// === /timetable
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
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
    /// The check does not evaluate URLs that the crawler skipped because of the limits of the
    /// audit.
    ///
    /// ## Also known as
    /// - Screaming Frog: Sitemaps: Non-Indexable URLs in Sitemap
    /// - Search Console: Page with redirect
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Build and submit a sitemap
    SITEMAP_URL_REDIRECT {
        id: "sitemap-url-redirect",
        title: "Sitemap URLs that redirect",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for listed in listed_urls(site) {
        let Some(defect) = redirect(site, &listed) else {
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
                ]),
            },
        );
    }
}

/// The redirect of the URL, if any. The outer `None` means that the URL has no response.
fn redirect(site: &Site, listed: &Listed<'_>) -> Option<Option<String>> {
    let answer = listed.url.answer()?;
    Some(answer.location.map(|to| {
        format!(
            "returns status {} and redirects to {}",
            answer.status,
            site.urls.url(to)
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn listed(answer: &str) -> Tallied {
        let site = format!(
            "=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/\nhttps://example.com/x\n=== /x\n{answer}"
        );
        audit(&SITEMAP_URL_REDIRECT, &site)
    }

    #[test]
    fn pages_and_errors_pass() {
        assert_eq!((listed("x").applicable, listed("x").affected), (2, 0));
        assert_eq!(listed("HTTP/1.1 404 X\n\n").affected, 0);
    }

    #[test]
    fn a_redirect_fails() {
        assert_eq!(listed("HTTP/1.1 302 X\nLocation: /\n").affected, 1);
    }

    #[test]
    fn a_site_without_sitemap_is_not_applicable() {
        assert_eq!(
            audit(&SITEMAP_URL_REDIRECT, "=== /\n<a href=/x>x</a>").applicable,
            0
        );
    }
}
