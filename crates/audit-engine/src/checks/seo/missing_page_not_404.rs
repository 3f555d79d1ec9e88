//! Addresses that do not exist answer 404.

use std::collections::HashSet;

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::{Probe, ProbeAnswer, Site};

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
    /// === /assay-probe-5e378c118034e275
    /// <!doctype html><html lang="en"><title>Not found – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// Two addresses at the root of the site are asked for, the second to confirm the first; folders
    /// may answer differently. Where the two say different things, nothing is said. Refusals, errors
    /// of the server and redirects to other sites are not judged.
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
        200..=299 if !is_confirmed(site, answer) => {
            Outcome::CannotTell("Of two addresses that cannot exist, only one answers like a page.")
        }
        200..=299 => Outcome::failed(vec![Evidence::here().at(probe.requested.as_str()).message(
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

/// Whether another address that cannot exist answers alike: it leads to the same page, or says
/// nearly the same.
fn is_confirmed(site: &Site, first: &ProbeAnswer) -> bool {
    let again = site.probes.missing_page_again.as_ref();
    again
        .and_then(Probe::success)
        .is_some_and(|again| first.url == again.url || are_alike(&first.body, &again.body))
}

/// Whether at least four fifths of the words in either text are in both. The addresses themselves
/// do not count.
fn are_alike(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let (a, b) = (words(&a), words(&b));
    let shared = a.intersection(&b).count();
    shared * 5 >= a.union(&b).count() * 4
}

fn words(text: &str) -> HashSet<&str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !is_digits_of_a_probe(word))
        .collect()
}

fn is_digits_of_a_probe(word: &str) -> bool {
    word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const PROBE: &str = "/assay-probe-a379a6f6eeafb9a5";
    const SECOND: &str = "/assay-probe-5e378c118034e275";

    fn answers(answer: &str) -> Tallied {
        answer_twice(answer, answer)
    }

    fn answer_twice(first: &str, second: &str) -> Tallied {
        let site = format!("=== /\nhome\n=== {PROBE}\n{first}\n=== {SECOND}\n{second}");
        audit(&MISSING_PAGE_NOT_404, &site)
    }

    #[test]
    fn one_answer_alone_proves_nothing() {
        for second in [
            "HTTP/1.1 404 X\n\n",
            "<title>Timetable</title><p>Every hour from nine to five",
        ] {
            let tallied = answer_twice("<title>Not found</title>", second);
            assert_eq!((tallied.applicable, tallied.affected), (0, 0), "{second}");
        }
    }

    #[test]
    fn pages_that_repeat_their_address_are_alike() {
        let page = |probe: &str| {
            format!("<title>Nothing</title><p>There is no page at {probe} here, sorry.")
        };
        assert_eq!(answer_twice(&page(PROBE), &page(SECOND)).affected, 1);
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
