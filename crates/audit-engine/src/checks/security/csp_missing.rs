//! Pages without a Content Security Policy.

use std::collections::BTreeSet;

use domain::Severity;
use domain::text::enumeration;

use crate::check::{Evidence, Outcome};
use crate::common::documents::at_stake::AtStake;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::ResourceKind;
use crate::policy::csp::{Policy, enforced};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every page has a Content Security Policy that browsers enforce, in a
    /// `Content-Security-Policy` header or in a `meta` element in the head.
    ///
    /// ## Why it matters
    /// A policy restricts where scripts and other content may be loaded from. Without one, a script
    /// that an attacker injects into the page runs with all permissions of the site.
    ///
    /// ## How to fix it
    /// Send a `Content-Security-Policy` header with every page, starting with `default-src 'self'; base-uri 'none';
    /// form-action 'self'; frame-ancestors 'self'; object-src 'none'`. Send it as
    /// `Content-Security-Policy-Report-Only` first. Add the hosts that the finding names to `script-src` and
    /// `style-src`, and a nonce or a hash for each inline script and style. When the browser reports nothing more,
    /// rename the header.
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
    /// Content-Security-Policy: default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// On a page without cookies, without forms that send data and without password fields, an injected script has
    /// little to steal: there the finding is moderate, and minor if the page has no scripts either.
    ///
    /// A report-only policy counts as missing, because browsers do not enforce it. A `meta` element
    /// that has only directives which browsers ignore in `meta` elements counts as missing too.
    /// Other checks evaluate how strict the policy is.
    ///
    /// ## Also known as
    /// - Lighthouse: `csp-xss`
    /// - Observatory: `csp-not-implemented`
    /// - ZAP: Content Security Policy (CSP) Header Not Set
    ///
    /// ## References
    /// - W3C Content Security Policy Level 3
    /// - MDN HTTP Observatory, tests and scoring: Content Security Policy
    CSP_MISSING {
        id: "csp-missing",
        title: "Missing Content Security Policy",
        dimension: Security,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [Dom, Headers],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Hosts named for each kind of file.
const MOST_HOSTS: usize = 5;

fn evaluate(page: &Page) -> Outcome {
    let outcome = evaluate_policy(page);
    match AtStake::on(page) {
        AtStake::Session => outcome,
        AtStake::Scripts => outcome.with_severity(Severity::Moderate),
        AtStake::Nothing => outcome.with_severity(Severity::Minor),
    }
}

fn evaluate_policy(page: &Page) -> Outcome {
    Outcome::pass_if(enforced(page).iter().any(Policy::is_heeded), || {
        let message = if page.headers().has("content-security-policy-report-only") {
            "The page has only a report-only Content Security Policy, which browsers do not enforce."
        } else {
            "The page has no Content Security Policy: neither a Content-Security-Policy header nor a meta element in the head sets one."
        };
        Evidence::here().message(format!("{message}{}", sources(page)))
    })
}

/// What the policy has to allow: the hosts from which the page loads scripts and style sheets, and its inline scripts.
fn sources(page: &Page) -> String {
    let hosts = |kind| {
        let foreign = page
            .resources()
            .iter()
            .filter(|resource| resource.kind == kind)
            .filter_map(|resource| resource.url.host_str())
            .filter(|host| Some(*host) != page.url().host_str());
        let hosts: BTreeSet<&str> = foreign.collect();
        let mut named: Vec<String> = hosts
            .iter()
            .take(MOST_HOSTS)
            .map(|host| (*host).to_owned())
            .collect();
        if hosts.len() > MOST_HOSTS {
            named.push(format!("{} more hosts", hosts.len() - MOST_HOSTS));
        }
        enumeration(&named)
    };
    let inline = page
        .html("script")
        .filter(|script| !script.has_attr("src") && runs(*script))
        .count();
    let parts = [
        ("scripts from", hosts(ResourceKind::Script)),
        ("style sheets from", hosts(ResourceKind::Stylesheet)),
    ];
    let mut allowed: Vec<String> = parts
        .into_iter()
        .filter(|(_, hosts)| !hosts.is_empty())
        .map(|(what, hosts)| format!("{what} {hosts}"))
        .collect();
    match inline {
        0 => {}
        1 => allowed.push("one inline script".to_owned()),
        more => allowed.push(format!("{} inline scripts", grouped(more))),
    }
    match allowed.is_empty() {
        true => String::new(),
        false => format!(
            " Besides its own files, the page uses {}.",
            allowed.join("; ")
        ),
    }
}

/// Whether browsers run the script: not for a block of data.
fn runs(script: ElementRef<'_>) -> bool {
    script.attr("type").map(str::trim).is_none_or(|kind| {
        kind.is_empty() || kind.eq_ignore_ascii_case("module") || kind.ends_with("javascript")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome_of};

    #[test]
    fn a_header_passes() {
        let page = Page::builder()
            .header("Content-Security-Policy", "default-src 'self'")
            .html("x");
        assert_eq!(outcome_of(&CSP_MISSING, &page), Outcome::Passed);
    }

    #[test]
    fn a_meta_element_in_the_head_passes() {
        assert_passes(
            &CSP_MISSING,
            "<meta http-equiv=content-security-policy content=\"default-src 'self'\">",
        );
    }

    #[test]
    fn a_page_without_a_policy_fails() {
        assert_fails(&CSP_MISSING, "<p>x", 1);
    }

    #[test]
    fn an_empty_policy_fails() {
        let page = Page::builder()
            .header("Content-Security-Policy", " ; ")
            .html("x");
        assert!(matches!(
            outcome_of(&CSP_MISSING, &page),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn a_meta_element_with_only_header_only_directives_fails() {
        assert_fails(
            &CSP_MISSING,
            "<meta http-equiv=content-security-policy content=\"frame-ancestors 'none'\">",
            1,
        );
    }

    #[test]
    fn a_report_only_policy_fails() {
        let page = Page::builder()
            .header("Content-Security-Policy-Report-Only", "default-src 'self'")
            .html("x");
        assert!(matches!(
            outcome_of(&CSP_MISSING, &page),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn what_the_policy_has_to_allow_is_named() {
        let html = "<script src=https://cdn.example.net/a.js></script><script src=/own.js></script><script>x</script><script type=application/ld+json>{}</script><link rel=stylesheet href=https://fonts.example.org/f.css>";
        let Outcome::Failed(evidence) = crate::check::testing::outcome(&CSP_MISSING, html) else {
            panic!("passed");
        };
        let message = &evidence[0].message;
        assert!(
            message.ends_with("Besides its own files, the page uses scripts from cdn.example.net; style sheets from fonts.example.org; one inline script."),
            "{message}"
        );
    }
}
