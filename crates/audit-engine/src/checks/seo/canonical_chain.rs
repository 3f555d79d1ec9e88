//! Canonical URLs name themselves.

use crate::check::Verdicts;
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The page that is named as canonical does not name a different URL as its own canonical.
    ///
    /// ## Why it matters
    /// Search engines have to guess which of the two statements counts, and may follow neither.
    ///
    /// ## How to fix it
    /// Let both pages name the last URL of the chain.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><link rel="canonical" href="https://example.com/times"><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><link rel="canonical" href="https://example.com/timetable"><a href="/timetable">Timetable</a>
    /// === /timetable
    /// <!doctype html><html lang="en"><title>Timetable – Island Line</title>
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
    CANONICAL_CHAIN {
        id: "canonical-chain",
        title: "The canonical URL names yet another one",
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
        |_| "Canonical URL names another one".to_owned(),
        fault,
    );
}

/// What is wrong; the outer none where nobody can know.
fn fault(site: &Site, id: UrlId, _: &UrlEntry) -> Option<Option<String>> {
    let page = site.page_at(id)?;
    let further = canonical::sole(page).filter(|url| *url != page.url);
    Some(further.map(|url| format!("names {url} as its own canonical URL")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(answer: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{answer}"
        );
        audit(&CANONICAL_CHAIN, &site)
    }

    #[test]
    fn a_target_that_names_itself_or_nothing_passes() {
        assert_eq!(canonical("<p>x").affected, 0);
        assert_eq!(
            canonical("<link rel=canonical href=https://example.com/x#top>").affected,
            0
        );
    }

    #[test]
    fn a_target_that_names_another_page_fails() {
        let chain = canonical("<link rel=canonical href=https://example.com/y>");
        assert_eq!((chain.applicable, chain.affected), (1, 1));
    }

    #[test]
    fn two_pages_that_name_each_other_both_fail() {
        let mutual = canonical("<link rel=canonical href=https://example.com/>");
        assert_eq!((mutual.applicable, mutual.affected), (2, 2));
    }
}
