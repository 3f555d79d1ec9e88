//! HSTS headers with a short `max-age` or unmet preload requirements.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::policy::hsts::Hsts;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The `Strict-Transport-Security` header has a `max-age` of at least 180 days. If it has
    /// `preload`, it meets the requirements of the preload list.
    ///
    /// ## Why it matters
    /// After `max-age` has passed, an attacker can intercept the next visit over HTTP again. A site
    /// that has `preload` but does not meet the requirements is not added to the preload list.
    ///
    /// ## How to fix it
    /// Raise the lifetime in the header: `Strict-Transport-Security: max-age=31536000; includeSubDomains`. Add
    /// `preload` only if every subdomain supports HTTPS.
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
    /// The check reads only the response of the start page. `hsts-invalid` reports a header that
    /// browsers ignore. The Observatory expects 182.5 days. 180 days, the default
    /// of several web frameworks, protect visitors as well.
    ///
    /// ## Also known as
    /// - Lighthouse: `has-hsts`
    /// - Observatory: `hsts-implemented-max-age-less-than-six-months`
    ///
    /// ## References
    /// - RFC 6797, HTTP Strict Transport Security, section 6.1.1 The max-age Directive
    /// - MDN HTTP Observatory, tests and scoring: Strict-Transport-Security
    /// - hstspreload.org, Submission Requirements
    HSTS_WEAK {
        id: "hsts-weak",
        title: "HSTS max-age too short or preload requirements not met",
        dimension: Security,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Headers, PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

/// 180 days, a common reading of half a year and the default of web frameworks.
const MIN_SECONDS: u64 = 15_552_000;
/// A year, the minimum of the preload list.
const MIN_SECONDS_TO_PRELOAD: u64 = 31_536_000;

fn evaluate(site: &Site) -> Outcome {
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(response_headers) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    let header = response_headers.get("strict-transport-security");
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
    if seconds < MIN_SECONDS {
        Some(format!(
            "The Strict-Transport-Security header has a max-age of {seconds} seconds; expected at least {MIN_SECONDS} (180 days)."
        ))
    } else if hsts.preload && seconds < MIN_SECONDS_TO_PRELOAD {
        Some(format!(
            "The Strict-Transport-Security header has preload and a max-age of {seconds} seconds; the preload list requires at least {MIN_SECONDS_TO_PRELOAD}."
        ))
    } else if hsts.preload && !hsts.include_subdomains {
        Some("The Strict-Transport-Security header has preload but no includeSubDomains, which the preload list requires.".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn applicable_and_affected(header: &str) -> (u64, u64) {
        let site = format!(
            "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nStrict-Transport-Security: {header}\n\n<p>x"
        );
        let tallied = audit(&HSTS_WEAK, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_max_age_of_180_days_passes_and_one_second_less_fails() {
        assert_eq!(applicable_and_affected("max-age=15552000"), (1, 0));
        assert_eq!(applicable_and_affected("max-age=15551999"), (1, 1));
        assert_eq!(applicable_and_affected("max-age=0"), (1, 1));
    }

    #[test]
    fn preload_requires_a_year_and_include_subdomains() {
        assert_eq!(
            applicable_and_affected("max-age=31536000; includeSubDomains; preload"),
            (1, 0)
        );
        assert_eq!(
            applicable_and_affected("max-age=15768000; includeSubDomains; preload"),
            (1, 1)
        );
        assert_eq!(applicable_and_affected("max-age=31536000; preload"), (1, 1));
    }

    #[test]
    fn an_invalid_header_is_not_applicable() {
        assert_eq!(applicable_and_affected("includeSubDomains"), (0, 0));
    }
}
