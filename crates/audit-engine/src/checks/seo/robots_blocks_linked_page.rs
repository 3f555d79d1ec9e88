//! Linked pages may be visited by search engines.

use crate::address::path_and_query;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::googlebot::{GOOGLEBOT, blocks_all};
use crate::common::inlinks::Inlinks;
use crate::declare_check;
use crate::gather::robots::RobotsPath;
use crate::site::Site;
use url::Url;

declare_check! {
    /// ## What it checks
    /// No URL of the site that a page links to or a sitemap lists is disallowed for Googlebot by
    /// robots.txt.
    ///
    /// ## Why it matters
    /// Search engines see the link but not the page. They cannot rank it by what it says, and may
    /// list its bare address all the same.
    ///
    /// ## How to fix it
    /// If the page should be found, remove or narrow the rule that the finding names. If it
    /// should not, allow the visit and put `noindex` on the page, or mark the links
    /// `rel="nofollow"` and take it off the sitemap.
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
    /// site is left to robots-blocks-all.
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

fn evaluate(site: &Site, verdicts: &mut Verdicts) {
    let Some(robots) = site.robots.robots().filter(|_| !blocks_all(site)) else {
        return;
    };
    let group = robots.group_for(GOOGLEBOT);
    let inlinks = Inlinks::direct(site);
    for (id, entry) in site.urls.iter().filter(|(_, entry)| entry.internal) {
        let inlink = inlinks.to(id).filter(|inlink| inlink.followed);
        if inlink.is_none() && !entry.in_sitemap {
            continue;
        }
        let Some(url) = Url::parse(&entry.url)
            .ok()
            .filter(|url| url.origin() == site.start.origin())
        else {
            continue;
        };
        let path = RobotsPath::new(&path_and_query(&url));
        let outcome = Outcome::of(group.is_allowed(&path), || {
            let place = inlink.map_or_else(
                || "a sitemap lists it".to_owned(),
                |inlink| format!("{} links to it", inlink.page.url),
            );
            let rule = group.deciding_rule(&path).map_or("/", |rule| &rule.text);
            Evidence::here()
                .message(format!(
                    "`Disallow: {rule}` closes the page to Googlebot, and {place}."
                ))
                .cause(
                    rule,
                    format!("robots.txt closes linked pages: Disallow: {rule}"),
                )
        });
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
