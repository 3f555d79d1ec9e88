//! Canonical URLs are indexable.

use crate::check::Verdicts;
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The canonical URL of a page has no `noindex` directive.
    ///
    /// ## Why it matters
    /// The canonical link asks search engines to index the target instead of this page, but
    /// `noindex` forbids that. Neither page appears in search results.
    ///
    /// ## How to fix it
    /// Remove `noindex` from the page that the canonical link names, or declare the page itself as canonical.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><link rel="canonical" href="https://example.com/times"><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Times – Island Line</title>
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
    /// - Screaming Frog: Canonicals: Non-Indexable Canonical
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_TO_NOINDEX {
        id: "canonical-to-noindex",
        title: "Canonical points to a noindex page",
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
        |_| "Canonical URL has a noindex directive".to_owned(),
        problem,
    );
}

/// The problem with the canonical target. `None` if the target cannot be checked, `Some(None)` if it is fine.
fn problem(site: &Site, id: UrlId, _: &UrlEntry) -> Option<Option<String>> {
    let target = site.canonical_target(id)?;
    Some(
        target
            .noindex
            .map(|directive| format!("is excluded from indexing by the directive `{directive}`")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{response}"
        );
        audit(&CANONICAL_TO_NOINDEX, &site)
    }

    #[test]
    fn a_page_passes_and_one_with_noindex_fails() {
        assert_eq!(canonical("<p>x").affected, 0);
        assert_eq!(canonical("<meta name=robots content=noindex>").affected, 1);
        assert_eq!(
            canonical("HTTP/1.1 200 OK\nContent-Type: text/html\nX-Robots-Tag: none\n\nx").affected,
            1
        );
    }

    #[test]
    fn a_noindex_page_with_a_self_canonical_passes() {
        let site = "=== /\n<meta name=robots content=noindex><link rel=canonical href=/>";
        assert_eq!(audit(&CANONICAL_TO_NOINDEX, site).affected, 0);
    }

    #[test]
    fn a_target_that_returns_an_error_is_not_applicable() {
        assert_eq!(canonical("HTTP/1.1 404 X\n\n").applicable, 0);
    }

    #[test]
    fn an_unlinked_target_is_requested() {
        let unlinked = |response: &str| {
            let site = format!("=== /\n<link rel=canonical href=/x>\n=== /x\n{response}");
            let tallied = audit(&CANONICAL_TO_NOINDEX, &site);
            (tallied.applicable, tallied.affected)
        };
        assert_eq!(unlinked("<meta name=robots content=noindex>"), (1, 1));
        let header = "HTTP/1.1 200 OK\nContent-Type: text/html\nX-Robots-Tag: noindex\n\nx";
        assert_eq!(unlinked(header), (1, 1));
        assert_eq!(unlinked("<p>x"), (1, 0));
        assert_eq!(unlinked("HTTP/1.1 404 X\n\n"), (0, 0));
    }
}
