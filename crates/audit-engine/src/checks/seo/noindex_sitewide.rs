//! Search engines may index the site.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::common::robots::noindex::{Sitewide, sitewide};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page has no `noindex`, and no more than half of the pages have one, be it in a
    /// robots `meta` element or in an `X-Robots-Tag` header.
    ///
    /// ## Why it matters
    /// The pages disappear from search results. This happens when a setting for the test system
    /// goes live with the site.
    ///
    /// ## How to fix it
    /// Remove `noindex` from the template, or the `X-Robots-Tag` header from the configuration of
    /// the server. In a content management system look for a setting such as “Discourage search
    /// engines”.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// X-Robots-Tag: noindex
    ///
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// A site that is not meant to be found, such as an internal one, fails this check on
    /// purpose. Only pages that were crawled are counted.
    ///
    /// ## References
    /// - Google Search Central, Block Search indexing with noindex
    /// - Lighthouse audit is-crawlable
    NOINDEX_SITEWIDE {
        id: "noindex-sitewide",
        title: "Search engines are told not to index the site",
        dimension: Seo,
        scope: Site,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::NotApplicable;
    };
    match sitewide(site) {
        None => Outcome::Passed,
        Some(Sitewide::Home(directive)) => Outcome::failed(vec![
            Evidence::here()
                .at(home.url.as_str())
                .snippet(directive)
                .message(format!(
                    "The start page is kept out of search engines by `{directive}`."
                )),
        ]),
        Some(Sitewide::Majority(count)) => {
            Outcome::failed(vec![Evidence::here().message(format!(
                "{} of {} pages are kept out of search engines by noindex.",
                grouped(count),
                grouped(site.pages.len())
            ))])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    const NOINDEX: &str = "<meta name=robots content=noindex>";

    #[test]
    fn a_site_without_noindex_passes() {
        let tallied = audit(&NOINDEX_SITEWIDE, "=== /\n<a href=/a>a</a>\n=== /a\na");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn the_start_page_decides() {
        assert_eq!(
            audit(&NOINDEX_SITEWIDE, &format!("=== /\n{NOINDEX}")).affected,
            1
        );
    }

    #[test]
    fn so_does_the_majority_of_pages() {
        let home = "=== /\n<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>";
        let two = format!("{home}\n=== /a\n{NOINDEX}\n=== /b\n{NOINDEX}\n=== /c\nc");
        assert_eq!(audit(&NOINDEX_SITEWIDE, &two).affected, 0);
        let three = format!("{home}\n=== /a\n{NOINDEX}\n=== /b\n{NOINDEX}\n=== /c\n{NOINDEX}");
        assert_eq!(audit(&NOINDEX_SITEWIDE, &three).affected, 1);
    }
}
