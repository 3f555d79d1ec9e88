//! Canonical URLs may be indexed.

use crate::check::Verdicts;
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The page that is named as canonical has no `noindex`.
    ///
    /// ## Why it matters
    /// This page defers to another one that must not be shown, so neither is found.
    ///
    /// ## How to fix it
    /// Remove `noindex` from the target, or let the page name itself as canonical.
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
    /// The target is judged only if it lies on the same site and the crawl met it by a link or a
    /// sitemap. A page that names several canonical URLs is left to canonical-multiple.
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_TO_NOINDEX {
        id: "canonical-to-noindex",
        title: "The canonical URL is kept out of search engines",
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
        |_| "Canonical URL is kept out of search engines".to_owned(),
        fault,
    );
}

/// What is wrong; the outer none where nobody can know.
fn fault(site: &Site, id: UrlId, _: &UrlEntry) -> Option<Option<String>> {
    let page = site.page_at(id)?;
    Some(
        page.noindex
            .as_ref()
            .map(|directive| format!("is kept out of search engines by `{directive}`")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(answer: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{answer}"
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
    fn a_page_with_noindex_that_names_itself_defers_to_no_other() {
        let site = "=== /\n<meta name=robots content=noindex><link rel=canonical href=/>";
        assert_eq!(audit(&CANONICAL_TO_NOINDEX, site).affected, 0);
    }

    #[test]
    fn what_is_no_page_is_not_judged() {
        assert_eq!(canonical("HTTP/1.1 404 X\n\n").applicable, 0);
    }
}
