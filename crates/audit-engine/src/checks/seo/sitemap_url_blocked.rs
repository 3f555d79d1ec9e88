//! robots.txt does not block URLs in the sitemap.

use crate::check::{Outcome, Verdicts};
use crate::common::robots::googlebot::Closed;
use crate::common::urls::sitemap_urls::listed_urls;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// robots.txt allows Googlebot to crawl every URL of the site that a sitemap lists.
    ///
    /// ## Why it matters
    /// The sitemap submits the page to search engines, but robots.txt disallows crawling it. Search engines do not
    /// fetch the page, and show at most its bare URL.
    ///
    /// ## How to fix it
    /// If the page should appear in search results, remove or narrow the `Disallow` rule. Otherwise remove the page
    /// from the sitemap.
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
    /// The check evaluates only URLs on the origin of the start page. `robots-blocks-all` reports a
    /// robots.txt that blocks the whole site. `sitemap-url-noindex` and `robots-meta-unseen` report
    /// pages with `noindex`. `robots-blocks-linked-page` reports blocked pages that are linked but
    /// in no sitemap.
    ///
    /// ## Also known as
    /// - Search Console: Blocked by robots.txt
    /// - Screaming Frog: Sitemaps: Non-Indexable URLs in Sitemap
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    /// - sitemaps.org, Sitemaps XML format
    /// - Google Search Central, Build and submit a sitemap
    SITEMAP_URL_BLOCKED {
        id: "sitemap-url-blocked",
        title: "Sitemap URLs blocked by robots.txt",
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
    for listed in listed_urls(site) {
        let Some(url) = listed.entry.url().filter(|url| blocked.covers(url)) else {
            continue;
        };
        let page = site.page_at(listed.id);
        if page.is_some_and(|page| page.noindex.is_some()) {
            continue;
        }
        let outcome = match blocked.by(&url) {
            None => Outcome::Passed,
            Some(rule) => Outcome::failed(vec![
                listed
                    .evidence()
                    .message(format!(
                        "The sitemap lists {url}, but line {} of robots.txt, `Disallow: {}`, blocks it for Googlebot.",
                        rule.line, rule.text
                    ))
                    .cause(
                        &*rule.text,
                        format!("robots.txt blocks URLs in the sitemap: Disallow: {}", rule.text),
                    ),
            ]),
        };
        verdicts.record(&listed.url.url, outcome);
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
    fn pages_that_no_rule_blocks_pass() {
        let tallied = robots(&SITEMAP_URL_BLOCKED, "Disallow: /b", "a");
        assert_eq!((tallied.applicable, tallied.affected), (3, 0));
    }

    #[test]
    fn one_rule_is_one_finding_with_sitemap_lines_as_occurrences() {
        let tallied = robots(&SITEMAP_URL_BLOCKED, "Disallow: /a", "a");
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
        let occurrence = &tallied.findings[0].occurrences[0];
        assert_eq!(
            (occurrence.url.as_str(), occurrence.line),
            ("https://example.com/sitemap.xml", Some(2))
        );
    }

    #[test]
    fn a_linked_page_in_the_sitemap_is_reported_once() {
        let linked = find("robots-blocks-linked-page").unwrap();
        assert_eq!(robots(linked, "Disallow: /a", "a").affected, 0);
    }

    #[test]
    fn a_page_with_noindex_is_left_to_other_checks() {
        let rules = "Disallow:\n\nUser-agent: Googlebot\nDisallow: /a$";
        let noindex = "<meta name=robots content=noindex>";
        assert_eq!(robots(&SITEMAP_URL_BLOCKED, rules, noindex).affected, 0);
        assert_eq!(robots(&SITEMAP_URL_BLOCKED, rules, "a").affected, 1);
    }

    #[test]
    fn a_site_without_robots_txt_and_sitemap_is_not_applicable() {
        assert_eq!(audit(&SITEMAP_URL_BLOCKED, "=== /\nx").applicable, 0);
    }
}
