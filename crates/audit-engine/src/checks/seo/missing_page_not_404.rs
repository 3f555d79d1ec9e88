//! Addresses that do not exist answer 404.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// An address that cannot exist on the site answers with status 404 or 410.
    ///
    /// ## Why it matters
    /// Search engines take every mistyped or outdated address for a page. They index error
    /// messages, and visit endless addresses instead of the real pages.
    ///
    /// ## How to fix it
    /// Let the server send status 404 with its error page. For an application that answers every
    /// address with the same document, send 404 for addresses its router does not know; do not
    /// redirect them to the start page.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// === /assay-probe-a379a6f6eeafb9a5
    /// <!doctype html><html lang="en"><title>Not found – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// One address at the root of the site is asked for; folders may answer differently.
    /// Refusals, errors of the server and redirects to other sites are not judged.
    ///
    /// ## References
    /// - Google Search Central, Soft 404 errors
    /// - RFC 9110, HTTP Semantics, section 15.5.5
    MISSING_PAGE_NOT_404 {
        id: "missing-page-not-404",
        title: "Addresses that do not exist answer as if they did",
        dimension: Seo,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(probe) = &site.probes.missing_page else {
        return Outcome::CannotTell("robots.txt forbids the address that was to be asked for.");
    };
    let Some(answer) = probe.answer() else {
        return Outcome::CannotTell("The address that cannot exist did not answer at all.");
    };
    match answer.status {
        404 | 410 => Outcome::Passed,
        200..=299 => Outcome::Failed(vec![Evidence::here().at(probe.requested.as_str()).message(
            if probe.hops.is_empty() {
                format!(
                    "An address that cannot exist answers {} instead of 404.",
                    answer.status
                )
            } else {
                format!(
                    "An address that cannot exist redirects to {} instead of answering 404.",
                    answer.url
                )
            },
        )]),
        _ => Outcome::CannotTell("The address that cannot exist answers neither success nor 404."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const PROBE: &str = "/assay-probe-a379a6f6eeafb9a5";

    fn answers(answer: &str) -> Tallied {
        audit(
            &MISSING_PAGE_NOT_404,
            &format!("=== /\nhome\n=== {PROBE}\n{answer}"),
        )
    }

    #[test]
    fn not_found_and_gone_pass() {
        assert_eq!(audit(&MISSING_PAGE_NOT_404, "=== /\nx").affected, 0);
        assert_eq!(
            (
                answers("HTTP/1.1 410 X\n\n").applicable,
                answers("HTTP/1.1 410 X\n\n").affected
            ),
            (1, 0)
        );
    }

    #[test]
    fn a_page_or_a_redirect_to_one_fails() {
        assert_eq!(answers("<title>Not found</title>").affected, 1);
        assert_eq!(answers("HTTP/1.1 302 X\nLocation: /\n").affected, 1);
    }

    #[test]
    fn refusals_and_other_sites_are_not_judged() {
        assert_eq!(answers("HTTP/1.1 403 X\n\n").applicable, 0);
        assert_eq!(
            answers("HTTP/1.1 302 X\nLocation: https://login.example.org/\n").applicable,
            0
        );
    }
}
