//! A canonical URL declares itself as canonical.

use crate::check::Verdicts;
use crate::common::urls::canonical;
use crate::declare_check;
use crate::site::Site;
use crate::site::{UrlEntry, UrlId};

declare_check! {
    /// ## What it checks
    /// The canonical URL of a page does not declare a different URL as its own canonical.
    ///
    /// ## Why it matters
    /// Search engines have to guess which of the two canonical declarations is right, and may
    /// ignore both.
    ///
    /// ## How to fix it
    /// Declare the last URL of the chain as canonical on both pages.
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
    /// The check evaluates only targets on the same site. A target that no link, sitemap or feed
    /// contains is requested in addition: at most 500 of a site, and only if robots.txt allows it.
    /// `canonical-multiple` reports pages that declare several canonical URLs.
    ///
    /// ## Also known as
    /// - Screaming Frog: Canonicals: Canonical Chains
    /// - Ahrefs: Non-canonical page specified as canonical one
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_CHAIN {
        id: "canonical-chain",
        title: "Canonical chains",
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
        |_| "Canonical URL declares another canonical URL".to_owned(),
        problem,
    );
}

/// The problem with the canonical target. `None` if the target cannot be checked, `Some(None)` if it is fine.
fn problem(site: &Site, id: UrlId, _: &UrlEntry) -> Option<Option<String>> {
    let further = site.canonical_target(id)?.further;
    Some(further.map(|url| format!("declares {url} as its own canonical URL")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    fn canonical(response: &str) -> Tallied {
        let site = format!(
            "=== /\n<link rel=canonical href=https://example.com/x><a href=/x>x</a>\n=== /x\n{response}"
        );
        audit(&CANONICAL_CHAIN, &site)
    }

    #[test]
    fn a_target_with_a_self_canonical_or_no_canonical_passes() {
        assert_eq!(canonical("<p>x").affected, 0);
        assert_eq!(
            canonical("<link rel=canonical href=https://example.com/x#top>").affected,
            0
        );
    }

    #[test]
    fn a_target_with_another_canonical_fails() {
        let chain = canonical("<link rel=canonical href=https://example.com/y>");
        assert_eq!((chain.applicable, chain.affected), (1, 1));
    }

    #[test]
    fn two_pages_with_each_other_as_canonical_both_fail() {
        let mutual = canonical("<link rel=canonical href=https://example.com/>");
        assert_eq!((mutual.applicable, mutual.affected), (2, 2));
    }

    #[test]
    fn an_unlinked_target_is_requested() {
        let unlinked = |target: &str, response: &str| {
            let site =
                format!("=== /\n<link rel=canonical href={target}>\n=== {target}\n{response}");
            let tallied = audit(&CANONICAL_CHAIN, &site);
            (tallied.applicable, tallied.affected)
        };
        let further = "<link rel=canonical href=https://example.com/y>";
        assert_eq!(unlinked("/x", further), (1, 1));
        assert_eq!(unlinked("/x", "<link rel=canonical href=/x>"), (1, 0));
        // The http version of the page declares the https version.
        let to_https = "<link rel=canonical href=https://example.com/>";
        assert_eq!(unlinked("http://example.com/", to_https), (1, 1));
    }
}
