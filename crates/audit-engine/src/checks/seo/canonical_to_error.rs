//! Canonical URLs do not return errors.

use crate::check::Verdicts;
use crate::common::links::status::{LinkStatus, own_link_status};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The canonical URL of a page does not return a status of 400 or above, and its host is
    /// reachable.
    ///
    /// ## Why it matters
    /// The canonical link asks search engines to show a page that does not exist instead of this
    /// one. They ignore the canonical link, or drop both pages.
    ///
    /// ## How to fix it
    /// Point the canonical link to a working URL, usually the URL of the page itself, or restore the target page.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><link rel="canonical" href="https://example.com/times"><a href="/times">Times</a>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><link rel="canonical" href="https://example.com/"><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// The check evaluates only targets on the same site. A target that no link, sitemap or feed
    /// contains is requested in addition: at most 500 of a site, and only if robots.txt allows it.
    /// `canonical-multiple` reports pages that declare several canonical URLs.
    /// The check skips status codes that deny access to the crawler, such as 401, 403 and 429.
    ///
    /// ## Also known as
    /// - Ahrefs: Canonical points to 4XX
    /// - Ahrefs: Canonical points to 5XX
    /// - Screaming Frog: Canonicals: Non-Indexable Canonical
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_TO_ERROR {
        id: "canonical-to-error",
        title: "Canonical points to a broken URL",
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
    canonical::judge_targets(
        site,
        verdicts,
        |problem| format!("Canonical URL {problem}"),
        problem,
    );
}

/// The problem with the canonical target. `None` if the target cannot be checked, `Some(None)` if it is fine.
fn problem(_: &Site, _: UrlId, target: &UrlEntry) -> Option<Option<String>> {
    match own_link_status(target) {
        LinkStatus::Broken(what) => Some(Some(what)),
        LinkStatus::Fine => Some(None),
        // A redirect is a response as well; canonical-to-redirect reports it.
        LinkStatus::Unknown => target.answer()?.location.map(|_| None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{response}"
        );
        audit(&CANONICAL_TO_ERROR, &site)
    }

    #[test]
    fn a_page_or_a_redirect_passes() {
        assert_eq!(canonical("<p>x").affected, 0);
        let redirect = canonical("HTTP/1.1 301 X\nLocation: /\n");
        assert_eq!((redirect.applicable, redirect.affected), (1, 0));
    }

    #[test]
    fn an_error_fails() {
        assert_eq!(canonical("HTTP/1.1 404 X\n\n").affected, 1);
        assert_eq!(canonical("HTTP/1.1 500 X\n\n").affected, 1);
    }

    #[test]
    fn a_forbidden_target_is_not_applicable() {
        assert_eq!(canonical("HTTP/1.1 403 X\n\n").applicable, 0);
    }

    #[test]
    fn targets_on_another_site_are_not_applicable() {
        let elsewhere = "=== /\n<link rel=canonical href=https://other.invalid/><a href=https://other.invalid/>o</a>";
        assert_eq!(audit(&CANONICAL_TO_ERROR, elsewhere).applicable, 0);
    }

    /// The page at `/` declares a target that nothing links to.
    fn unlinked(href: &str, response: &str) -> Tallied {
        let site = format!("=== /\n<link rel=canonical href={href}>\n{response}");
        audit(&CANONICAL_TO_ERROR, &site)
    }

    #[test]
    fn an_unlinked_target_is_requested() {
        let missing = unlinked("https://example.com/nowhere", "");
        assert_eq!((missing.applicable, missing.affected), (1, 1));
        let broken = unlinked("/x", "=== /x\nHTTP/1.1 500 X\n\n");
        assert_eq!((broken.applicable, broken.affected), (1, 1));
        let page = unlinked("/x", "=== /x\n<p>x");
        assert_eq!((page.applicable, page.affected), (1, 0));
    }

    #[test]
    fn an_unlinked_target_that_robots_txt_disallows_is_not_applicable() {
        let robots = "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /x";
        assert_eq!(unlinked("/x", robots).applicable, 0);
    }

    #[test]
    fn a_self_canonical_passes() {
        let itself = "=== /\n<link rel=canonical href=https://example.com/#top>";
        assert_eq!(audit(&CANONICAL_TO_ERROR, itself).applicable, 1);
    }
}
