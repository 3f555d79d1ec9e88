//! URLs in the sitemap have no noindex.

use crate::check::{Extent, Outcome, Verdicts};
use crate::common::robots::noindex::{Sitewide, sitewide};
use crate::common::urls::sitemap_urls::{Listed, listed_urls};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No page of the site that a sitemap lists has `noindex` or `none` in a robots directive.
    ///
    /// ## Why it matters
    /// The sitemap submits the page for indexing, but the page has `noindex`. One of the two is a
    /// mistake.
    ///
    /// ## How to fix it
    /// Take the page out of the sitemap, or remove its `noindex` if it should appear in search results.
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
    /// <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Times</title>
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
    /// The check does not evaluate pages that the crawler skipped because of the limits of the
    /// audit. If most pages of the site have `noindex`, `noindex-sitewide` reports it instead.
    ///
    /// ## Also known as
    /// - Search Console: Excluded by ‘noindex’ tag
    /// - Screaming Frog: Sitemaps: Non-Indexable URLs in Sitemap
    ///
    /// ## References
    /// - Google Search Central, Block Search indexing with noindex
    /// - sitemaps.org, Sitemaps XML format
    SITEMAP_URL_NOINDEX {
        id: "sitemap-url-noindex",
        title: "Sitemap URLs with noindex",
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
    if matches!(sitewide(site), Some(Sitewide::Majority(_))) {
        return;
    }
    for listed in listed_urls(site) {
        let Some(defect) = noindex_directive(site, &listed) else {
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

/// The noindex of the page, if any. The outer `None` means that the URL is not an audited page.
fn noindex_directive(site: &Site, listed: &Listed<'_>) -> Option<Option<String>> {
    let page = site.page_at(listed.id)?;
    Some(
        page.noindex
            .as_ref()
            .map(|directive| format!("has `{directive}`, which blocks indexing")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn listed(answer: &str) -> Tallied {
        let site = format!(
            "=== /\nx\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/\nhttps://example.com/x\n=== /x\n{answer}"
        );
        audit(&SITEMAP_URL_NOINDEX, &site)
    }

    #[test]
    fn a_sitewide_noindex_is_left_to_noindex_sitewide() {
        let page = "<meta name=robots content=noindex><a href=/>x</a>";
        let site = format!(
            "=== /\n{page}\n=== /times\n{page}\n=== /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n\
             <urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc></url>\
             <url><loc>https://example.com/times</loc></url></urlset>"
        );
        assert_eq!(audit(&SITEMAP_URL_NOINDEX, &site).affected, 0);
    }

    #[test]
    fn pages_pass_and_errors_are_not_applicable() {
        assert_eq!((listed("x").applicable, listed("x").affected), (2, 0));
        assert_eq!(listed("HTTP/1.1 404 X\n\n").applicable, 1);
    }

    #[test]
    fn a_page_with_noindex_fails() {
        assert_eq!(
            listed("<meta name=robots content='noindex,follow'>").affected,
            1
        );
    }

    #[test]
    fn a_site_without_sitemap_is_not_applicable() {
        assert_eq!(
            audit(&SITEMAP_URL_NOINDEX, "=== /\n<a href=/x>x</a>").applicable,
            0
        );
    }
}
