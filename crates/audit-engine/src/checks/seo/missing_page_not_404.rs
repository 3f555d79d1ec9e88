//! Nonexistent URLs return status 404.

use std::collections::HashSet;

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::{Probe, ProbeAnswer, Site};

declare_check! {
    /// ## What it checks
    /// A URL that cannot exist on the site returns status 404 or 410.
    ///
    /// ## Why it matters
    /// If such a URL returns a page, search engines treat every mistyped or outdated URL as a page.
    /// They index error messages and spend crawl budget on an endless number of URLs instead of the
    /// real pages.
    ///
    /// ## How to fix it
    /// Answer requests for unknown URLs with status 404 and the error page. If an application returns the same
    /// document for every URL, send 404 for URLs that its router does not know. Do not redirect them to the start
    /// page.
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
    /// The crawler requests two URLs at the root of the site; the second confirms the first. Other
    /// folders may respond differently. If the two responses differ, the check reports nothing. It
    /// does not evaluate refused requests, server errors and redirects to other sites.
    ///
    /// ## Also known as
    /// - Search Console: Soft 404
    ///
    /// ## References
    /// - Google Search Central, Soft 404 errors
    /// - RFC 9110, HTTP Semantics, section 15.5.5
    MISSING_PAGE_NOT_404 {
        id: "missing-page-not-404",
        title: "Nonexistent URLs do not return status 404",
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
        return Outcome::CannotTell(
            "robots.txt disallows the URL that the crawler probes, so it was not requested.",
        );
    };
    let Some(answer) = probe.answer() else {
        return Outcome::CannotTell("The request for a URL that cannot exist got no response.");
    };
    match answer.status {
        404 | 410 => Outcome::Passed,
        200..=299 if !is_confirmed(site, answer) => Outcome::CannotTell(
            "Only one of two URLs that cannot exist returns a page, or they return different pages.",
        ),
        200..=299 => Outcome::failed(vec![Evidence::here().at(probe.requested.as_str()).message(
            if probe.hops.is_empty() {
                format!(
                    "A URL that cannot exist returns status {}; expected 404.",
                    answer.status
                )
            } else {
                format!(
                    "A URL that cannot exist redirects to {}; expected status 404.",
                    answer.url
                )
            },
        )]),
        _ => Outcome::CannotTell(
            "The URL that cannot exist returns neither a success status nor 404.",
        ),
    }
}

/// Whether the second URL that cannot exist confirms the first: it ends at the same URL, or its body
/// has nearly the same words.
fn is_confirmed(site: &Site, first: &ProbeAnswer) -> bool {
    let again = site.probes.missing_page_again.as_ref();
    again
        .and_then(Probe::success)
        .is_some_and(|again| first.url == again.url || are_similar(&first.body, &again.body))
}

/// Whether the texts share at least four fifths of their distinct words. The random part of the
/// probed URLs does not count.
fn are_similar(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let (a, b) = (words(&a), words(&b));
    let shared = a.intersection(&b).count();
    shared * 5 >= a.union(&b).count() * 4
}

fn words(text: &str) -> HashSet<&str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !is_probe_token(word))
        .collect()
}

fn is_probe_token(word: &str) -> bool {
    word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const PROBE: &str = "/assay-probe-a379a6f6eeafb9a5";
    const SECOND: &str = "/assay-probe-5e378c118034e275";

    fn audit_probe(answer: &str) -> Tallied {
        audit_probes(answer, answer)
    }

    fn audit_probes(first: &str, second: &str) -> Tallied {
        let site = format!("=== /\nhome\n=== {PROBE}\n{first}\n=== {SECOND}\n{second}");
        audit(&MISSING_PAGE_NOT_404, &site)
    }

    #[test]
    fn a_single_success_response_is_not_enough_to_fail() {
        for second in [
            "HTTP/1.1 404 X\n\n",
            "<title>Timetable</title><p>Every hour from nine to five",
        ] {
            let tallied = audit_probes("<title>Not found</title>", second);
            assert_eq!((tallied.applicable, tallied.affected), (0, 0), "{second}");
        }
    }

    #[test]
    fn error_pages_that_repeat_the_url_count_as_similar() {
        let page = |probe: &str| {
            format!("<title>Nothing</title><p>There is no page at {probe} here, sorry.")
        };
        assert_eq!(audit_probes(&page(PROBE), &page(SECOND)).affected, 1);
    }

    #[test]
    fn status_404_and_410_pass() {
        assert_eq!(audit(&MISSING_PAGE_NOT_404, "=== /\nx").affected, 0);
        assert_eq!(
            (
                audit_probe("HTTP/1.1 410 X\n\n").applicable,
                audit_probe("HTTP/1.1 410 X\n\n").affected
            ),
            (1, 0)
        );
    }

    #[test]
    fn a_success_response_or_a_redirect_to_a_page_fails() {
        assert_eq!(audit_probe("<title>Not found</title>").affected, 1);
        assert_eq!(audit_probe("HTTP/1.1 302 X\nLocation: /\n").affected, 1);
    }

    #[test]
    fn refused_requests_and_redirects_to_other_sites_are_not_applicable() {
        assert_eq!(audit_probe("HTTP/1.1 403 X\n\n").applicable, 0);
        assert_eq!(
            audit_probe("HTTP/1.1 302 X\nLocation: https://login.example.org/\n").applicable,
            0
        );
    }
}
