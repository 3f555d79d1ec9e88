//! robots.txt does not block Googlebot from the whole site.

use crate::address::at_origin;
use crate::check::{Evidence, Outcome};
use crate::common::robots::googlebot::{UNNAMED, blocks_all};
use crate::declare_check;
use crate::gather::robots::RobotsPath;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// According to robots.txt, Googlebot may crawl at least one audited page, or a URL that
    /// robots.txt does not mention.
    ///
    /// ## Why it matters
    /// Search engines cannot crawl any page, so the site almost disappears from their results.
    ///
    /// ## How to fix it
    /// Remove `Disallow: /` from the group for `Googlebot` or `*`, or restrict it to the folders
    /// that search engines should not crawl.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: AssayBot
    /// Allow: /
    ///
    /// User-agent: *
    /// Disallow: /
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    ///
    /// User-agent: *
    /// Disallow: /private/
    /// ```
    ///
    /// ## Limits
    /// The check can run only if robots.txt allows the audit itself; otherwise the audit fails and
    /// reports the reason. The rules are read as Googlebot reads them: it also follows misspelt fields
    /// (`Disalow`) and lines without a colon. `robots-unreachable` reports a robots.txt that returns a
    /// server error.
    ///
    /// ## Also known as
    /// - Lighthouse: `is-crawlable`
    /// - Search Console: Blocked by robots.txt
    /// - Screaming Frog: Response Codes: Internal Blocked by Robots.txt
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    ROBOTS_BLOCKS_ALL {
        id: "robots-blocks-all",
        title: "robots.txt blocks the whole site",
        dimension: Seo,
        scope: Origin,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(robots) = site.robots.robots() else {
        return Outcome::NotApplicable;
    };
    let path = RobotsPath::for_googlebot(UNNAMED);
    let rule = robots.googlebot().group().deciding_rule(&path);
    Outcome::pass_if(!blocks_all(site), || {
        let evidence = Evidence::here().at(at_origin(&site.start, "/robots.txt"));
        match rule {
            None => evidence.message("robots.txt blocks Googlebot from every page of the site."),
            Some(rule) => {
                let line = u32::try_from(rule.line).unwrap_or(u32::MAX);
                Evidence {
                    line: Some(line),
                    ..evidence
                }
                .snippet(&format!("Disallow: {}", rule.text))
                .message(format!(
                    "Line {line} blocks Googlebot from every URL that no other rule allows."
                ))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn robots(rules: &str) -> Tallied {
        let site = format!(
            "=== /\n<a href=/a>a</a>\n=== /a\na\n=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: AssayBot\nDisallow:\n\n{rules}"
        );
        audit(&ROBOTS_BLOCKS_ALL, &site)
    }

    #[test]
    fn rules_for_parts_of_the_site_pass() {
        for rules in [
            "",
            "User-agent: *\nDisallow: /a",
            "User-agent: *\nDisallow: /$",
            "User-agent: bingbot\nDisallow: /",
        ] {
            assert_eq!(robots(rules).affected, 0, "{rules}");
        }
    }

    #[test]
    fn a_rule_that_disallows_every_url_fails() {
        for rules in [
            "User-agent: *\nDisallow: /",
            "User-agent: googlebot\nDisallow: *",
            "User-agent: *\nDisallow: /*",
            // Googlebot follows these, although RFC 9309 does not.
            "User-agent: *\nDisalow: /",
            "User-agent: bingbot\n\nUser agent: Googlebot\nDisallow: /",
            "User-agent: *\nDisallow /",
        ] {
            let tallied = robots(rules);
            assert_eq!(tallied.affected, 1, "{rules}");
            assert!(tallied.findings[0].occurrences[0].line.is_some());
        }
    }

    #[test]
    fn an_allow_rule_for_one_page_passes() {
        assert_eq!(robots("User-agent: *\nDisallow: /\nAllow: /a").affected, 0);
    }

    #[test]
    fn the_group_for_googlebot_takes_precedence_over_the_wildcard_group() {
        assert_eq!(
            robots("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /").affected,
            0
        );
    }

    #[test]
    fn a_missing_robots_txt_is_not_applicable() {
        assert_eq!(audit(&ROBOTS_BLOCKS_ALL, "=== /\nx").applicable, 0);
    }
}
