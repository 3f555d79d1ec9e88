//! Scripts and style sheets that robots.txt blocks for Googlebot.

use std::collections::HashSet;

use url::Url;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::robots::googlebot::Closed;
use crate::declare_check;
use crate::gather::robots::Rule;
use crate::page::ResourceKind;
use crate::site::{ResourceUse, Site};

declare_check! {
    /// ## What it checks
    /// robots.txt does not block the scripts and style sheets of indexable pages for Googlebot.
    ///
    /// ## Why it matters
    /// Google renders a page without the files that robots.txt blocks. What a blocked script writes is not indexed, and
    /// without its styles a page may not look as one for phones.
    ///
    /// ## How to fix it
    /// Remove the rule, or add an `Allow` rule with a longer path for scripts and style sheets.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/app/menu.js" defer></script><p>Open from nine to five.</p></html>
    /// === /app/menu.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// menu();
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    ///
    /// User-agent: *
    /// Disallow: /app/
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/app/menu.js" defer></script><p>Open from nine to five.</p></html>
    /// === /app/menu.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// menu();
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    ///
    /// User-agent: *
    /// Disallow: /app/
    /// Allow: /app/*.js
    /// ```
    ///
    /// ## Limits
    /// Only files on the host of the start page are checked, because only its robots.txt is known. Files that scripts
    /// load are seen on pages that a browser shows. A site that robots.txt blocks as a whole is reported by
    /// `robots-blocks-all`.
    ///
    /// ## Also known as
    /// - Google Search Console: Page resources couldn't be loaded
    /// - Common name: Blocked resources
    ///
    /// ## References
    /// - Google Search Central: Understand JavaScript SEO basics
    /// - Google Search Central: Introduction to robots.txt
    ROBOTS_BLOCKS_RENDERING_ASSETS {
        id: "robots-blocks-rendering-assets",
        title: "Scripts or styles blocked by robots.txt",
        dimension: Seo,
        scope: Resource,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let Some(closed) = Closed::new(site) else {
        return;
    };
    let mut seen = HashSet::new();
    let pages = site.pages.iter();
    let indexable = pages.filter(|page| page.is_indexable() && closed.by(&page.url).is_none());
    for page in indexable {
        for used in page.resources.iter().filter(|used| matters(used)) {
            if !seen.insert(used.target) {
                continue;
            }
            let address = site.urls.url(used.target);
            let Some(url) = Url::parse(address).ok().filter(|url| closed.covers(url)) else {
                continue;
            };
            let outcome = match closed.by(&url) {
                None => Outcome::Passed,
                Some(rule) => Outcome::failed([evidence(rule, used.kind, &page.url)]),
            };
            verdicts.record(address, outcome);
        }
    }
}

/// Whether a browser needs the file to show a page.
const fn matters(used: &ResourceUse) -> bool {
    used.eager && matches!(used.kind, ResourceKind::Script | ResourceKind::Stylesheet)
}

fn evidence(rule: &Rule, kind: ResourceKind, page: &Url) -> Evidence {
    let (text, kind) = (&*rule.text, kind.as_str());
    Evidence::here()
        .message(format!(
            "`Disallow: {text}` blocks the {kind} for Googlebot, and {page} needs it."
        ))
        .cause(
            text,
            format!("robots.txt blocks scripts or styles: Disallow: {text}"),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn robots(rules: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=stylesheet href=/f/a.css><script src=/f/b.js></script><img src=/f/c.png>\n=== /f/a.css\nHTTP/1.1 200 OK\n\np{{}}\n=== /f/b.js\nHTTP/1.1 200 OK\n\nx\n=== /robots.txt\nHTTP/1.1 200 OK\n\n{rules}"
        );
        audit(&ROBOTS_BLOCKS_RENDERING_ASSETS, &site)
    }

    #[test]
    fn scripts_and_styles_that_one_rule_blocks_are_one_cause() {
        let found = robots("User-agent: *\nDisallow: /f/");
        assert_eq!(
            (found.applicable, found.affected, found.findings.len()),
            (2, 2, 1)
        );
        assert_eq!(found.findings[0].cause, "/f/");
        let message = &found.findings[0].occurrences[0].message;
        assert!(
            message.contains("for Googlebot, and https://example.com/ needs it"),
            "{message}"
        );
    }

    #[test]
    fn rules_for_others_and_longer_allow_rules_pass() {
        for rules in [
            "User-agent: GPTBot\nDisallow: /f/",
            "User-agent: Googlebot\nAllow: /\n\nUser-agent: *\nDisallow: /f/",
            "User-agent: *\nDisallow: /f/\nAllow: /f/*.css\nAllow: /f/*.js",
            "User-agent: *\nDisallow: /f/c.png",
        ] {
            let found = robots(rules);
            assert_eq!((found.applicable, found.affected), (2, 0), "{rules}");
        }
    }

    #[test]
    fn a_site_that_is_blocked_as_a_whole_is_not_judged() {
        assert_eq!(robots("User-agent: Googlebot\nDisallow: /").applicable, 0);
    }
}
