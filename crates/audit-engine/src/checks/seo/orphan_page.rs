//! Every page is linked.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Every page that search engines may index, except the start page, is linked by another page
    /// of the site; redirects on the way count.
    ///
    /// ## Why it matters
    /// Visitors cannot get to the page, and search engines take it for unimportant even if a
    /// sitemap lists it.
    ///
    /// ## How to fix it
    /// Link the page from the pages it belongs to, or remove it and its entry in the sitemap.
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
    /// Pages are known by links and sitemaps only; one that neither names is never seen. Judged
    /// only when the crawl was complete. Links that scripts make are seen in rendered mode only.
    ///
    /// ## References
    /// - Google Search Central, Link best practices for Google
    ORPHAN_PAGE {
        id: "orphan-page",
        title: "Pages that no other page links to",
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
    for page in site.pages.iter().skip(1).filter(|page| page.indexable) {
        // Where a redirect of the start URL led here, the start page is not the first one linked.
        let linked = page.depth.is_some() || inlinks.to(page.id).is_some();
        verdicts.judge(
            page.url.as_str(),
            Outcome::of(linked, || {
                Evidence::here()
                    .message("A sitemap lists this page, and no other page links to it.")
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
    fn linked_pages_pass_and_redirects_count() {
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
    fn a_page_linked_by_an_orphan_is_none() {
        let site = format!("=== /\nx\n=== /a\n<a href=/b>b</a>\n=== /b\nb\n{SITEMAP}");
        assert_eq!(audit(&ORPHAN_PAGE, &site).affected, 1);
    }

    #[test]
    fn a_page_with_noindex_is_not_judged() {
        let site = format!("=== /\nx\n=== /a\n<meta name=robots content=noindex>\n{SITEMAP}");
        assert_eq!(audit(&ORPHAN_PAGE, &site).applicable, 0);
    }
}
