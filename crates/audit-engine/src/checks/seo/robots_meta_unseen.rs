//! Search engines can read an instruction not to index.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::robots::googlebot::Closed;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No page with `noindex` or `none` in a robots instruction is closed to Googlebot by robots.txt.
    ///
    /// ## Why it matters
    /// Search engines obey robots.txt first and never read the page, so they do not learn that it should not
    /// be shown. Its bare address may appear in search results all the same.
    ///
    /// ## How to fix it
    /// Decide for one of the two. For a page that must not appear in search results, allow the visit in
    /// robots.txt and keep `noindex`. For one that need not be visited, remove `noindex`.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/staff">Staff</a>
    /// === /staff
    /// <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Staff – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: Googlebot
    /// Disallow: /staff
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/staff">Staff</a>
    /// === /staff
    /// <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Staff – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Disallow: /drafts
    /// ```
    ///
    /// ## Limits
    /// The audit obeys robots.txt as well, so such pages are seen only where the rules let it in and keep
    /// Googlebot out, or where it was told to ignore them. Only pages on the origin of the start page are judged.
    /// A robots.txt that closes the whole site is left to robots-blocks-all. robots-blocks-linked-page,
    /// sitemap-url-blocked and noindex-page leave the pages that are found here to this check.
    ///
    /// ## References
    /// - Google Search Central, Block Search indexing with noindex
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    ROBOTS_META_UNSEEN {
        id: "robots-meta-unseen",
        title: "Pages with noindex that robots.txt closes",
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
    let Some(closed) = Closed::of(site) else {
        return;
    };
    for page in site.pages.iter().filter(|page| closed.covers(&page.url)) {
        let Some(directive) = &page.noindex else {
            continue;
        };
        let outcome = match closed.by(&page.url) {
            None => Outcome::Passed,
            Some(rule) => Outcome::failed(vec![
                Evidence::here()
                    .snippet(directive)
                    .message(format!(
                        "The page has `{directive}`, which Googlebot cannot read: line {} of robots.txt, `Disallow: {}`, closes it.",
                        rule.line, rule.text
                    ))
                    .cause(
                        &*rule.text,
                        format!("robots.txt hides the noindex of pages: Disallow: {}", rule.text),
                    ),
            ]),
        };
        verdicts.judge(page.url.as_str(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Check;
    use crate::check::testing::{Tallied, audit};
    use crate::checks::find;

    fn robots(check: &'static Check, rules: &str) -> Tallied {
        let site = format!(
            "=== /\n<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>\n=== /a\n<meta name=robots content=noindex>\n=== /b\nb\n=== /c\nc\n=== /robots.txt\nHTTP/1.1 200 OK\n\n{rules}"
        );
        audit(check, &site)
    }

    #[test]
    fn a_page_that_googlebot_may_visit_passes() {
        let tallied = robots(&ROBOTS_META_UNSEEN, "User-agent: Googlebot\nDisallow: /x");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_page_that_googlebot_may_not_visit_fails_by_its_rule() {
        let tallied = robots(&ROBOTS_META_UNSEEN, "User-agent: Googlebot\nDisallow: /a");
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        assert_eq!(tallied.findings[0].cause, "/a");
    }

    #[test]
    fn a_narrower_rule_may_open_the_page() {
        let rules = "User-agent: Googlebot\nDisallow: /\nAllow: /a\nAllow: /b";
        assert_eq!(robots(&ROBOTS_META_UNSEEN, rules).affected, 0);
    }

    #[test]
    fn no_other_check_tells_of_it_again() {
        let rules = "User-agent: Googlebot\nDisallow: /a";
        for id in ["robots-blocks-linked-page", "noindex-page"] {
            assert_eq!(robots(find(id).unwrap(), rules).affected, 0, "{id}");
        }
    }

    #[test]
    fn a_page_that_the_audit_may_not_visit_either_is_not_known() {
        let tallied = robots(&ROBOTS_META_UNSEEN, "User-agent: *\nDisallow: /a");
        assert_eq!(tallied.applicable, 0);
    }

    #[test]
    fn a_site_that_is_closed_as_a_whole_is_told_by_another_check() {
        let rules = "User-agent: Googlebot\nDisallow: /";
        assert_eq!(robots(&ROBOTS_META_UNSEEN, rules).applicable, 0);
    }
}
