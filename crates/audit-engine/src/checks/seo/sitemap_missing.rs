//! The site has a sitemap.

use crate::check::{Evidence, Outcome};
use crate::common::urls::sitemap_urls::is_something_else;
use crate::declare_check;
use crate::site::{Site, SitemapFile};

declare_check! {
    /// ## What it checks
    /// A sitemap is listed in robots.txt, or stands at `/sitemap.xml` or `/sitemap_index.xml`.
    ///
    /// ## Why it matters
    /// A sitemap names all pages at once, so search engines find new and deep pages without
    /// having to come across a link.
    ///
    /// ## How to fix it
    /// Let the generator of the site or a plugin write `/sitemap.xml`, and name it in robots.txt:
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
    /// A small site whose pages all link to each other is found without one. A sitemap that was
    /// only sent to a search console is not seen. A sitemap that is there but broken is left to
    /// sitemap-invalid, and answers such as 403 or 500 are not judged.
    ///
    /// ## References
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Learn about sitemaps
    SITEMAP_MISSING {
        id: "sitemap-missing",
        title: "The site has no sitemap",
        dimension: Seo,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let files = &site.sitemaps;
    let is_there = |file: &&SitemapFile| file.sitemap.is_some() && !is_something_else(file);
    if files.iter().any(|file| is_there(&file)) {
        return Outcome::Passed;
    }
    let is_absent =
        |file: &SitemapFile| is_something_else(file) || matches!(file.status, Some(404 | 410));
    if !files.iter().all(is_absent) {
        return Outcome::CannotTell("A sitemap was looked for, and the server refused or failed.");
    }
    let listed: Vec<&str> = files
        .iter()
        .filter(|file| file.listed_in_robots)
        .map(|file| file.url.as_str())
        .collect();
    Outcome::failed(vec![if listed.is_empty() {
        Evidence::here()
            .message("There is no sitemap in robots.txt, at /sitemap.xml or at /sitemap_index.xml.")
    } else {
        Evidence::here().message(format!(
            "robots.txt lists {}, which does not exist.",
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
    fn one_at_a_usual_place_passes() {
        assert_eq!(
            site(&format!("=== /sitemap_index.xml\n{SITEMAP}")).affected,
            0
        );
    }

    #[test]
    fn one_that_robots_txt_lists_passes() {
        let sections = format!(
            "=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://example.com/s.txt\n=== /s.txt\n{SITEMAP}"
        );
        assert_eq!(
            (site(&sections).applicable, site(&sections).affected),
            (1, 0)
        );
    }

    #[test]
    fn none_fails() {
        assert_eq!(site("").affected, 1);
    }

    #[test]
    fn a_listed_one_that_does_not_exist_fails() {
        let tallied =
            site("=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://example.com/s.xml");
        assert!(tallied.findings[0].occurrences[0].message.contains("s.xml"));
    }

    #[test]
    fn a_page_in_its_place_is_none() {
        assert_eq!(
            site("=== /sitemap.xml\n<!doctype html><html lang=en><title>App</title><p>x</html>")
                .affected,
            1
        );
    }

    #[test]
    fn a_broken_one_is_another_checks_question() {
        assert_eq!(
            site("=== /sitemap.xml\nHTTP/1.1 200 OK\n\n<urlset><url>").affected,
            0
        );
    }

    #[test]
    fn one_that_must_not_be_asked_for_may_be_there() {
        let forbidden = "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /sitemap";
        assert_eq!(site(forbidden).applicable, 0);
    }

    #[test]
    fn a_refusal_is_not_judged() {
        assert_eq!(site("=== /sitemap.xml\nHTTP/1.1 403 No\n\n").applicable, 0);
    }
}
