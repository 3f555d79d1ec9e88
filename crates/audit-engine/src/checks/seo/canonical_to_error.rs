//! Canonical URLs answer.

use crate::check::Verdicts;
use crate::common::links::status::{LinkStatus, own_link_status};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The URL that a page names as canonical does not answer with a status of 400 or above, and
    /// its host can be reached.
    ///
    /// ## Why it matters
    /// Search engines are asked to show a page that does not exist instead of this one. They
    /// ignore the request, or drop both.
    ///
    /// ## How to fix it
    /// Name a URL that works, usually the one of the page itself, or bring the target back.
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
    /// The target is judged only if it lies on the same site and the crawl met it by a link or a
    /// sitemap. A page that names several canonical URLs is left to canonical-multiple. Statuses
    /// that turn visitors away, such as 401, 403 and 429, are not judged.
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_TO_ERROR {
        id: "canonical-to-error",
        title: "The canonical URL answers with an error",
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
        |fault| format!("Canonical URL {fault}"),
        fault,
    );
}

/// What is wrong; the outer none where nobody can know.
fn fault(_: &Site, _: UrlId, target: &UrlEntry) -> Option<Option<String>> {
    match own_link_status(target) {
        LinkStatus::Broken(what) => Some(Some(what)),
        LinkStatus::Fine => Some(None),
        // A redirect answers, too.
        LinkStatus::Unknown => target.answer()?.location.map(|_| None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(answer: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{answer}"
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
    fn a_refusal_is_not_judged() {
        assert_eq!(canonical("HTTP/1.1 403 X\n\n").applicable, 0);
    }

    #[test]
    fn another_site_and_an_unknown_url_are_not_judged() {
        let elsewhere = "=== /\n<link rel=canonical href=https://other.invalid/><a href=https://other.invalid/>o</a>";
        assert_eq!(audit(&CANONICAL_TO_ERROR, elsewhere).applicable, 0);
        let unknown = "=== /\n<link rel=canonical href=https://example.com/nowhere>";
        assert_eq!(audit(&CANONICAL_TO_ERROR, unknown).applicable, 0);
    }

    #[test]
    fn a_page_that_names_itself_passes() {
        let itself = "=== /\n<link rel=canonical href=https://example.com/#top>";
        assert_eq!(audit(&CANONICAL_TO_ERROR, itself).applicable, 1);
    }
}
