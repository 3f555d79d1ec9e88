//! Content Security Policies that allow plain HTTP sources.

use url::Url;

use crate::check::{Evidence, Outcome};
use crate::common::http::transport::{is_plain, upgrades_requests};
use crate::declare_check;
use crate::policy::csp::{Directive, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy of an HTTPS page lists no `http:` sources.
    ///
    /// ## Why it matters
    /// An attacker on the network can read and replace files that are loaded over plain HTTP. A
    /// policy that allows them on an HTTPS page also hides mistakes that the browser would
    /// otherwise report.
    ///
    /// ## How to fix it
    /// Replace `http:` with `https:` in the policy, or write the host without a scheme. On an HTTPS
    /// page, a host without a scheme allows only HTTPS.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'; script-src 'self' http://static.example.com
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Content-Security-Policy: default-src 'self'; script-src 'self' https://static.example.com
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check ignores `http:` next to `'strict-dynamic'`, because it is a fallback for old
    /// browsers. Unlike the Observatory, it also accepts `http:` if the policy has
    /// `upgrade-insecure-requests`: browsers then request HTTPS, which `http:` sources match.
    ///
    /// ## Also known as
    /// - Observatory: `csp-implemented-with-insecure-scheme`
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 2.3.1 Source Lists
    /// - MDN HTTP Observatory, tests and scoring: Content Security Policy
    CSP_INSECURE_SCHEME {
        id: "csp-insecure-scheme",
        title: "Content Security Policy allows plain HTTP sources",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Headers],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let policies = enforced(page);
    if policies.is_empty() || !page.is_https() {
        return Outcome::NotApplicable;
    }
    if upgrades_requests(&policies) {
        return Outcome::Passed;
    }
    let failures = policies
        .iter()
        .flat_map(|policy| &policy.directives)
        .filter(|directive| restricts_requests(directive))
        .flat_map(|directive| {
            directive
                .sources()
                .iter()
                .filter(|source| is_plain_source(source))
                .map(move |source| evidence(directive, source))
        });
    Outcome::from_failures(failures.collect())
}

/// Whether the directive restricts what is loaded or where forms submit, and browsers apply schemes in it.
fn restricts_requests(directive: &Directive) -> bool {
    let name = directive.name.as_str();
    let is_request_directive = name.ends_with("-src")
        || name.ends_with("-src-elem")
        || name.ends_with("-src-attr")
        || name == "form-action";
    is_request_directive && !directive.sources().has("'strict-dynamic'")
}

fn is_plain_source(source: &str) -> bool {
    let source = source.to_ascii_lowercase();
    match source.strip_prefix("http:") {
        None => false,
        Some("") => true,
        // A pattern such as `http://*.example.com:*` is not a URL, but allows plain HTTP all the same.
        Some(_) => Url::parse(&source).map_or(true, |url| is_plain(&url)),
    }
}

fn evidence(directive: &Directive, source: &str) -> Evidence {
    let name = &directive.name;
    Evidence::header(
        "Content-Security-Policy",
        &format!("{name} {}", directive.values.join(" ")),
    )
    .message(format!(
        "The {name} directive allows the plain HTTP source {source} on an HTTPS page."
    ))
    .cause(
        format!("{name} {source}"),
        format!("The Content Security Policy allows {source} in {name}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::outcome_of;

    fn failures(policy: &str) -> usize {
        let page = Page::builder()
            .header("Content-Security-Policy", policy)
            .html("x");
        match outcome_of(&CSP_INSECURE_SCHEME, &page) {
            Outcome::Passed => 0,
            Outcome::Failed(evidence) => evidence.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn http_schemes_and_hosts_fail() {
        assert_eq!(
            failures("img-src http: https:; font-src http://*.example.com"),
            2
        );
    }

    #[test]
    fn loopback_and_https_pass() {
        assert_eq!(failures("connect-src http://127.0.0.1:3000 https: wss:"), 0);
    }

    #[test]
    fn an_http_fallback_next_to_strict_dynamic_passes() {
        assert_eq!(
            failures("script-src 'nonce-x' 'strict-dynamic' http: https:"),
            0
        );
    }

    #[test]
    fn a_policy_that_upgrades_requests_passes() {
        assert_eq!(failures("img-src http:; upgrade-insecure-requests"), 0);
    }

    #[test]
    fn pages_on_http_are_not_applicable() {
        let page = Page::builder()
            .url("http://127.0.0.1:8000/")
            .header("Content-Security-Policy", "img-src http:")
            .html("x");
        assert_eq!(
            outcome_of(&CSP_INSECURE_SCHEME, &page),
            Outcome::NotApplicable
        );
    }
}
