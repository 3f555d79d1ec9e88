//! The site has a sitemap.

use crate::address::at_origin;
use crate::check::{Evidence, Outcome};
use crate::common::urls::sitemap_urls::is_something_else;
use crate::declare_check;
use crate::site::{Site, SitemapFile};

declare_check! {
    /// ## What it checks
    /// robots.txt lists a sitemap, or a sitemap exists at `/sitemap.xml` or `/sitemap_index.xml`.
    ///
    /// ## Why it matters
    /// A sitemap lists all pages in one place, so search engines find new and deep pages without a
    /// link to them.
    ///
    /// ## How to fix it
    /// Generate `/sitemap.xml` with the site generator or a plugin, and list it in robots.txt:
    /// `Sitemap: https://example.com/sitemap.xml`.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// ```
    /// Use instead:
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
    /// </urlset>
    /// ```
    ///
    /// ## Limits
    /// The severity is minor, because search engines find linked pages without a sitemap; `orphan-page` and
    /// `click-depth-high` report pages that are hard to find.
    ///
    /// Search engines can find all pages of a small, well-linked site without a sitemap. The check
    /// does not see a sitemap that was only submitted to a search console. `sitemap-invalid`
    /// reports a sitemap that exists but is not valid. The check does not evaluate responses such
    /// as 403 or 500.
    ///
    /// ## Also known as
    /// - Semrush: Sitemap.xml not found
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Learn about sitemaps
    SITEMAP_MISSING {
        id: "sitemap-missing",
        title: "Missing sitemap",
        dimension: Seo,
        scope: Origin,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let files = &site.sitemaps;
    let exists = |file: &&SitemapFile| file.sitemap.is_some() && !is_something_else(file);
    if files.iter().any(|file| exists(&file)) {
        return Outcome::Passed;
    }
    let is_absent =
        |file: &SitemapFile| is_something_else(file) || matches!(file.status, Some(404 | 410));
    if !files.iter().all(is_absent) {
        return Outcome::CannotTell(
            "The server refused the request for a sitemap or returned an error.",
        );
    }
    let listed: Vec<&str> = files
        .iter()
        .filter(|file| file.listed_in_robots)
        .map(|file| file.url.as_str())
        .collect();
    Outcome::failed(vec![if listed.is_empty() {
        Evidence::here().message(format!(
            "robots.txt lists no sitemap, and none exists at /sitemap.xml or /sitemap_index.xml; expected a sitemap at {sitemap}, and the line `Sitemap: {sitemap}` in robots.txt.",
            sitemap = at_origin(&site.start, "/sitemap.xml")
        ))
    } else {
        Evidence::here().message(format!(
            "robots.txt lists the sitemap {}, which does not exist.",
            listed.join(", ")
        ))
    }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const SITEMAP: &str = "HTTP/1.1 200 OK\n\nhttps://example.com/";

    fn site(sections: &str) -> Tallied {
        audit(&SITEMAP_MISSING, &format!("=== /\nx\n{sections}"))
    }

    #[test]
    fn a_sitemap_at_a_default_location_passes() {
        assert_eq!(
            site(&format!("=== /sitemap_index.xml\n{SITEMAP}")).affected,
            0
        );
    }

    #[test]
    fn a_sitemap_that_robots_txt_lists_passes() {
        let sections = format!(
            "=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://example.com/s.txt\n=== /s.txt\n{SITEMAP}"
        );
        assert_eq!(
            (site(&sections).applicable, site(&sections).affected),
            (1, 0)
        );
    }

    #[test]
    fn a_site_without_sitemap_fails() {
        assert_eq!(site("").affected, 1);
    }

    #[test]
    fn a_listed_sitemap_that_does_not_exist_fails() {
        let tallied =
            site("=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://example.com/s.xml");
        assert!(tallied.findings[0].occurrences[0].message.contains("s.xml"));
    }

    #[test]
    fn an_html_page_at_the_default_location_fails() {
        assert_eq!(
            site("=== /sitemap.xml\n<!doctype html><html lang=en><title>App</title><p>x</html>")
                .affected,
            1
        );
    }

    #[test]
    fn an_invalid_sitemap_is_left_to_sitemap_invalid() {
        assert_eq!(
            site("=== /sitemap.xml\nHTTP/1.1 200 OK\n\n<urlset><url>").affected,
            0
        );
    }

    #[test]
    fn a_location_that_robots_txt_blocks_cannot_tell() {
        let forbidden = "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /sitemap";
        assert_eq!(site(forbidden).applicable, 0);
    }

    #[test]
    fn status_403_cannot_tell() {
        assert_eq!(site("=== /sitemap.xml\nHTTP/1.1 403 No\n\n").applicable, 0);
    }
}
