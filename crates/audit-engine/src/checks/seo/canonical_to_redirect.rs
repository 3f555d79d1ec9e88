//! Canonical URLs are final.

use crate::check::Verdicts;
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The URL that a page names as canonical does not answer with a redirect.
    ///
    /// ## Why it matters
    /// Canonical and redirect are two statements about where the page lives, and they disagree.
    /// Search engines then choose for themselves.
    ///
    /// ## How to fix it
    /// Name the URL that the redirect leads to.
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
    /// The target is judged only if it lies on the same site and the crawl met it by a link or a
    /// sitemap. A page that names several canonical URLs is left to canonical-multiple.
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_TO_REDIRECT {
        id: "canonical-to-redirect",
        title: "The canonical URL is redirected",
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
        |_| "Canonical URL is redirected".to_owned(),
        fault,
    );
}

/// What is wrong; the outer none where nobody can know.
fn fault(site: &Site, _: UrlId, target: &UrlEntry) -> Option<Option<String>> {
    let answer = target.answer()?;
    Some(answer.location.map(|to| {
        format!(
            "answers {} and leads on to {}",
            answer.status,
            site.urls.url(to)
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(answer: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{answer}"
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
}
