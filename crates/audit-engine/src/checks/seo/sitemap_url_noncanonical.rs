//! URLs in the sitemap are canonical.

use std::collections::HashSet;

use crate::address::{is_same_document, path_and_query};
use crate::check::{Outcome, Verdicts};
use crate::common::links::status::{LinkStatus, own_link_status};
use crate::common::urls::canonical::{pages_to_root, sole};
use crate::common::urls::sitemap_urls::listed_urls;
use crate::declare_check;
use crate::site::{PageFacts, Site, UrlId};
use url::Url;

declare_check! {
    /// ## What it checks
    /// No page of the site that a sitemap lists declares another URL of the site as its canonical URL.
    ///
    /// ## Why it matters
    /// The sitemap submits this page for indexing, but the page declares another URL as canonical. Crawling the
    /// page wastes crawl budget, and search engines trust the sitemap less.
    ///
    /// ## How to fix it
    /// List the canonical URL in the sitemap instead. If the page is correct and its canonical URL is wrong, correct
    /// the canonical URL.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/timetable">Timetable</a>
    /// === /timetable
    /// <!doctype html><html lang="en"><title>Timetable – Island Line</title>
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
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/timetable"><title>Timetable – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/timetable">Timetable</a>
    /// === /timetable
    /// <!doctype html><html lang="en"><title>Timetable – Island Line</title>
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
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/times"><title>Times – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// The check does not apply if the canonical URL itself is the problem: it is on another domain
    /// (`canonical-cross-host`), it is the root for many pages (`canonical-to-homepage`), or it is
    /// an error, a redirect back to the page or a page with `noindex` (`canonical-to-error`,
    /// `canonical-to-redirect`, `canonical-to-noindex`). The check does not evaluate pages that
    /// were not audited, that have `noindex` or that declare several canonical URLs.
    ///
    /// ## Also known as
    /// - Screaming Frog: Sitemaps: Non-Indexable URLs in Sitemap
    ///
    /// ## References
    /// - Google Search Central, Build and submit a sitemap
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    SITEMAP_URL_NONCANONICAL {
        id: "sitemap-url-noncanonical",
        title: "Non-canonical URLs in the sitemap",
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
    let to_root: HashSet<UrlId> = pages_to_root(site).iter().map(|page| page.id).collect();
    for listed in listed_urls(site) {
        let Some(page) = site.page_at(listed.id) else {
            continue;
        };
        if page.noindex.is_some() || to_root.contains(&page.id) {
            continue;
        }
        let outcome = match canonical(site, page) {
            Canonical::SelfReferencing => Outcome::Passed,
            Canonical::Unreliable => continue,
            Canonical::Other(other) => Outcome::failed(vec![listed.evidence().message(format!(
                "The sitemap lists {}, which declares {other} as its canonical URL.",
                page.url
            ))]),
        };
        verdicts.record(page.url.as_str(), outcome);
    }
}

enum Canonical {
    /// The page itself, or no canonical URL.
    SelfReferencing,
    Other(Url),
    /// A canonical URL that is itself faulty, or several canonical URLs.
    Unreliable,
}

fn canonical(site: &Site, page: &PageFacts) -> Canonical {
    if page.canonicals.is_empty() {
        return Canonical::SelfReferencing;
    }
    let Some(url) = sole(page) else {
        return Canonical::Unreliable;
    };
    // Local copies of public sites declare canonical URLs on the public host.
    let is_copy = site.loopback && path_and_query(&url) == path_and_query(&page.url);
    if is_copy || is_same_document(&url, &page.url) {
        return Canonical::SelfReferencing;
    }
    if !site.key.contains(&url) || is_faulty(site, page, &url) {
        return Canonical::Unreliable;
    }
    Canonical::Other(url)
}

fn is_faulty(site: &Site, page: &PageFacts, canonical: &Url) -> bool {
    let Some((id, entry)) = site.lookup(canonical) else {
        return false;
    };
    matches!(own_link_status(entry), LinkStatus::Broken(_))
        || site.urls.landing(id) == Some(page.id)
        || site
            .urls
            .landing(id)
            .and_then(|id| site.canonical_target(id))
            .is_some_and(|target| target.noindex.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn listed(head: &str, more: &str) -> Tallied {
        let site = format!(
            "=== /\n<a href=/b>b</a>\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/\nhttps://example.com/a\n=== /a\n{head}x\n{more}"
        );
        audit(&SITEMAP_URL_NONCANONICAL, &site)
    }

    fn named(url: &str, more: &str) -> (u64, u64) {
        let tallied = listed(&format!("<link rel=canonical href='{url}'>"), more);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn pages_with_a_self_referencing_or_no_canonical_pass() {
        assert_eq!(named("https://example.com/a", ""), (2, 0));
        assert_eq!(named("/a#top", ""), (2, 0));
        assert_eq!(listed("", "").affected, 0);
    }

    #[test]
    fn a_page_with_another_canonical_fails_at_its_sitemap_line() {
        assert_eq!(named("https://example.com/b", "=== /b\nb"), (2, 1));
        // No link leads to the canonical URL.
        assert_eq!(named("/unlinked", "=== /unlinked\nx"), (2, 1));
        let tallied = listed("<link rel=canonical href=/b>", "=== /b\nb");
        assert_eq!(tallied.findings[0].occurrences[0].line, Some(2));
    }

    #[test]
    fn a_faulty_canonical_url_is_not_applicable() {
        assert_eq!(named("https://example.org/a", ""), (1, 0));
        assert_eq!(named("/unlinked", ""), (1, 0));
        assert_eq!(
            named(
                "/unlinked",
                "=== /unlinked\n<meta name=robots content=noindex>"
            ),
            (1, 0)
        );
        assert_eq!(named("/b", "=== /b\nHTTP/1.1 404 X\n\n"), (1, 0));
        assert_eq!(
            named("/b", "=== /b\nHTTP/1.1 301 X\nLocation: /a\n\n"),
            (1, 0)
        );
        assert_eq!(
            named("/b", "=== /b\n<meta name=robots content=noindex>"),
            (1, 0)
        );
    }

    #[test]
    fn pages_with_noindex_or_several_canonical_urls_are_not_applicable() {
        let two = "<link rel=canonical href=/b><link rel=canonical href=/c>";
        assert_eq!(listed(two, "").applicable, 1);
        let noindex = "<meta name=robots content=noindex><link rel=canonical href=/b>";
        assert_eq!(listed(noindex, "").applicable, 1);
    }
}
