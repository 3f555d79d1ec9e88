//! Linked pages may be indexed.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::common::robots::googlebot::Closed;
use crate::common::robots::noindex::{Sitewide, sitewide};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No page that other pages of the site link to has `noindex` or `none` in a robots or
    /// Googlebot `meta` element or in an `X-Robots-Tag` header.
    ///
    /// ## Why it matters
    /// The page cannot be found in search engines, and after a while the links on it are not
    /// followed any more either.
    ///
    /// ## How to fix it
    /// If the page should be found, remove the instruction. If not, as for results of a search
    /// form or a page after login, leave the instruction: the finding then only says what search
    /// engines do not show.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a><a href="/fares">Fares</a>
    /// === /times
    /// <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Times – Island Line</title>
    /// === /fares
    /// <!doctype html><html lang="en"><title>Fares – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a><a href="/fares">Fares</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// === /fares
    /// <!doctype html><html lang="en"><title>Fares – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// Whether the instruction is meant cannot be known. Where it holds for the whole site,
    /// noindex-sitewide says so and this check stays silent, and where robots.txt hides it from
    /// Googlebot, robots-meta-unseen does. An `unavailable_after` date is not
    /// read.
    ///
    /// ## References
    /// - Google Search Central, Block Search indexing with noindex
    /// - Google Search Central, Robots meta tag, data-nosnippet, and X-Robots-Tag specifications
    NOINDEX_PAGE {
        id: "noindex-page",
        title: "Linked pages are kept out of search engines",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let sitewide = sitewide(site);
    if matches!(sitewide, Some(Sitewide::Majority(_))) {
        return;
    }
    let inlinks = Inlinks::landed(site);
    let closed = Closed::of(site);
    // A start page with noindex is noindex-sitewide's.
    for page in site.pages.iter().skip(usize::from(sitewide.is_some())) {
        let is_unseen = |closed: &Closed<'_>| closed.by(&page.url).is_some();
        let linked = inlinks
            .to(page.id)
            .filter(|_| !closed.as_ref().is_some_and(is_unseen));
        let outcome = match (&page.noindex, linked) {
            (Some(directive), Some(inlink)) => {
                Outcome::failed(vec![Evidence::here().snippet(directive).message(format!(
                    "The page is kept out of search engines by `{directive}`, and {} links to it.",
                    inlink.page.url
                ))])
            }
            (Some(_), None) => Outcome::NotApplicable,
            (None, _) => Outcome::Passed,
        };
        verdicts.judge(page.url.as_str(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    const NOINDEX: &str = "<meta name=robots content=none>";

    #[test]
    fn a_linked_page_with_noindex_fails() {
        let site = format!(
            "=== /\n<a href=/r>a</a><a href=/b>b</a>\n=== /r\nHTTP/1.1 302 X\nLocation: /a\n\n=== /a\n{NOINDEX}\n=== /b\nb"
        );
        let tallied = audit(&NOINDEX_PAGE, &site);
        assert_eq!((tallied.applicable, tallied.affected), (3, 1));
    }

    #[test]
    fn a_page_that_links_to_itself_alone_is_not_linked() {
        let site = format!(
            "=== /\n<a href=/b>b</a>\n=== /a\n{NOINDEX}<a href=/a>a</a>\n=== /b\nb\n=== /sitemap.txt\n\n=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://example.com/s.txt\n=== /s.txt\nHTTP/1.1 200 OK\n\nhttps://example.com/a"
        );
        let tallied = audit(&NOINDEX_PAGE, &site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn what_holds_for_the_whole_site_is_another_checks_finding() {
        let most = format!(
            "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\n{NOINDEX}\n=== /b\n{NOINDEX}"
        );
        assert_eq!(audit(&NOINDEX_PAGE, &most).applicable, 0);
        let home = format!("=== /\n{NOINDEX}<a href=/a>a</a>\n=== /a\n<a href=/>h</a>");
        assert_eq!(audit(&NOINDEX_PAGE, &home).affected, 0);
    }
}
