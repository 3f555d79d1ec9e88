//! Headers that insist on https for a short time.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::policy::hsts::Hsts;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The `Strict-Transport-Security` header holds for at least half a year, and one that asks to be
    /// preloaded meets the conditions for it.
    ///
    /// ## Why it matters
    /// When the time is over, the next visit over http can be intercepted again. A site that asks
    /// for preloading without meeting the conditions is not preloaded.
    ///
    /// ## How to fix it
    /// Send `Strict-Transport-Security: max-age=31536000; includeSubDomains`, and add `preload` only
    /// if every subdomain has https.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Strict-Transport-Security: max-age=86400
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Strict-Transport-Security: max-age=31536000; includeSubDomains
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The answer of the start page stands for the site. A header that browsers ignore altogether
    /// is another check's finding.
    ///
    /// ## References
    /// - RFC 6797, HTTP Strict Transport Security, section 6.1.1 The max-age Directive
    /// - MDN HTTP Observatory, tests and scoring: Strict-Transport-Security
    /// - hstspreload.org, Submission Requirements
    HSTS_WEAK {
        id: "hsts-weak",
        title: "Browsers insist on https for a short time only",
        dimension: Security,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Headers, PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// Half a year, as the Observatory asks.
const LEAST_SECONDS: u64 = 15_768_000;
/// A year, as the preload list asks.
const LEAST_SECONDS_TO_PRELOAD: u64 = 31_536_000;

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(sent) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let header = sent.get("strict-transport-security");
    let Some(header) = header.filter(|_| home.url.scheme() == "https") else {
        return Outcome::NotApplicable;
    };
    let Ok(hsts) = Hsts::parse(header) else {
        return Outcome::NotApplicable;
    };
    match weakness(hsts) {
        None => Outcome::Passed,
        Some(weakness) => Outcome::failed(vec![
            Evidence::header("Strict-Transport-Security", header)
                .at(home.url.as_str())
                .message(weakness),
        ]),
    }
}

fn weakness(hsts: Hsts) -> Option<String> {
    let seconds = hsts.max_age;
    if seconds < LEAST_SECONDS {
        Some(format!(
            "The header holds for {seconds} seconds; expected are at least {LEAST_SECONDS}, half a year."
        ))
    } else if hsts.preload && seconds < LEAST_SECONDS_TO_PRELOAD {
        Some(format!(
            "The header asks to be preloaded and holds for {seconds} seconds; the preload list asks for {LEAST_SECONDS_TO_PRELOAD}."
        ))
    } else if hsts.preload && !hsts.include_subdomains {
        Some("The header asks to be preloaded without includeSubDomains, which the preload list demands.".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn judged(header: &str) -> (u64, u64) {
        let site = format!(
            "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nStrict-Transport-Security: {header}\n\n<p>x"
        );
        let tallied = audit(&HSTS_WEAK, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn half_a_year_passes_and_a_second_less_fails() {
        assert_eq!(judged("max-age=15768000"), (1, 0));
        assert_eq!(judged("max-age=15767999"), (1, 1));
        assert_eq!(judged("max-age=0"), (1, 1));
    }

    #[test]
    fn preloading_needs_a_year_and_all_subdomains() {
        assert_eq!(
            judged("max-age=31536000; includeSubDomains; preload"),
            (1, 0)
        );
        assert_eq!(
            judged("max-age=15768000; includeSubDomains; preload"),
            (1, 1)
        );
        assert_eq!(judged("max-age=31536000; preload"), (1, 1));
    }

    #[test]
    fn a_header_that_browsers_ignore_is_not_judged() {
        assert_eq!(judged("includeSubDomains"), (0, 0));
    }
}
