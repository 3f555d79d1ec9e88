//! Content Security Policies that do not block injected scripts.

use crate::check::{Evidence, Failures, Outcome};
use crate::declare_check;
use crate::policy::csp::{Directive, Policy, SourceList, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy blocks injected scripts: it restricts scripts, does not allow
    /// all inline scripts, and allows neither `data:` nor every host as a script source.
    ///
    /// ## Why it matters
    /// The main purpose of a policy is to block injected scripts (cross-site scripting, XSS). A
    /// policy that allows `'unsafe-inline'`, `data:` or `https:` for scripts does not block them.
    ///
    /// ## How to fix it
    /// Turn inline scripts into files and remove `'unsafe-inline'` from `script-src`, or give each inline script a
    /// nonce (`script-src 'nonce-…' 'strict-dynamic'`) or a hash. Replace `*`, `https:` and `data:` with the hosts
    /// that scripts are loaded from.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline'
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
    /// The check does not evaluate whether an allowed host serves files that attackers can misuse. It does
    /// not evaluate inline styles. If several policies apply, the check fails only if all of them allow the
    /// script. The Observatory counts plug-ins (`object-src`) here; `csp-weak-fallbacks` evaluates them. In
    /// rendered mode, too, the check judges the response: a policy that a script adds does not apply to what
    /// was loaded before it.
    ///
    /// ## Also known as
    /// - Lighthouse: `csp-xss`
    /// - Observatory: `csp-implemented-with-unsafe-inline`
    /// - ZAP: CSP: script-src unsafe-inline
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 6.7.3.2 Does a source list allow all inline behavior for type?
    /// - MDN HTTP Observatory, tests and scoring: Content Security Policy
    CSP_UNSAFE_INLINE {
        id: "csp-unsafe-inline",
        title: "Content Security Policy does not block injected scripts",
        dimension: Security,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let policies = enforced(page);
    if !policies.iter().any(Policy::is_heeded) {
        return Outcome::NotApplicable;
    }
    let elements = governing(&policies, "script-src-elem");
    let handlers = governing(&policies, "script-src-attr");
    if elements.is_empty() {
        return Outcome::failed(vec![unrestricted()]);
    }
    let inline = |list: SourceList<'_>| list.allows_all_inline_scripts();
    let mut failures = Failures::default();
    failures.extend(
        allowed_by_all(&elements, inline).map(|found| permissive_source(found, "'unsafe-inline'")),
    );
    if failures.is_empty() {
        failures.extend(
            allowed_by_all(&handlers, inline)
                .map(|found| permissive_source(found, "'unsafe-inline'")),
        );
    }
    failures.extend(
        allowed_by_all(&elements, |list| list.allows_data_scripts())
            .map(|found| permissive_source(found, "data:")),
    );
    failures.extend(
        allowed_by_all(&elements, |list| list.broad_script_source().is_some()).map(|found| {
            permissive_source(found, found.sources().broad_script_source().unwrap_or("*"))
        }),
    );
    Outcome::from_failures(failures)
}

fn governing<'a>(policies: &'a [Policy], name: &str) -> Vec<&'a Directive> {
    policies
        .iter()
        .filter_map(|policy| policy.governing(name))
        .collect()
}

/// The first directive, if all directives allow it.
fn allowed_by_all<'a>(
    directives: &[&'a Directive],
    allows: impl Fn(SourceList<'_>) -> bool,
) -> Option<&'a Directive> {
    directives
        .iter()
        .all(|directive| allows(directive.sources()))
        .then(|| directives.first().copied())?
}

fn unrestricted() -> Evidence {
    Evidence::here()
        .message("The Content Security Policy has neither script-src nor default-src, so it does not restrict scripts.")
        .cause(
            "unrestricted",
            "The Content Security Policy does not restrict scripts",
        )
}

fn permissive_source(directive: &Directive, source: &str) -> Evidence {
    let name = &directive.name;
    Evidence::header(
        "Content-Security-Policy",
        &format!("{name} {}", directive.values.join(" ")),
    )
    .message(format!(
        "The {name} directive allows {source}, so injected scripts can run; expected only the hosts, nonces or hashes of the site's own scripts."
    ))
    .cause(
        format!("{name} {source}"),
        format!("The Content Security Policy allows {source} in {name}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_not_applicable, outcome_of};

    fn failures(policies: &[&str]) -> usize {
        let builder = policies.iter().fold(Page::builder(), |builder, policy| {
            builder.header("Content-Security-Policy", policy)
        });
        match outcome_of(&CSP_UNSAFE_INLINE, &builder.html("x")) {
            Outcome::Passed => 0,
            Outcome::Failed(evidence) => evidence.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_strict_policy_passes() {
        assert_eq!(failures(&["default-src 'none'; script-src 'self'"]), 0);
        assert_eq!(
            failures(&["script-src 'nonce-x' 'strict-dynamic' 'unsafe-inline' https: http:"]),
            0
        );
    }

    #[test]
    fn unsafe_inline_fails_in_default_src_too() {
        assert_eq!(failures(&["default-src 'self' 'unsafe-inline'"]), 1);
    }

    #[test]
    fn each_permissive_source_is_a_separate_finding() {
        assert_eq!(failures(&["script-src * data: 'unsafe-inline'"]), 3);
    }

    #[test]
    fn inline_event_handlers_alone_fail() {
        assert_eq!(
            failures(&["script-src 'self'; script-src-attr 'unsafe-inline'"]),
            1
        );
    }

    #[test]
    fn inline_styles_are_ignored() {
        assert_eq!(
            failures(&["default-src 'self'; style-src 'unsafe-inline'"]),
            0
        );
    }

    #[test]
    fn a_policy_that_does_not_restrict_scripts_fails() {
        assert_eq!(failures(&["frame-ancestors 'self'"]), 1);
    }

    #[test]
    fn a_second_stricter_policy_passes() {
        assert_eq!(
            failures(&["script-src 'unsafe-inline'", "script-src 'self'"]),
            0
        );
        assert_eq!(
            failures(&["frame-ancestors 'self'", "script-src 'self'"]),
            0
        );
    }

    #[test]
    fn pages_without_a_policy_are_not_applicable() {
        assert_not_applicable(&CSP_UNSAFE_INLINE, "<p>x");
    }
}
