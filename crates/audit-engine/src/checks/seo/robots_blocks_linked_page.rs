//! robots.txt does not block linked pages.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::inlinks::Inlinks;
use crate::common::robots::googlebot::Closed;
use crate::declare_check;
use crate::gather::robots::Rule;
use crate::site::Site;
use url::Url;

declare_check! {
    /// ## What it checks
    /// robots.txt allows Googlebot to crawl every URL of the site that a page links to.
    ///
    /// ## Why it matters
    /// Search engines see the link but cannot crawl the page. They cannot rank it by its content, and
    /// may list its bare URL anyway.
    ///
    /// ## How to fix it
    /// Narrow or remove the `Disallow` rule if the page should appear in search results. Otherwise allow crawling and
    /// add `noindex` to the page, or add `rel="nofollow"` to the links.
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
    /// The check cannot know whether a rule is intended. It evaluates only URLs on the origin of
    /// the start page and only links without `nofollow`. `robots-blocks-all` reports a robots.txt
    /// that blocks the whole site, `sitemap-url-blocked` reports URLs that a sitemap lists, and
    /// `robots-meta-unseen` reports pages with `noindex`.
    ///
    /// ## Also known as
    /// - Search Console: Blocked by robots.txt
    /// - Screaming Frog: Response Codes: Internal Blocked by Robots.txt
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    /// - Google Search Central, Introduction to robots.txt
    ROBOTS_BLOCKS_LINKED_PAGE {
        id: "robots-blocks-linked-page",
        title: "Linked pages blocked by robots.txt",
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
    let Some(blocked) = Closed::new(site) else {
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
        // robots-meta-unseen reports pages with noindex.
        let page = site.page_at(id);
        if page.is_some_and(|page| page.noindex.is_some()) {
            continue;
        }
        let Some(url) = Url::parse(&entry.url)
            .ok()
            .filter(|url| blocked.covers(url))
        else {
            continue;
        };
        let outcome = match blocked.by(&url) {
            None => Outcome::Passed,
            Some(Rule { text, .. }) => Outcome::failed(vec![
                Evidence::here()
                    .message(format!(
                        "`Disallow: {text}` blocks the page for Googlebot, and {} links to it.",
                        inlink.page.url
                    ))
                    .cause(
                        &**text,
                        format!("robots.txt blocks linked pages: Disallow: {text}"),
                    ),
            ]),
        };
        verdicts.record(&entry.url, outcome);
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
    fn pages_that_no_rule_blocks_pass() {
        let tallied = robots("Disallow: /b");
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn one_rule_is_one_finding_for_all_pages_that_it_blocks() {
        let tallied = robots("Disallow: /a");
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
        assert_eq!(tallied.findings[0].cause, "/a");
    }

    #[test]
    fn links_with_nofollow_do_not_count() {
        assert_eq!(robots("Disallow: /l").affected, 0);
    }

    #[test]
    fn a_missing_robots_txt_is_not_applicable() {
        assert_eq!(
            audit(&ROBOTS_BLOCKS_LINKED_PAGE, "=== /\n<a href=/a>a</a>").applicable,
            0
        );
    }
}
