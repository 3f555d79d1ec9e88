//! Sitemaps list every indexable page.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::urls::sitemap_urls::listed_urls;
use crate::declare_check;
use crate::site::Site;
use crate::site::SitemapFile;

declare_check! {
    /// ## What it checks
    /// On a site with sitemaps, every crawled page that search engines may index is listed in at
    /// least one sitemap.
    ///
    /// ## Why it matters
    /// Search engines discover a page that is not in a sitemap later or never, and receive no
    /// notice when it changes.
    ///
    /// ## How to fix it
    /// Configure the sitemap generator to include the missing pages. If they should not appear in
    /// search results, add `noindex` or a canonical URL that points to another page.
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
    /// </urlset>
    /// === /times
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
    /// The check runs only if the crawl is complete and the crawler could read every sitemap
    /// completely. It does not compare sitemaps that list no URL of this site, as in a local copy
    /// of a published site.
    ///
    /// ## Also known as
    /// - Screaming Frog: Sitemaps: URLs Not In Sitemap
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Build and submit a sitemap
    SITEMAP_COVERAGE_GAP {
        id: "sitemap-coverage-gap",
        title: "Indexable pages not in the sitemap",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [CompleteCrawl],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    if listed_urls(site).next().is_none() {
        return;
    }
    if !site.sitemaps.iter().all(was_read) || site.sitemaps.len() >= MAX_FILES {
        return verdicts.cannot_tell("At least one sitemap could not be read completely.");
    }
    for page in site.pages.iter().filter(|page| page.is_indexable()) {
        let listed = site.urls.get(page.id).is_some_and(|entry| entry.in_sitemap);
        verdicts.record(
            page.url.as_str(),
            Outcome::pass_if(listed, || {
                Evidence::here().message("No sitemap lists this page.")
            }),
        );
    }
}

/// The maximum number of sitemap files that the crawler reads for a site.
const MAX_FILES: usize = 50;

/// Whether all entries of the file are known. A default location without a file has no entries.
fn was_read(file: &SitemapFile) -> bool {
    match &file.sitemap {
        Some(_) if file.unread.is_some() => false,
        Some(sitemap) => !sitemap.too_many && !sitemap.too_large && sitemap.problems.is_empty(),
        None => matches!(file.status, Some(404 | 410)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn site(listed: &str) -> Tallied {
        audit(
            &SITEMAP_COVERAGE_GAP,
            &format!(
                "=== /\n<a href=/a>a</a><a href=/n>n</a>\n=== /a\na\n=== /n\n<meta name=robots content=noindex>\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\n{listed}"
            ),
        )
    }

    #[test]
    fn listed_pages_pass_and_pages_with_noindex_are_not_required() {
        let tallied = site("https://example.com/\nhttps://example.com/a");
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn a_page_that_no_sitemap_lists_fails() {
        let tallied = site("https://example.com/");
        assert_eq!(tallied.affected, 1);
        assert_eq!(
            tallied.findings[0].occurrences[0].url,
            "https://example.com/a"
        );
    }

    #[test]
    fn a_sitemap_of_another_site_is_not_compared() {
        assert_eq!(site("https://docs.example.org/").applicable, 0);
    }

    #[test]
    fn a_truncated_sitemap_cannot_tell() {
        let tallied = site(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc></url><url>",
        );
        assert_eq!(tallied.applicable, 0);
        assert!(tallied.unjudged.is_some());
    }

    #[test]
    fn a_sitemap_that_was_not_read_cannot_tell() {
        let tallied = audit(
            &SITEMAP_COVERAGE_GAP,
            "=== /\n<a href=/a>a</a>\n=== /a\na\n=== /robots.txt\nHTTP/1.1 200 OK\n\n\
             Sitemap: https://example.com/a.txt\nSitemap: https://example.com/b.txt\n\
             User-agent: *\nDisallow: /b.txt\n\
             === /a.txt\nHTTP/1.1 200 OK\n\nhttps://example.com/",
        );
        assert_eq!(tallied.applicable, 0);
        assert!(tallied.unjudged.is_some());
    }

    #[test]
    fn a_site_without_sitemap_is_not_applicable() {
        assert_eq!(audit(&SITEMAP_COVERAGE_GAP, "=== /\nx").applicable, 0);
    }
}
