//! Canonical URLs do not redirect.

use crate::check::Verdicts;
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The canonical URL of a page does not return a redirect.
    ///
    /// ## Why it matters
    /// The canonical link and the redirect contradict each other about the URL of the page. Search
    /// engines then choose a URL themselves.
    ///
    /// ## How to fix it
    /// Set the canonical link to the URL at which the redirect ends.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><link rel="canonical" href="https://example.com/times"><a href="/times">Times</a>
    /// === /times
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /timetable
    ///
    /// === /timetable
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
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
    ///
    /// ## Also known as
    /// - Ahrefs: Canonical points to redirect
    /// - Screaming Frog: Canonicals: Non-Indexable Canonical
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_TO_REDIRECT {
        id: "canonical-to-redirect",
        title: "Canonical points to a redirect",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
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
        |_| "Canonical URL redirects".to_owned(),
        problem,
    );
}

/// The problem with the canonical target. `None` if the target cannot be checked, `Some(None)` if it is fine.
fn problem(site: &Site, _: UrlId, target: &UrlEntry) -> Option<Option<String>> {
    let answer = target.answer()?;
    Some(answer.location.map(|to| {
        format!(
            "returns status {} and redirects to {}",
            answer.status,
            site.urls.url(to)
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{response}"
        );
        audit(&CANONICAL_TO_REDIRECT, &site)
    }

    #[test]
    fn a_page_or_an_error_passes() {
        assert_eq!(canonical("<p>x").affected, 0);
        assert_eq!(canonical("HTTP/1.1 404 X\n\n").affected, 0);
    }

    #[test]
    fn a_redirect_fails() {
        assert_eq!(canonical("HTTP/1.1 301 X\nLocation: /\n").affected, 1);
        assert_eq!(
            canonical("HTTP/1.1 302 X\nLocation: https://other.invalid/\n").affected,
            1
        );
    }

    #[test]
    fn an_unlinked_target_is_requested() {
        const MOVED: &str = "HTTP/1.1 301 X\nLocation: https://example.com/y\n";
        let unlinked = |href: &str, target: &str, response: &str| {
            let site = format!("=== /\n<link rel=canonical href={href}>\n=== {target}\n{response}");
            let tallied = audit(&CANONICAL_TO_REDIRECT, &site);
            (tallied.applicable, tallied.affected)
        };
        assert_eq!(unlinked("/x", "/x", MOVED), (1, 1));
        assert_eq!(unlinked("/x", "/x", "<p>x"), (1, 0));
        // The http version of the page itself.
        let twin = "http://example.com/";
        let to_https = "HTTP/1.1 301 X\nLocation: https://example.com/\n";
        assert_eq!(unlinked(twin, twin, to_https), (1, 1));
    }
}
