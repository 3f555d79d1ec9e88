//! URLs in the sitemap may be visited by search engines.

use crate::check::{Outcome, Verdicts};
use crate::common::robots::googlebot::Closed;
use crate::common::urls::sitemap_urls::listed_urls;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No URL of the site that a sitemap lists is disallowed for Googlebot by robots.txt.
    ///
    /// ## Why it matters
    /// The sitemap asks search engines to visit the page, and robots.txt forbids it. The page is not read, and at
    /// best its bare address is shown.
    ///
    /// ## How to fix it
    /// If the page should be found, remove or narrow the rule that the finding names. If not, remove the page from
    /// the sitemap.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// <url><loc>https://example.com/times</loc></url>
    /// </urlset>
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
    /// === /sitemap.xml
    /// HTTP/1.1 200 OK
    /// Content-Type: application/xml
    ///
    /// <?xml version="1.0" encoding="UTF-8"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    /// <url><loc>https://example.com/</loc></url>
    /// <url><loc>https://example.com/times</loc></url>
    /// </urlset>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Disallow: /drafts
    /// ```
    ///
    /// ## Limits
    /// Only URLs on the origin of the start page are judged. A robots.txt that closes the whole site is left to
    /// robots-blocks-all, and pages with `noindex` to sitemap-url-noindex and robots-meta-unseen. Pages that are
    /// linked and in no sitemap are told by robots-blocks-linked-page.
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Build and submit a sitemap
    SITEMAP_URL_BLOCKED {
        id: "sitemap-url-blocked",
        title: "The sitemap lists pages that robots.txt closes",
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
    for listed in listed_urls(site) {
        let Some(url) = listed.entry.url().filter(|url| closed.covers(url)) else {
            continue;
        };
        let page = site.page_at(listed.id);
        if page.is_some_and(|page| page.noindex.is_some()) {
            continue;
        }
        let outcome = match closed.by(&url) {
            None => Outcome::Passed,
            Some(rule) => Outcome::failed(vec![
                listed
                    .evidence()
                    .message(format!(
                        "The sitemap lists {url}, which line {} of robots.txt, `Disallow: {}`, closes to Googlebot.",
                        rule.line, rule.text
                    ))
                    .cause(
                        &*rule.text,
                        format!("robots.txt closes pages of the sitemap: Disallow: {}", rule.text),
                    ),
            ]),
        };
        verdicts.judge(&listed.url.url, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Check;
    use crate::check::testing::{Tallied, audit};
    use crate::checks::find;

    fn robots(check: &'static Check, rules: &str, page: &str) -> Tallied {
        let site = format!(
            "=== /\n<a href=/a>a</a>\n=== /a\n{page}\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/\nhttps://example.com/a\nhttps://example.com/a/b\n=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\n{rules}"
        );
        audit(check, &site)
    }

    #[test]
    fn open_pages_pass() {
        let tallied = robots(&SITEMAP_URL_BLOCKED, "Disallow: /b", "a");
        assert_eq!((tallied.applicable, tallied.affected), (3, 0));
    }

    #[test]
    fn one_rule_is_one_finding_at_the_lines_of_the_sitemap() {
        let tallied = robots(&SITEMAP_URL_BLOCKED, "Disallow: /a", "a");
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
        let place = &tallied.findings[0].occurrences[0];
        assert_eq!(
            (place.url.as_str(), place.line),
            ("https://example.com/sitemap.xml", Some(2))
        );
    }

    #[test]
    fn a_linked_page_of_the_sitemap_is_told_once() {
        let linked = find("robots-blocks-linked-page").unwrap();
        assert_eq!(robots(linked, "Disallow: /a", "a").affected, 0);
    }

    #[test]
    fn a_page_with_noindex_is_told_by_other_checks() {
        let rules = "Disallow:\n\nUser-agent: Googlebot\nDisallow: /a$";
        let noindex = "<meta name=robots content=noindex>";
        assert_eq!(robots(&SITEMAP_URL_BLOCKED, rules, noindex).affected, 0);
        assert_eq!(robots(&SITEMAP_URL_BLOCKED, rules, "a").affected, 1);
    }

    #[test]
    fn no_file_and_no_sitemap_are_not_judged() {
        assert_eq!(audit(&SITEMAP_URL_BLOCKED, "=== /\nx").applicable, 0);
    }
}
