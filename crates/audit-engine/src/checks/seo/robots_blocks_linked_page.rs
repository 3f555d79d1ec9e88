//! Linked pages may be visited by search engines.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::common::robots::googlebot::Closed;
use crate::declare_check;
use crate::gather::robots::Rule;
use crate::site::Site;
use url::Url;

declare_check! {
    /// ## What it checks
    /// No URL of the site that a page links to is disallowed for Googlebot by robots.txt.
    ///
    /// ## Why it matters
    /// Search engines see the link but not the page. They cannot rank it by what it says, and may
    /// list its bare address all the same.
    ///
    /// ## How to fix it
    /// If the page should be found, remove or narrow the rule that the finding names. If it
    /// should not, allow the visit and put `noindex` on the page, or mark the links
    /// `rel="nofollow"`.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Disallow: /times
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Disallow: /drafts
    /// ```
    ///
    /// ## Limits
    /// Whether a rule is meant cannot be known. Only URLs on the origin of the start page are
    /// judged, and only links that are not marked `nofollow`. A robots.txt that closes the whole
    /// site is left to robots-blocks-all, URLs that a sitemap lists to sitemap-url-blocked, and pages
    /// with `noindex` to robots-meta-unseen.
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    /// - Google Search Central, Introduction to robots.txt
    ROBOTS_BLOCKS_LINKED_PAGE {
        id: "robots-blocks-linked-page",
        title: "Linked pages that robots.txt closes to search engines",
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
    let Some(closed) = Closed::of(site) else {
        return;
    };
    let inlinks = Inlinks::direct(site);
    for (id, entry) in site.urls.iter().filter(|(_, entry)| entry.internal) {
        let Some(inlink) = inlinks
            .to(id)
            .filter(|inlink| inlink.followed && !entry.in_sitemap)
        else {
            continue;
        };
        // What the page asks for itself is robots-meta-unseen's.
        let page = site.page_at(id);
        if page.is_some_and(|page| page.noindex.is_some()) {
            continue;
        }
        let Some(url) = Url::parse(&entry.url).ok().filter(|url| closed.covers(url)) else {
            continue;
        };
        let outcome = match closed.by(&url) {
            None => Outcome::Passed,
            Some(Rule { text, .. }) => Outcome::failed(vec![
                Evidence::here()
                    .message(format!(
                        "`Disallow: {text}` closes the page to Googlebot, and {} links to it.",
                        inlink.page.url
                    ))
                    .cause(
                        &**text,
                        format!("robots.txt closes linked pages: Disallow: {text}"),
                    ),
            ]),
        };
        verdicts.judge(&entry.url, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn robots(rules: &str) -> Tallied {
        let site = format!(
            "=== /\n<a href=/a>a</a><a href=/a/b>b</a><a href=/l rel=nofollow>l</a>\n=== /a\na\n=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\n{rules}"
        );
        audit(&ROBOTS_BLOCKS_LINKED_PAGE, &site)
    }

    #[test]
    fn open_pages_pass() {
        let tallied = robots("Disallow: /b");
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn one_rule_is_one_finding_whether_the_audit_may_enter_or_not() {
        let tallied = robots("Disallow: /a");
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
        assert_eq!(tallied.findings[0].cause, "/a");
    }

    #[test]
    fn links_marked_nofollow_are_meant() {
        assert_eq!(robots("Disallow: /l").affected, 0);
    }

    #[test]
    fn no_file_is_not_judged() {
        assert_eq!(
            audit(&ROBOTS_BLOCKS_LINKED_PAGE, "=== /\n<a href=/a>a</a>").applicable,
            0
        );
    }
}
