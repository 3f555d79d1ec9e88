//! Content Security Policies without `object-src`, `base-uri` or `form-action`.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::policy::csp::{Policy, enforced, is_broad};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy restricts plug-ins (`object-src`, or `default-src`), the base
    /// URL of relative links (`base-uri`) and the targets of forms (`form-action`).
    ///
    /// ## Why it matters
    /// `base-uri` and `form-action` do not fall back to `default-src`. If they are not set,
    /// injected markup can submit form data to another site or make the page load its scripts from
    /// another host.
    ///
    /// ## How to fix it
    /// Add `object-src 'none'; base-uri 'none'; form-action 'self'` to the policy. If forms submit
    /// to other hosts, list these in `form-action`.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// `clickjacking-unprotected` evaluates framing (`frame-ancestors`). For pages without a policy, the
    /// outcome is "not applicable". In rendered mode, too, the check judges the response: a policy that a
    /// script adds does not apply to what was loaded before it.
    ///
    /// ## Also known as
    /// - ZAP: CSP: Failure to Define Directive with No Fallback
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, sections 6.3 Document Directives and 6.4 Navigation Directives
    CSP_WEAK_FALLBACKS {
        id: "csp-weak-fallbacks",
        title: "CSP does not restrict object-src, base-uri or form-action",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const DIRECTIVES: [(&str, &str); 3] = [
    ("object-src", "plug-ins"),
    ("base-uri", "the base URL of relative links"),
    ("form-action", "the targets of forms"),
];

fn evaluate(page: &Page) -> Outcome {
    let policies = enforced(page);
    if !policies.iter().any(Policy::is_heeded) {
        return Outcome::NotApplicable;
    }
    Outcome::for_each(DIRECTIVES, |(name, what)| {
        let restricted = policies.iter().any(|policy| restricts(policy, name));
        Verdict::pass_if(restricted, || {
            Evidence::here()
                .message(format!(
                    "The Content Security Policy does not restrict {what}: {name} is not set or allows every host."
                ))
                .cause(
                    name,
                    format!("The Content Security Policy does not restrict {what} ({name})"),
                )
        })
    })
}

fn restricts(policy: &Policy, name: &str) -> bool {
    policy
        .governing(name)
        .is_some_and(|directive| !directive.sources().iter().any(is_broad))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_not_applicable, outcome_of};

    fn failures(policy: &str) -> usize {
        let page = Page::builder()
            .header("Content-Security-Policy", policy)
            .html("x");
        match outcome_of(&CSP_WEAK_FALLBACKS, &page) {
            Outcome::Passed => 0,
            Outcome::Failed(evidence) => evidence.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn default_src_restricts_only_plug_ins() {
        assert_eq!(failures("default-src 'self'"), 2);
        assert_eq!(
            failures("default-src 'self'; base-uri 'self'; form-action 'self'"),
            0
        );
    }

    #[test]
    fn directives_without_a_value_pass() {
        assert_eq!(failures("object-src; base-uri; form-action"), 0);
    }

    #[test]
    fn directives_that_allow_every_host_fail() {
        assert_eq!(failures("default-src *; base-uri *; form-action https:"), 3);
    }

    #[test]
    fn several_policies_are_combined() {
        assert_eq!(
            failures("default-src 'none', base-uri 'none', form-action 'none'"),
            0
        );
    }

    #[test]
    fn no_policy_is_not_applicable() {
        assert_not_applicable(&CSP_WEAK_FALLBACKS, "<p>x");
    }
}
