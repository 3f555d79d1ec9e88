//! Referrer policies that expose more than the browser default, or that browsers ignore.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::policy::referrer::{Declared, declared};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// If the page sets a referrer policy, the policy does not expose more to other sites than the
    /// default of browsers does.
    ///
    /// ## Why it matters
    /// With `unsafe-url`, every site that the page links to or loads files from receives the full
    /// URL of the page, which can contain search terms, names or tokens. `origin`,
    /// `origin-when-cross-origin` and `no-referrer-when-downgrade` also expose more than the
    /// default.
    ///
    /// ## How to fix it
    /// Send `Referrer-Policy: strict-origin-when-cross-origin`, or `no-referrer` to send no
    /// referrer. Remove a `meta name="referrer"` element that sets another policy.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Referrer-Policy: unsafe-url
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Referrer-Policy: strict-origin-when-cross-origin
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// A page without a policy passes, because the default of browsers is safe. The check does not evaluate
    /// the policies of individual links and images (`referrerpolicy`). In rendered mode, too, the check
    /// judges the response: a policy that a script adds does not apply to what was loaded before it.
    ///
    /// ## Also known as
    /// - Observatory: `referrer-policy-unsafe`, `referrer-policy-header-invalid`
    /// - CWE: CWE-200
    ///
    /// ## References
    /// - W3C Referrer Policy
    /// - MDN HTTP Observatory, tests and scoring: Referrer-Policy
    REFERRER_POLICY_UNSAFE {
        id: "referrer-policy-unsafe",
        title: "Unsafe or invalid Referrer-Policy",
        dimension: Security,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const UNSAFE: [&str; 4] = [
    "unsafe-url",
    "origin",
    "origin-when-cross-origin",
    "no-referrer-when-downgrade",
];

fn evaluate(page: &Page) -> Outcome {
    match declared(page) {
        Declared::Policy(policy) if UNSAFE.contains(&policy) => failed(
            policy,
            format!(
                "The referrer policy is {policy}, which exposes more to other sites than the default; expected strict-origin-when-cross-origin."
            ),
        ),
        Declared::Unknown(written) => failed(
            written,
            format!(
                "The referrer policy `{written}` is not a valid policy, so browsers ignore it; expected a policy such as strict-origin-when-cross-origin."
            ),
        ),
        Declared::Policy(_) | Declared::Nothing => Outcome::Passed,
    }
}

fn failed(policy: &str, message: String) -> Outcome {
    let evidence = Evidence::header("Referrer-Policy", policy)
        .message(message)
        .cause(
            policy.to_ascii_lowercase(),
            format!("The referrer policy is `{policy}`"),
        );
    Outcome::failed(vec![evidence])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome_of};

    #[test]
    fn no_policy_passes() {
        assert_passes(&REFERRER_POLICY_UNSAFE, "<p>x");
    }

    #[test]
    fn a_safe_policy_passes() {
        let page = Page::builder()
            .header(
                "Referrer-Policy",
                "no-referrer, strict-origin-when-cross-origin",
            )
            .html("x");
        assert_eq!(outcome_of(&REFERRER_POLICY_UNSAFE, &page), Outcome::Passed);
    }

    #[test]
    fn an_unsafe_or_unknown_policy_fails() {
        assert_fails(
            &REFERRER_POLICY_UNSAFE,
            "<meta name=referrer content=origin>",
            1,
        );
        assert_fails(
            &REFERRER_POLICY_UNSAFE,
            "<meta name=referrer content=nothing>",
            1,
        );
    }
}
