//! Content Security Policies that allow `'unsafe-eval'`.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::policy::csp::{Directive, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy does not allow `'unsafe-eval'` for scripts.
    ///
    /// ## Why it matters
    /// With `'unsafe-eval'`, scripts can run text as code, for example with `eval`. An attacker who
    /// controls part of that text controls the page despite the policy.
    ///
    /// ## How to fix it
    /// Remove `'unsafe-eval'` from `script-src` (or `default-src`), and replace `eval`,
    /// `new Function` and templates that are compiled in the browser. If only WebAssembly needs it,
    /// use `'wasm-unsafe-eval'`.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-eval'
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'; script-src 'self'
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// For a page whose policy does not restrict scripts, the outcome is "not applicable";
    /// `csp-unsafe-inline` reports it. The Observatory also counts `'unsafe-eval'` in `style-src`. This check
    /// does not, because browsers apply it only to scripts. In rendered mode, too, the check judges the
    /// response: a policy that a script adds does not apply to what was loaded before it.
    ///
    /// ## Also known as
    /// - Observatory: `csp-implemented-with-unsafe-eval`
    /// - ZAP: CSP: script-src unsafe-eval
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 4.4 Integration with ECMAScript
    /// - MDN HTTP Observatory, tests and scoring: Content Security Policy
    CSP_UNSAFE_EVAL {
        id: "csp-unsafe-eval",
        title: "Content Security Policy allows unsafe-eval",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let policies = enforced(page);
    let directives: Vec<&Directive> = policies
        .iter()
        .filter_map(|policy| policy.governing("script-src"))
        .collect();
    let Some(first) = directives.first() else {
        return Outcome::NotApplicable;
    };
    let forbidden = directives
        .iter()
        .any(|directive| !directive.sources().has("'unsafe-eval'"));
    Outcome::pass_if(forbidden, || {
        let name = &first.name;
        Evidence::header(
            "Content-Security-Policy",
            &format!("{name} {}", first.values.join(" ")),
        )
        .message(format!(
            "The {name} directive allows 'unsafe-eval', so scripts can run text as code."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_not_applicable, outcome_of};

    fn fails(policies: &str) -> bool {
        let page = Page::builder()
            .header("Content-Security-Policy", policies)
            .html("x");
        matches!(outcome_of(&CSP_UNSAFE_EVAL, &page), Outcome::Failed(_))
    }

    #[test]
    fn unsafe_eval_fails_in_default_src_too() {
        assert!(fails("script-src 'Unsafe-Eval'"));
        assert!(fails("default-src 'self' 'unsafe-eval'"));
    }

    #[test]
    fn wasm_unsafe_eval_passes() {
        assert!(!fails("script-src 'self' 'wasm-unsafe-eval'"));
    }

    #[test]
    fn script_src_overrides_default_src() {
        assert!(!fails("default-src 'unsafe-eval'; script-src 'self'"));
    }

    #[test]
    fn a_second_stricter_policy_passes() {
        assert!(!fails("script-src 'unsafe-eval', script-src 'self'"));
    }

    #[test]
    fn pages_without_a_policy_are_not_applicable() {
        assert_not_applicable(&CSP_UNSAFE_EVAL, "<p>x");
    }
}
