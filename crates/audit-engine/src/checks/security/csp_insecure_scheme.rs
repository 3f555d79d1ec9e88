//! Policies that list plain http sources.

use url::Url;

use crate::check::{Evidence, Outcome};
use crate::common::http::transport::{is_plain, upgrades_requests};
use crate::declare_check;
use crate::policy::csp::{Directive, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy of a page on https lists no `http:` sources.
    ///
    /// ## Why it matters
    /// What comes over plain http can be read and replaced on its way. A policy that allows it on a
    /// secure page hides mistakes that the browser would otherwise report.
    ///
    /// ## How to fix it
    /// Write `https:` in place of `http:` in the policy, or the host without a scheme, which on a
    /// secure page means https.
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
    /// `http:` beside `'strict-dynamic'` is a fallback for old browsers and not counted. Nothing is
    /// counted where the policy says `upgrade-insecure-requests`, unlike in the Observatory: browsers
    /// then ask for https, and http sources match it.
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3, section 2.3.1 Source Lists
    /// - MDN HTTP Observatory, tests and scoring: Content Security Policy
    CSP_INSECURE_SCHEME {
        id: "csp-insecure-scheme",
        title: "The Content Security Policy allows plain http sources",
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
        .filter(|directive| loads(directive))
        .flat_map(|directive| {
            directive
                .sources()
                .iter()
                .filter(|source| is_plain_source(source))
                .map(move |source| evidence(directive, source))
        });
    Outcome::from_failures(failures.collect())
}

/// Whether the directive says what is loaded or where forms go, and browsers heed schemes in it.
fn loads(directive: &Directive) -> bool {
    let name = directive.name.as_str();
    let loads = name.ends_with("-src")
        || name.ends_with("-src-elem")
        || name.ends_with("-src-attr")
        || name == "form-action";
    loads && !directive.sources().has("'strict-dynamic'")
}

fn is_plain_source(source: &str) -> bool {
    let source = source.to_ascii_lowercase();
    match source.strip_prefix("http:") {
        None => false,
        Some("") => true,
        // A pattern such as `http://*.example.com:*` is no URL, and plain all the same.
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
        "The directive {name} allows {source} on a page that came over https."
    ))
    .cause(
        format!("{name} {source}"),
        format!("The Content Security Policy allows {source} in {name}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::judge;

    fn failures(policy: &str) -> usize {
        let page = Page::builder()
            .header("Content-Security-Policy", policy)
            .html("x");
        match judge(&CSP_INSECURE_SCHEME, &page) {
            Outcome::Passed => 0,
            Outcome::Failed(evidence) => evidence.len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn schemes_and_hosts_over_http_fail() {
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
    fn a_fallback_beside_strict_dynamic_passes() {
        assert_eq!(
            failures("script-src 'nonce-x' 'strict-dynamic' http: https:"),
            0
        );
    }

    #[test]
    fn upgraded_requests_pass() {
        assert_eq!(failures("img-src http:; upgrade-insecure-requests"), 0);
    }

    #[test]
    fn pages_on_http_are_not_applicable() {
        let page = Page::builder()
            .url("http://127.0.0.1:8000/")
            .header("Content-Security-Policy", "img-src http:")
            .html("x");
        assert_eq!(judge(&CSP_INSECURE_SCHEME, &page), Outcome::NotApplicable);
    }
}
