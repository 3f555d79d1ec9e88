//! Pages without clickjacking protection.

use domain::Severity;

use crate::check::{Evidence, Outcome};
use crate::common::documents::at_stake::AtStake;
use crate::declare_check;
use crate::policy::csp::{enforced, is_broad};
use crate::policy::frame_options::FrameOptions;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every page restricts which sites may embed it in a frame, either with the `frame-ancestors`
    /// directive in the `Content-Security-Policy` header, or with `X-Frame-Options: DENY` or
    /// `X-Frame-Options: SAMEORIGIN`.
    ///
    /// ## Why it matters
    /// An attacker can load an unprotected page in an invisible frame on top of the buttons of
    /// another site. A visitor who clicks there unknowingly activates a button of the framed page.
    /// This attack is called clickjacking.
    ///
    /// ## How to fix it
    /// Add `frame-ancestors 'self'` (or `'none'`) to the `Content-Security-Policy` header, and send `X-Frame-Options:
    /// SAMEORIGIN` for older browsers. On nginx: `add_header X-Frame-Options SAMEORIGIN always;`.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: frame-ancestors 'self'
    /// X-Frame-Options: SAMEORIGIN
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// On a page without cookies, without forms that send data and without password fields, a click that an attacker
    /// steals does no harm; there the finding is minor.
    ///
    /// A page that every site may embed on purpose, such as a widget, fails too. The Observatory
    /// accepts `ALLOW-FROM` and every `frame-ancestors` directive. This check does not, because
    /// browsers ignore `ALLOW-FROM`, and because `frame-ancestors` can allow every host.
    ///
    /// ## Also known as
    /// - Lighthouse: `clickjacking-mitigation`
    /// - Observatory: `x-frame-options-not-implemented`
    /// - ZAP: Missing Anti-clickjacking Header
    /// - CWE: CWE-1021
    /// - Common name: UI redressing
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 6.4.2 frame-ancestors
    /// - RFC 7034, HTTP Header Field X-Frame-Options
    /// - MDN HTTP Observatory, tests and scoring: X-Frame-Options
    CLICKJACKING_UNPROTECTED {
        id: "clickjacking-unprotected",
        title: "Missing clickjacking protection",
        dimension: Security,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let outcome = evaluate_protection(page);
    match AtStake::on(page) {
        AtStake::Session => outcome,
        // A click that an attacker steals does nothing here.
        AtStake::Scripts | AtStake::Nothing => outcome.with_severity(Severity::Minor),
    }
}

fn evaluate_protection(page: &Page) -> Outcome {
    let policies = enforced(page);
    let ancestors: Vec<_> = policies
        .iter()
        .filter_map(|policy| policy.directive("frame-ancestors"))
        .collect();
    // Browsers ignore X-Frame-Options if frame-ancestors is set.
    let Some(first) = ancestors.first() else {
        return evaluate_x_frame_options(page);
    };
    let restricted = ancestors
        .iter()
        .any(|directive| !directive.sources().iter().any(is_broad));
    Outcome::pass_if(restricted, || {
        Evidence::header(
            "Content-Security-Policy",
            &format!("frame-ancestors {}", first.values.join(" ")),
        )
        .message("The frame-ancestors directive allows every site to embed the page in a frame.")
    })
}

fn evaluate_x_frame_options(page: &Page) -> Outcome {
    match FrameOptions::from_headers(page.headers()) {
        FrameOptions::Restricted => Outcome::Passed,
        FrameOptions::Missing => Outcome::failed(vec![Evidence::here().message(
            "The response has neither frame-ancestors in the Content-Security-Policy header nor X-Frame-Options, so every site can embed the page in a frame.",
        )]),
        FrameOptions::Ignored(value) => {
            Outcome::failed(vec![Evidence::header("X-Frame-Options", &value).message(format!(
                "Browsers ignore X-Frame-Options with the value `{value}`; expected DENY or SAMEORIGIN."
            ))])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, outcome_of};

    fn passes(headers: &[(&str, &str)]) -> bool {
        let builder = headers
            .iter()
            .fold(Page::builder(), |builder, (name, value)| {
                builder.header(name, value)
            });
        match outcome_of(&CLICKJACKING_UNPROTECTED, &builder.html("x")) {
            Outcome::Passed => true,
            Outcome::Failed(_) => false,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn either_header_passes() {
        assert!(passes(&[("X-Frame-Options", "deny")]));
        assert!(passes(&[(
            "Content-Security-Policy",
            "frame-ancestors 'none'"
        )]));
        assert!(passes(&[(
            "Content-Security-Policy",
            "frame-ancestors https://partner.example"
        )]));
    }

    #[test]
    fn pages_without_either_header_fail() {
        assert!(!passes(&[]));
        assert!(!passes(&[(
            "Content-Security-Policy",
            "default-src 'self'"
        )]));
    }

    #[test]
    fn frame_ancestors_takes_precedence_over_x_frame_options() {
        assert!(!passes(&[
            ("Content-Security-Policy", "frame-ancestors *"),
            ("X-Frame-Options", "DENY"),
        ]));
    }

    #[test]
    fn x_frame_options_values_that_browsers_ignore_fail() {
        assert!(!passes(&[(
            "X-Frame-Options",
            "ALLOW-FROM https://a.example"
        )]));
        assert!(!passes(&[("X-Frame-Options", "")]));
    }

    #[test]
    fn frame_ancestors_in_a_meta_element_fails() {
        assert_fails(
            &CLICKJACKING_UNPROTECTED,
            "<meta http-equiv=content-security-policy content=\"frame-ancestors 'none'\"><meta http-equiv=X-Frame-Options content=DENY>",
            1,
        );
    }
}
