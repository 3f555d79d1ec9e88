//! Search engines may visit the site.

use crate::address::at_origin;
use crate::check::{Evidence, Outcome};
use crate::common::robots::googlebot::{GOOGLEBOT, UNNAMED, blocks_all};
use crate::declare_check;
use crate::gather::robots::RobotsPath;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The rules of robots.txt that hold for Googlebot allow it to visit at least one audited
    /// page, or any address that no rule names.
    ///
    /// ## Why it matters
    /// Search engines cannot read any page, so the site all but disappears from their results.
    ///
    /// ## How to fix it
    /// Remove `Disallow: /` from the group for `Googlebot` or `*`, or narrow it to the folders
    /// that should stay out.
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
    /// This is seen only where the rules let the audit itself in; otherwise the audit fails and
    /// says why. A robots.txt that answers with an error of the server is another question.
    ///
    /// ## References
    /// - RFC 9309, Robots Exclusion Protocol, section 2.2.2
    ROBOTS_BLOCKS_ALL {
        id: "robots-blocks-all",
        title: "robots.txt keeps search engines out of the whole site",
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
    let path = RobotsPath::new(UNNAMED);
    let rule = robots.group_for(GOOGLEBOT).deciding_rule(&path);
    Outcome::of(!blocks_all(site), || {
        let evidence = Evidence::here().at(at_origin(&site.start, "/robots.txt"));
        match rule {
            None => evidence.message("Googlebot may visit no page of the site."),
            Some(rule) => {
                let line = u32::try_from(rule.line).unwrap_or(u32::MAX);
                Evidence {
                    line: Some(line),
                    ..evidence
                }
                .snippet(&format!("Disallow: {}", rule.text))
                .message(format!(
                    "Line {line} keeps Googlebot out of everything that no other rule allows."
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
    fn rules_for_parts_pass() {
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
    fn a_rule_for_everything_fails() {
        for rules in [
            "User-agent: *\nDisallow: /",
            "User-agent: googlebot\nDisallow: *",
            "User-agent: *\nDisallow: /*",
        ] {
            let tallied = robots(rules);
            assert_eq!(tallied.affected, 1, "{rules}");
            assert!(tallied.findings[0].occurrences[0].line.is_some());
        }
    }

    #[test]
    fn a_page_that_is_allowed_by_name_passes() {
        assert_eq!(robots("User-agent: *\nDisallow: /\nAllow: /a").affected, 0);
    }

    #[test]
    fn a_group_for_googlebot_beats_the_one_for_all() {
        assert_eq!(
            robots("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /").affected,
            0
        );
    }

    #[test]
    fn no_file_is_not_judged() {
        assert_eq!(audit(&ROBOTS_BLOCKS_ALL, "=== /\nx").applicable, 0);
    }
}
