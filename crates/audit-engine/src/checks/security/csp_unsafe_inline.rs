//! Policies that let injected scripts run.

use crate::check::{Evidence, Failures, Outcome};
use crate::declare_check;
use crate::policy::csp::{Directive, Policy, SourceList, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy keeps injected scripts from running: it restricts scripts, does
    /// not allow every inline script, and allows neither `data:` nor every host as their source.
    ///
    /// ## Why it matters
    /// Stopping injected scripts is what a policy is for. One that allows `'unsafe-inline'`,
    /// `data:` or `https:` for scripts looks like protection and gives none.
    ///
    /// ## How to fix it
    /// Move inline scripts into files and remove `'unsafe-inline'` from `script-src`, or give each
    /// inline script a nonce (`script-src 'nonce-…' 'strict-dynamic'`) or a hash. Replace `*`,
    /// `https:` and `data:` by the hosts that scripts come from.
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
    /// Whether a listed host serves files that attackers could misuse is not judged. Inline styles
    /// are not judged. Where several policies apply, a script has to be allowed by all of them.
    /// Plug-ins (`object-src`), which the Observatory counts here, are judged by the check
    /// csp-weak-fallbacks.
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 6.7.3.2 Does a source list allow all inline behavior for type?
    /// - MDN HTTP Observatory, tests and scoring: Content Security Policy
    CSP_UNSAFE_INLINE {
        id: "csp-unsafe-inline",
        title: "The Content Security Policy lets injected scripts run",
        dimension: Security,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [Dom, Headers],
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
    failures.extend(allowed_by_all(&elements, inline).map(|found| lax(found, "'unsafe-inline'")));
    if failures.is_empty() {
        failures
            .extend(allowed_by_all(&handlers, inline).map(|found| lax(found, "'unsafe-inline'")));
    }
    failures.extend(
        allowed_by_all(&elements, |list| list.allows_data_scripts())
            .map(|found| lax(found, "data:")),
    );
    failures.extend(
        allowed_by_all(&elements, |list| list.broad_script_source().is_some())
            .map(|found| lax(found, found.sources().broad_script_source().unwrap_or("*"))),
    );
    Outcome::from_failures(failures)
}

fn governing<'a>(policies: &'a [Policy], name: &str) -> Vec<&'a Directive> {
    policies
        .iter()
        .filter_map(|policy| policy.governing(name))
        .collect()
}

/// The first directive, when every one of them allows it.
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
        .message("The policy has neither script-src nor default-src, so it does not restrict scripts at all.")
        .cause(
            "unrestricted",
            "The Content Security Policy does not restrict scripts",
        )
}

fn lax(directive: &Directive, source: &str) -> Evidence {
    let name = &directive.name;
    Evidence::header(
        "Content-Security-Policy",
        &format!("{name} {}", directive.values.join(" ")),
    )
    .message(format!(
        "The directive {name} allows {source}, so that injected scripts run; expected are the hosts, nonces or hashes of the site's own scripts."
    ))
    .cause(
        format!("{name} {source}"),
        format!("The Content Security Policy allows {source} in {name}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_not_applicable, judge};

    fn failures(policies: &[&str]) -> usize {
        let builder = policies.iter().fold(Page::builder(), |builder, policy| {
            builder.header("Content-Security-Policy", policy)
        });
        match judge(&CSP_UNSAFE_INLINE, &builder.html("x")) {
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
    fn every_kind_of_laxness_is_named() {
        assert_eq!(failures(&["script-src * data: 'unsafe-inline'"]), 3);
    }

    #[test]
    fn inline_handlers_alone_fail() {
        assert_eq!(
            failures(&["script-src 'self'; script-src-attr 'unsafe-inline'"]),
            1
        );
    }

    #[test]
    fn inline_styles_do_not_count() {
        assert_eq!(
            failures(&["default-src 'self'; style-src 'unsafe-inline'"]),
            0
        );
    }

    #[test]
    fn a_policy_without_a_word_on_scripts_fails() {
        assert_eq!(failures(&["frame-ancestors 'self'"]), 1);
    }

    #[test]
    fn a_second_stricter_policy_rescues() {
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
    fn no_policy_is_another_checks_matter() {
        assert_not_applicable(&CSP_UNSAFE_INLINE, "<p>x");
    }
}
