//! The start page and most pages have no noindex.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::common::robots::noindex::{Sitewide, sitewide};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page has no `noindex`, and no more than half of the pages have one. The directive
    /// can be in a robots `meta` element or in an `X-Robots-Tag` header.
    ///
    /// ## Why it matters
    /// Search engines remove the pages from their results. This usually happens when a setting of
    /// the staging system is deployed to production.
    ///
    /// ## How to fix it
    /// Delete `noindex` from the template, or the `X-Robots-Tag` header from the server configuration. In a content
    /// management system, look for a setting such as “Discourage search engines”.
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
    /// A site that should not appear in search results, such as an internal one, fails this check too:
    /// accept the finding with a waiver. The check counts only crawled pages.
    ///
    /// ## Also known as
    /// - Lighthouse: `is-crawlable`
    /// - Search Console: Excluded by ‘noindex’ tag
    /// - Common name: Noindex left over from staging
    ///
    /// ## References
    /// - Google Search Central, Block Search indexing with noindex
    /// - Lighthouse audit is-crawlable
    NOINDEX_SITEWIDE {
        id: "noindex-sitewide",
        title: "Start page or most pages have noindex",
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
                    "The start page has `{directive}`, which blocks indexing."
                )),
        ]),
        Some(Sitewide::Majority(count)) => {
            Outcome::failed(vec![Evidence::here().message(format!(
                "{} of {} pages have noindex; expected no more than half.",
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
    fn noindex_on_the_start_page_fails() {
        assert_eq!(
            audit(&NOINDEX_SITEWIDE, &format!("=== /\n{NOINDEX}")).affected,
            1
        );
    }

    #[test]
    fn noindex_on_more_than_half_of_the_pages_fails() {
        let home = "=== /\n<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>";
        let two = format!("{home}\n=== /a\n{NOINDEX}\n=== /b\n{NOINDEX}\n=== /c\nc");
        assert_eq!(audit(&NOINDEX_SITEWIDE, &two).affected, 0);
        let three = format!("{home}\n=== /a\n{NOINDEX}\n=== /b\n{NOINDEX}\n=== /c\n{NOINDEX}");
        assert_eq!(audit(&NOINDEX_SITEWIDE, &three).affected, 1);
    }
}
