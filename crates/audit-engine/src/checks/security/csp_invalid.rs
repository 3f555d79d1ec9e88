//! Content Security Policies with errors that browsers ignore silently.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::policy::csp::{Directive, HEADER_ONLY, Policy, PolicySource, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy contains only directives and keywords that the standard defines.
    /// Each directive occurs once, keywords are in single quotes, and `'strict-dynamic'` is
    /// combined with a nonce or a hash.
    ///
    /// ## Why it matters
    /// Browsers ignore the parts of a policy that they do not understand, and report them only in
    /// the console. The policy then allows or blocks something other than its author intended.
    ///
    /// ## How to fix it
    /// Rewrite the directive as the CSP standard does, with quotes around keywords such as `'self'`, and merge
    /// repeated directives into one. Send `frame-ancestors`, `report-uri` and `sandbox` in the header, because
    /// browsers ignore them in a `meta` element.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src self; scripts-src 'none'
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'; script-src 'none'
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check accepts deprecated directives, and also repeated `report-uri` and `report-to`, which
    /// restrict nothing. It does not resolve the host names in the policy. The Observatory accepts unknown
    /// directives and keywords without quotes; this check reports them, because browsers ignore them. In
    /// rendered mode, too, the check judges the response: a policy that a script adds does not apply to what
    /// was loaded before it.
    ///
    /// ## Also known as
    /// - Common name: CSP syntax error
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 2.2 Policies
    CSP_INVALID {
        id: "csp-invalid",
        title: "Errors in the Content Security Policy",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const OTHER_DIRECTIVES: [&str; 17] = [
    "base-uri",
    "block-all-mixed-content",
    "disown-opener",
    "form-action",
    "frame-ancestors",
    "navigate-to",
    "plugin-types",
    "referrer",
    "reflected-xss",
    "report-to",
    "report-uri",
    "require-sri-for",
    "require-trusted-types-for",
    "sandbox",
    "trusted-types",
    "upgrade-insecure-requests",
    "webrtc",
];

const FETCH_DIRECTIVES: [&str; 17] = [
    "child-src",
    "connect-src",
    "default-src",
    "fenced-frame-src",
    "font-src",
    "frame-src",
    "img-src",
    "manifest-src",
    "media-src",
    "object-src",
    "prefetch-src",
    "script-src",
    "script-src-attr",
    "script-src-elem",
    "style-src",
    "style-src-attr",
    "style-src-elem",
];

const SOURCE_LISTS: [&str; 4] = ["base-uri", "form-action", "frame-ancestors", "worker-src"];

/// Keywords that need single quotes. No host has such a name.
const BARE_KEYWORDS: [&str; 7] = [
    "self",
    "none",
    "unsafe-inline",
    "unsafe-eval",
    "strict-dynamic",
    "unsafe-hashes",
    "report-sample",
];

fn evaluate(page: &Page) -> Outcome {
    let policies = enforced(page);
    if policies.is_empty() {
        return Outcome::NotApplicable;
    }
    Outcome::from_failures(policies.iter().flat_map(policy_errors).collect())
}

fn policy_errors(policy: &Policy) -> Vec<Evidence> {
    let mut found = Vec::new();
    let restricting = policy
        .repeated
        .iter()
        .filter(|name| !matches!(name.as_str(), "report-uri" | "report-to"));
    for name in restricting {
        found.push(error_evidence(
            &format!("repeated {name}"),
            name,
            format!("The {name} directive occurs more than once; browsers use only the first one."),
        ));
    }
    for directive in &policy.directives {
        found.extend(directive_error(policy, directive));
        if is_source_list(&directive.name) {
            found.extend(
                directive
                    .values
                    .iter()
                    .filter_map(|value| source_error(directive, value)),
            );
        }
    }
    let scripts = ["script-src-elem", "script-src"]
        .iter()
        .find_map(|name| policy.governing(name));
    found.extend(scripts.and_then(strict_dynamic_without_nonce_or_hash));
    found
}

fn is_source_list(name: &str) -> bool {
    FETCH_DIRECTIVES.contains(&name) || SOURCE_LISTS.contains(&name)
}

fn directive_error(policy: &Policy, directive: &Directive) -> Option<Evidence> {
    let name = directive.name.as_str();
    if !is_source_list(name) && !OTHER_DIRECTIVES.contains(&name) {
        let message =
            format!("`{name}` is not a directive of the CSP standard; browsers ignore it.");
        return Some(error_evidence(&format!("unknown {name}"), name, message));
    }
    if policy.source == PolicySource::Meta && HEADER_ONLY.contains(&name) {
        let message = format!(
            "Browsers ignore the {name} directive in a meta element; expected in the Content-Security-Policy header."
        );
        return Some(error_evidence(&format!("meta {name}"), name, message));
    }
    None
}

fn source_error(directive: &Directive, value: &str) -> Option<Evidence> {
    let name = &directive.name;
    let lower = value.to_ascii_lowercase();
    let message = if BARE_KEYWORDS.contains(&lower.as_str()) || is_bare_nonce_or_hash(&lower) {
        format!(
            "The {name} directive has {value} without single quotes, which browsers read as a host; expected '{value}'."
        )
    } else if value.starts_with('\'') && !value.ends_with('\'')
        || value.starts_with(['"', '‘', '’', '“', '”'])
    {
        format!(
            "The {name} directive has {value} with wrong quotation marks; expected single quotes."
        )
    } else {
        return None;
    };
    let key = if is_bare_nonce_or_hash(&lower) {
        "unquoted nonce or hash".to_owned()
    } else {
        format!("{name} {lower}")
    };
    Some(error_evidence(&key, name, message))
}

fn is_bare_nonce_or_hash(value: &str) -> bool {
    ["nonce-", "sha256-", "sha384-", "sha512-"]
        .iter()
        .any(|prefix| value.starts_with(prefix) && !value.contains('.'))
}

fn strict_dynamic_without_nonce_or_hash(directive: &Directive) -> Option<Evidence> {
    let sources = directive.sources();
    (sources.has("'strict-dynamic'") && !sources.has_nonce_or_hash()).then(|| {
        let name = &directive.name;
        let message = format!(
            "The {name} directive has 'strict-dynamic' but no nonce or hash, so no script can load."
        );
        error_evidence(&format!("strict-dynamic {name}"), name, message)
    })
}

fn error_evidence(key: &str, directive: &str, message: String) -> Evidence {
    Evidence::here().message(message).cause(
        key,
        format!("Error in the {directive} directive of the Content Security Policy"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, outcome_of};

    fn failures(policy: &str) -> usize {
        let page = Page::builder()
            .header("Content-Security-Policy", policy)
            .html("x");
        match outcome_of(&CSP_INVALID, &page) {
            Outcome::Passed => 0,
            Outcome::Failed(evidence) => evidence.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_valid_policy_passes() {
        let policy = "default-src 'none'; script-src 'self' 'nonce-r4' 'strict-dynamic' https:; img-src * data: blob:; worker-src 'self'; report-uri /csp; report-to csp; sandbox allow-scripts; trusted-types default; require-trusted-types-for 'script'; upgrade-insecure-requests; block-all-mixed-content";
        assert_eq!(failures(policy), 0);
    }

    #[test]
    fn unknown_and_repeated_directives_fail() {
        assert_eq!(failures("defualt-src 'self'; img-src *; img-src 'self'"), 2);
    }

    #[test]
    fn keywords_without_quotes_fail() {
        assert_eq!(failures("default-src self; script-src nonce-abc"), 2);
        assert_eq!(failures("default-src \"self\""), 1);
    }

    #[test]
    fn a_host_whose_name_starts_like_a_nonce_passes() {
        assert_eq!(failures("default-src nonce-cdn.example.com"), 0);
    }

    #[test]
    fn strict_dynamic_without_nonce_or_hash_fails() {
        assert_eq!(failures("script-src 'strict-dynamic' https:"), 1);
        assert_eq!(failures("default-src 'strict-dynamic'"), 1);
    }

    #[test]
    fn strict_dynamic_in_directives_that_do_not_govern_scripts_passes() {
        let policy = "default-src 'strict-dynamic'; script-src 'self'; img-src 'strict-dynamic'";
        assert_eq!(failures(policy), 0);
    }

    #[test]
    fn repeated_reporting_directives_pass() {
        assert_eq!(
            failures("default-src 'self'; report-uri /a; report-uri /b; report-to a; report-to b"),
            0
        );
    }

    #[test]
    fn header_only_directives_in_a_meta_element_fail() {
        assert_fails(
            &CSP_INVALID,
            "<meta http-equiv=content-security-policy content=\"default-src 'self'; frame-ancestors 'none'\">",
            1,
        );
    }

    #[test]
    fn no_policy_is_not_applicable() {
        assert_not_applicable(&CSP_INVALID, "<p>x");
    }
}
