//! Content Security Policies that allow plain HTTP sources.

use url::Url;

use crate::check::{Evidence, Failures, Outcome};
use crate::common::http::transport::{is_plain, upgrades_requests};
use crate::declare_check;
use crate::policy::csp::{Directive, Policy, enforced, fallbacks};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Content Security Policy of an HTTPS page allows no `http:` sources: for files, form
    /// targets, the base URL and the pages that embed it in a frame. Of several policies, each must
    /// allow the source.
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
    /// The check ignores `http:` next to `'strict-dynamic'`, because it is a fallback for old browsers.
    /// Unlike the Observatory, it also accepts `http:` if the policy has `upgrade-insecure-requests`:
    /// browsers then request HTTPS, which `http:` sources match. This does not apply to `frame-ancestors`. A
    /// page with more than 16 policies cannot be judged. In rendered mode, too, the check judges the
    /// response: a policy that a script adds does not apply to what was loaded before it.
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
        needs: [Dom, Headers, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The directives whose sources have schemes that browsers apply.
const DIRECTIVES: [&str; 21] = [
    BASE_URI,
    "child-src",
    "connect-src",
    "default-src",
    "fenced-frame-src",
    "font-src",
    "form-action",
    FRAME_ANCESTORS,
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
    "worker-src",
];
const BASE_URI: &str = "base-uri";
const FRAME_ANCESTORS: &str = "frame-ancestors";

/// Policies of one page that are compared. Each further one is a comparison with all others.
const MAX_POLICIES: usize = 16;
/// Plain HTTP sources of one directive that are compared.
const MAX_PLAIN_SOURCES: usize = 32;

fn evaluate(page: &Page) -> Outcome {
    let policies = enforced(page);
    if policies.is_empty() || !page.is_https() {
        return Outcome::NotApplicable;
    }
    if policies.len() > MAX_POLICIES {
        return Outcome::CannotTell("The page has more policies than the check compares.");
    }
    let upgrades = upgrades_requests(&policies);
    let restrictions: Vec<Restrictions<'_>> = policies.iter().map(Restrictions::new).collect();
    let mut failures = Failures::default();
    for (place, of_policy) in restrictions.iter().enumerate() {
        for restriction in &of_policy.0 {
            // Upgraded requests are HTTPS. A page that embeds this one is not a request of this page.
            if upgrades && restriction.directive.name != FRAME_ANCESTORS {
                continue;
            }
            let plain = restriction.allowed.iter().filter(|source| **source != "*");
            let effective =
                plain.filter(|source| is_effective(&restrictions, place, restriction, source));
            failures.extend(effective.map(|source| evidence(restriction.directive, source)));
        }
    }
    Outcome::from_failures(failures)
}

/// The directives of one policy that have sources with schemes, in the order of the policy.
struct Restrictions<'a>(Vec<Restriction<'a>>);

/// One directive.
struct Restriction<'a> {
    directive: &'a Directive,
    /// Its sources that allow plain HTTP URLs, at most [`MAX_PLAIN_SOURCES`].
    allowed: Vec<&'a str>,
}

impl<'a> Restrictions<'a> {
    fn new(policy: &'a Policy) -> Self {
        let known = policy
            .directives
            .iter()
            .filter(|directive| DIRECTIVES.contains(&directive.name.as_str()))
            // Browsers ignore some directives in a meta element.
            .filter(|directive| policy.directive(&directive.name).is_some());
        Self(known.map(Restriction::new).collect())
    }

    /// The directive that applies to `name`.
    fn governing(&self, name: &str) -> Option<&Restriction<'a>> {
        let find = |name: &str| self.0.iter().find(|found| found.directive.name == name);
        find(name).or_else(|| fallbacks(name).iter().find_map(|name| find(name)))
    }
}

impl<'a> Restriction<'a> {
    fn new(directive: &'a Directive) -> Self {
        let sources = directive.sources();
        let allowed = if sources.has("'strict-dynamic'") {
            Vec::new()
        } else {
            let plain = sources
                .iter()
                .filter(|source| *source == "*" || is_plain_source(source));
            plain.take(MAX_PLAIN_SOURCES).collect()
        };
        Self { directive, allowed }
    }
}

/// Whether every other policy allows plain HTTP URLs of this source as well, for anything that the directive
/// applies to: a URL must match all policies.
fn is_effective(
    policies: &[Restrictions<'_>],
    place: usize,
    restriction: &Restriction<'_>,
    source: &str,
) -> bool {
    let Some(own) = policies.get(place) else {
        return false;
    };
    let names = DIRECTIVES.iter().filter(|name| {
        own.governing(name)
            .is_some_and(|found| std::ptr::eq(found, restriction))
    });
    let mut names = names.copied();
    names.any(|name| {
        let others = policies.iter().enumerate();
        let mut others = others.filter(|(other, _)| *other != place);
        others.all(|(_, other)| {
            other
                .governing(name)
                .is_none_or(|found| found.allowed.iter().any(|allowed| overlap(source, allowed)))
        })
    })
}

/// Whether some plain HTTP URL matches both sources.
fn overlap(a: &str, b: &str) -> bool {
    let (Some(a), Some(b)) = (host_of(a), host_of(b)) else {
        // One of them is a scheme alone or `*`.
        return true;
    };
    let covers = |pattern: &str, host: &str| match pattern.strip_prefix('*') {
        Some(suffix) => host.ends_with(suffix),
        None => pattern == host,
    };
    covers(&a, &b) || covers(&b, &a)
}

/// The host pattern of a source in lower case; none if it has no host.
fn host_of(source: &str) -> Option<String> {
    let (_, rest) = source.split_once("://")?;
    let end = rest.find(['/', ':']).unwrap_or(rest.len());
    Some(rest.get(..end)?.to_ascii_lowercase())
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
    fn a_plain_base_url_and_plain_embedding_pages_fail() {
        assert_eq!(failures("base-uri http://example.com"), 1);
        assert_eq!(failures("frame-ancestors 'self' http:"), 1);
        assert_eq!(failures("base-uri 'self'; frame-ancestors https:"), 0);
    }

    #[test]
    fn an_upgrade_does_not_apply_to_embedding_pages() {
        let upgrade = "upgrade-insecure-requests; base-uri http:; frame-ancestors http:";
        assert_eq!(failures(upgrade), 1);
    }

    #[test]
    fn a_source_that_another_policy_forbids_passes() {
        assert_eq!(failures("img-src http:, img-src 'self' https:"), 0);
        assert_eq!(failures("img-src http:, default-src 'self'"), 0);
        assert_eq!(
            failures("img-src http://a.example, img-src http://b.example"),
            0
        );
        assert_eq!(failures("frame-ancestors http:, frame-ancestors 'none'"), 0);
    }

    #[test]
    fn a_source_that_every_policy_allows_fails() {
        assert_eq!(failures("img-src http:, font-src 'self'"), 1);
        assert_eq!(failures("img-src http:, img-src *"), 1);
        assert_eq!(
            failures("img-src http://a.example, img-src http://*.example"),
            2
        );
        // Scripts are restricted by the other policy, images are not.
        assert_eq!(failures("default-src http:, script-src 'self'"), 1);
    }

    #[test]
    fn sources_that_apply_to_nothing_pass() {
        assert_eq!(
            failures(
                "script-src http:; script-src-elem 'self'; script-src-attr 'none'; worker-src 'self', script-src 'self'"
            ),
            0
        );
    }

    #[test]
    fn pages_with_more_policies_than_are_compared_cannot_be_judged() {
        let outcome = |policies: usize| {
            let header = vec!["img-src http:"; policies].join(", ");
            let page = Page::builder().header("Content-Security-Policy", &header);
            outcome_of(&CSP_INSECURE_SCHEME, &page.html("x"))
        };
        assert!(matches!(outcome(MAX_POLICIES), Outcome::Failed(_)));
        assert!(matches!(outcome(MAX_POLICIES + 1), Outcome::CannotTell(_)));
    }

    #[test]
    fn plain_sources_beyond_the_bound_are_not_compared() {
        use std::fmt::Write as _;
        let policy = |number: usize| {
            let mut policy = "img-src".to_owned();
            for host in 0..number {
                let _ = write!(policy, " http://h{host}.example");
            }
            policy
        };
        assert_eq!(failures(&policy(MAX_PLAIN_SOURCES + 5)), MAX_PLAIN_SOURCES);
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
