//! Googlebot can crawl pages that have noindex.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::robots::googlebot::Closed;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// robots.txt does not block Googlebot from any page with `noindex` or `none` in a robots directive.
    ///
    /// ## Why it matters
    /// Search engines obey robots.txt first and never fetch the page, so they do not see `noindex`. The bare URL
    /// of the page may appear in search results anyway.
    ///
    /// ## How to fix it
    /// Decide between the two. If the page must not appear in search results, allow crawling in robots.txt and keep
    /// `noindex`. If crawlers do not need to fetch the page, remove `noindex`.
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
    /// The audit also obeys robots.txt. It sees such pages only if the rules allow the audit and
    /// block Googlebot, or if it is configured to ignore robots.txt. The check evaluates only pages
    /// on the origin of the start page. `robots-blocks-all` reports a robots.txt that blocks the
    /// whole site. `robots-blocks-linked-page`, `sitemap-url-blocked` and `noindex-page` do not
    /// report the pages that this check reports.
    ///
    /// ## Also known as
    /// - Search Console: Indexed, though blocked by robots.txt
    ///
    /// ## References
    /// - Google Search Central, Block Search indexing with noindex
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    ROBOTS_META_UNSEEN {
        id: "robots-meta-unseen",
        title: "Pages with noindex are blocked by robots.txt",
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
    let Some(blocked) = Closed::new(site) else {
        return;
    };
    for page in site.pages.iter().filter(|page| blocked.covers(&page.url)) {
        let Some(directive) = &page.noindex else {
            continue;
        };
        let outcome = match blocked.by(&page.url) {
            None => Outcome::Passed,
            Some(rule) => Outcome::failed(vec![
                Evidence::here()
                    .snippet(directive)
                    .message(format!(
                        "The page has `{directive}`, but line {} of robots.txt, `Disallow: {}`, blocks Googlebot from reading it.",
                        rule.line, rule.text
                    ))
                    .cause(
                        &*rule.text,
                        format!("robots.txt blocks pages with noindex: Disallow: {}", rule.text),
                    ),
            ]),
        };
        verdicts.record(page.url.as_str(), outcome);
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
    fn a_page_that_googlebot_may_crawl_passes() {
        let tallied = robots(&ROBOTS_META_UNSEEN, "User-agent: Googlebot\nDisallow: /x");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_blocked_page_fails_with_its_rule_as_cause() {
        let tallied = robots(&ROBOTS_META_UNSEEN, "User-agent: Googlebot\nDisallow: /a");
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        assert_eq!(tallied.findings[0].cause, "/a");
    }

    #[test]
    fn a_more_specific_allow_rule_passes() {
        let rules = "User-agent: Googlebot\nDisallow: /\nAllow: /a\nAllow: /b";
        assert_eq!(robots(&ROBOTS_META_UNSEEN, rules).affected, 0);
    }

    #[test]
    fn other_checks_do_not_report_the_page_again() {
        let rules = "User-agent: Googlebot\nDisallow: /a";
        for id in ["robots-blocks-linked-page", "noindex-page"] {
            assert_eq!(robots(find(id).unwrap(), rules).affected, 0, "{id}");
        }
    }

    #[test]
    fn a_page_that_robots_txt_blocks_for_the_audit_is_not_applicable() {
        let tallied = robots(&ROBOTS_META_UNSEEN, "User-agent: *\nDisallow: /a");
        assert_eq!(tallied.applicable, 0);
    }

    #[test]
    fn a_site_that_is_blocked_completely_is_left_to_robots_blocks_all() {
        let rules = "User-agent: Googlebot\nDisallow: /";
        assert_eq!(robots(&ROBOTS_META_UNSEEN, rules).applicable, 0);
    }
}
