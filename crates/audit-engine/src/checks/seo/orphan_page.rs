//! Every indexable page has an internal link to it.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Every indexable page except the start page has at least one link from another page of the
    /// site. Links through redirects count.
    ///
    /// ## Why it matters
    /// Visitors cannot navigate to an orphan page, and search engines consider it unimportant even
    /// if a sitemap lists it.
    ///
    /// ## How to fix it
    /// Link to the page from related pages, or remove the page and its entry in the sitemap.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
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
    /// The crawler finds an orphan page only if a sitemap or a feed lists it. The check runs only
    /// if the crawl is complete. In static mode, it does not see links that scripts add.
    ///
    /// ## Also known as
    /// - Screaming Frog: Sitemaps: Orphan URLs
    ///
    /// ## References
    /// - Google Search Central, Link best practices for Google
    ORPHAN_PAGE {
        id: "orphan-page",
        title: "Orphan pages",
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
    let inlinks = Inlinks::landed(site);
    for page in site.pages.iter().skip(1).filter(|page| page.is_indexable()) {
        // If a redirect of the start URL ends at this page, the page has a depth but no inbound link.
        let linked = page.depth.is_some() || inlinks.to(page.id).is_some();
        verdicts.record(
            page.url.as_str(),
            Outcome::pass_if(linked, || {
                Evidence::here()
                    .message("A sitemap lists this page, but no other page links to it.")
            }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    const SITEMAP: &str =
        "=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/a\nhttps://example.com/b";

    #[test]
    fn linked_pages_pass_also_through_redirects() {
        let site = format!(
            "=== /\n<a href=/a>a</a><a href=/r>r</a>\n=== /a\na\n=== /r\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nb\n{SITEMAP}"
        );
        let tallied = audit(&ORPHAN_PAGE, &site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn a_page_that_only_the_sitemap_lists_fails() {
        let site =
            format!("=== /\n<a href=/a>a</a>\n=== /a\na\n=== /b\n<a href=/b>me</a>\n{SITEMAP}");
        assert_eq!(audit(&ORPHAN_PAGE, &site).affected, 1);
    }

    #[test]
    fn a_page_that_an_orphan_links_to_passes() {
        let site = format!("=== /\nx\n=== /a\n<a href=/b>b</a>\n=== /b\nb\n{SITEMAP}");
        assert_eq!(audit(&ORPHAN_PAGE, &site).affected, 1);
    }

    #[test]
    fn a_page_with_noindex_that_a_sitemap_lists_fails() {
        let site = format!("=== /\nx\n=== /a\n<meta name=robots content=noindex>\n{SITEMAP}");
        let tallied = audit(&ORPHAN_PAGE, &site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
    }
}
