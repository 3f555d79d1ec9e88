//! Linked pages have no noindex.

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
    /// Search engines do not show the page in results. After a while they also stop following the
    /// links on it.
    ///
    /// ## How to fix it
    /// Remove the directive if the page should appear in search results. Keep it if the page should not appear, such
    /// as a page of search results or a page behind a login: the note then only says which pages search engines do
    /// not show.
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
    /// The finding never affects the score, because the check cannot know whether the directive is intended. Where
    /// something contradicts it, another check reports a mistake: `noindex-sitewide` if it applies to the start page or
    /// to most pages, `sitemap-url-noindex` if a sitemap lists the page, `robots-meta-conflict` if another directive
    /// allows indexing, `canonical-to-noindex` if the page is the canonical URL of others. If robots.txt blocks the page
    /// for Googlebot, `robots-meta-unseen` reports it. The check does not evaluate `unavailable_after` dates.
    ///
    /// ## Also known as
    /// - Lighthouse: `is-crawlable`
    /// - Search Console: Excluded by ‘noindex’ tag
    /// - Screaming Frog: Directives: Noindex
    ///
    /// ## References
    /// - Google Search Central, Block Search indexing with noindex
    /// - Google Search Central, Robots meta tag, data-nosnippet, and X-Robots-Tag specifications
    NOINDEX_PAGE {
        id: "noindex-page",
        title: "Linked pages with noindex",
        dimension: Seo,
        scope: Page,
        severity: Info,
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
    let blocked = Closed::new(site);
    // noindex-sitewide reports a start page with noindex.
    for page in site.pages.iter().skip(usize::from(sitewide.is_some())) {
        let is_unseen = |blocked: &Closed<'_>| blocked.by(&page.url).is_some();
        let linked = inlinks
            .to(page.id)
            .filter(|_| !blocked.as_ref().is_some_and(is_unseen));
        let outcome = match (&page.noindex, linked) {
            (Some(directive), Some(inlink)) => {
                Outcome::failed(vec![Evidence::here().snippet(directive).message(format!(
                    "The page has `{directive}`, which blocks indexing, and {} links to it.",
                    inlink.page.url
                ))])
            }
            (Some(_), None) => Outcome::NotApplicable,
            (None, _) => Outcome::Passed,
        };
        verdicts.record(page.url.as_str(), outcome);
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
    fn a_link_from_the_page_to_itself_does_not_count() {
        let site = format!(
            "=== /\n<a href=/b>b</a>\n=== /a\n{NOINDEX}<a href=/a>a</a>\n=== /b\nb\n=== /sitemap.txt\n\n=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://example.com/s.txt\n=== /s.txt\nHTTP/1.1 200 OK\n\nhttps://example.com/a"
        );
        let tallied = audit(&NOINDEX_PAGE, &site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn a_sitewide_noindex_is_left_to_noindex_sitewide() {
        let most = format!(
            "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\n{NOINDEX}\n=== /b\n{NOINDEX}"
        );
        assert_eq!(audit(&NOINDEX_PAGE, &most).applicable, 0);
        let home = format!("=== /\n{NOINDEX}<a href=/a>a</a>\n=== /a\n<a href=/>h</a>");
        assert_eq!(audit(&NOINDEX_PAGE, &home).affected, 0);
    }
}
