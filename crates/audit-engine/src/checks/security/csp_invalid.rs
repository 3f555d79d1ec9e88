//! Policies that browsers read differently from what was meant.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::policy::csp::{Directive, HEADER_ONLY, Policy, PolicySource, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy has only directives and keywords that the standard knows, each
    /// directive once, keywords in single quotes, and `'strict-dynamic'` together with a nonce or
    /// a hash.
    ///
    /// ## Why it matters
    /// Browsers skip what they do not understand and say so only in their console. The policy then
    /// allows or forbids something else than its author meant.
    ///
    /// ## How to fix it
    /// Correct the name or the quotes that the finding shows, merge repeated directives into one,
    /// and send `frame-ancestors`, `report-uri` and `sandbox` in the header, since browsers ignore
    /// them in a `meta` element.
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
    /// Directives that the standard has retired are accepted, and so are repeated `report-uri` and
    /// `report-to`, which restrict nothing. Host names in the policy are not resolved. The Observatory
    /// lets pass what is written wrongly (unknown directives, keywords without quotes); this check
    /// does not, because browsers skip it.
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 2.2 Policies
    CSP_INVALID {
        id: "csp-invalid",
        title: "The Content Security Policy has mistakes",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers],
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

/// Keywords as they are meant to be quoted. A host of such a name does not exist.
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
    Outcome::from_failures(policies.iter().flat_map(mistakes).collect())
}

fn mistakes(policy: &Policy) -> Vec<Evidence> {
    let mut found = Vec::new();
    let restricting = policy
        .repeated
        .iter()
        .filter(|name| !matches!(name.as_str(), "report-uri" | "report-to"));
    for name in restricting {
        found.push(mistake(
            &format!("repeated {name}"),
            name,
            format!("The directive {name} occurs twice; browsers use the first one alone."),
        ));
    }
    for directive in &policy.directives {
        found.extend(misnamed(policy, directive));
        if is_source_list(&directive.name) {
            found.extend(
                directive
                    .values
                    .iter()
                    .filter_map(|value| misspelt(directive, value)),
            );
        }
    }
    let scripts = ["script-src-elem", "script-src"]
        .iter()
        .find_map(|name| policy.governing(name));
    found.extend(scripts.and_then(lonely_strict_dynamic));
    found
}

fn is_source_list(name: &str) -> bool {
    FETCH_DIRECTIVES.contains(&name) || SOURCE_LISTS.contains(&name)
}

fn misnamed(policy: &Policy, directive: &Directive) -> Option<Evidence> {
    let name = directive.name.as_str();
    if !is_source_list(name) && !OTHER_DIRECTIVES.contains(&name) {
        let message =
            format!("`{name}` is no directive that the standard knows; browsers skip it.");
        return Some(mistake(&format!("unknown {name}"), name, message));
    }
    if policy.source == PolicySource::Meta && HEADER_ONLY.contains(&name) {
        let message =
            format!("Browsers ignore {name} in a meta element; it belongs in the header.");
        return Some(mistake(&format!("meta {name}"), name, message));
    }
    None
}

fn misspelt(directive: &Directive, value: &str) -> Option<Evidence> {
    let name = &directive.name;
    let lower = value.to_ascii_lowercase();
    let message = if BARE_KEYWORDS.contains(&lower.as_str()) || is_bare_nonce_or_hash(&lower) {
        format!(
            "The directive {name} has {value} without quotes, which browsers take for a host; expected '{value}'."
        )
    } else if value.starts_with('\'') && !value.ends_with('\'')
        || value.starts_with(['"', '‘', '’', '“', '”'])
    {
        format!(
            "The directive {name} has {value}, whose quotes are not the single quotes browsers expect."
        )
    } else {
        return None;
    };
    let key = if is_bare_nonce_or_hash(&lower) {
        "unquoted nonce or hash".to_owned()
    } else {
        format!("{name} {lower}")
    };
    Some(mistake(&key, name, message))
}

fn is_bare_nonce_or_hash(value: &str) -> bool {
    ["nonce-", "sha256-", "sha384-", "sha512-"]
        .iter()
        .any(|prefix| value.starts_with(prefix) && !value.contains('.'))
}

fn lonely_strict_dynamic(directive: &Directive) -> Option<Evidence> {
    let sources = directive.sources();
    (sources.has("'strict-dynamic'") && !sources.has_nonce_or_hash()).then(|| {
        let name = &directive.name;
        let message = format!(
            "The directive {name} has 'strict-dynamic' but no nonce and no hash, so that no script can load."
        );
        mistake(&format!("strict-dynamic {name}"), name, message)
    })
}

fn mistake(key: &str, directive: &str, message: String) -> Evidence {
    Evidence::here().message(message).cause(
        key,
        format!("The Content Security Policy has a mistake in {directive}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, judge};

    fn failures(policy: &str) -> usize {
        let page = Page::builder()
            .header("Content-Security-Policy", policy)
            .html("x");
        match judge(&CSP_INVALID, &page) {
            Outcome::Passed => 0,
            Outcome::Failed(evidence) => evidence.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_full_policy_passes() {
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
    fn a_host_whose_name_begins_like_a_nonce_passes() {
        assert_eq!(failures("default-src nonce-cdn.example.com"), 0);
    }

    #[test]
    fn strict_dynamic_alone_fails() {
        assert_eq!(failures("script-src 'strict-dynamic' https:"), 1);
        assert_eq!(failures("default-src 'strict-dynamic'"), 1);
    }

    #[test]
    fn strict_dynamic_where_it_decides_over_no_script_passes() {
        let policy = "default-src 'strict-dynamic'; script-src 'self'; img-src 'strict-dynamic'";
        assert_eq!(failures(policy), 0);
    }

    #[test]
    fn repeated_places_for_reports_pass() {
        assert_eq!(
            failures("default-src 'self'; report-uri /a; report-uri /b; report-to a; report-to b"),
            0
        );
    }

    #[test]
    fn header_directives_in_a_meta_fail() {
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
