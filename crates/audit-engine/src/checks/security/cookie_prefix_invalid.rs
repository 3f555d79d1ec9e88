//! Cookies that violate the rules of their `__Secure-` or `__Host-` prefix.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies;
use crate::declare_check;
use crate::policy::cookie::SetCookie;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// A cookie whose name starts with `__Secure-` has `Secure`. A cookie whose name starts with
    /// `__Host-` has `Secure`, `Path=/` and no `Domain`.
    ///
    /// ## Why it matters
    /// Browsers reject a cookie that violates the rules of its prefix. Every feature that needs the
    /// cookie then fails.
    ///
    /// ## How to fix it
    /// Complete the cookie with the attribute that its prefix requires, for example `Set-Cookie: __Host-id=1; Secure;
    /// Path=/`, or rename the cookie.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Set-Cookie: __Host-id=31d4d96e407aad42; Secure; Path=/account
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Set-Cookie: __Host-id=31d4d96e407aad42; Secure; Path=/; HttpOnly; SameSite=Lax
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check reads only cookies that the audited pages set in their responses, without signing
    /// in. It does not see cookies that scripts set. It ignores responses that remove a cookie.
    /// It also ignores the cookies of hosting platforms and load balancers, such as
    /// `heroku-session-affinity` and `AWSALB`, because the site cannot change them.
    ///
    /// ## Also known as
    /// - Common name: Cookie name prefixes
    ///
    /// ## References
    /// - IETF draft-ietf-httpbis-rfc6265bis, Cookies: HTTP State Management Mechanism, Cookie Name Prefixes
    COOKIE_PREFIX_INVALID {
        id: "cookie-prefix-invalid",
        title: "Invalid use of a __Secure- or __Host- cookie prefix",
        dimension: Security,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let prefixed = cookies::set_by_pages(site)
        .into_iter()
        .filter(|set| has_prefix(&set.cookie, "__secure-") || has_prefix(&set.cookie, "__host-"));
    Outcome::for_each(prefixed, |set| match violated_rule(&set.cookie) {
        None => Verdict::Pass,
        Some(rule) => Verdict::Fail(set.evidence(rule)),
    })
}

/// Compares prefixes case-insensitively.
fn has_prefix(cookie: &SetCookie, prefix: &str) -> bool {
    cookie.name.to_ascii_lowercase().starts_with(prefix)
}

fn violated_rule(cookie: &SetCookie) -> Option<&'static str> {
    let host = has_prefix(cookie, "__host-");
    if !cookie.secure {
        Some("has a name prefix that requires the Secure attribute, but has no Secure attribute")
    } else if host && cookie.path.as_deref() != Some("/") {
        Some("has the prefix __Host-, which requires Path=/, but has no Path=/ attribute")
    } else if host && cookie.domain.is_some() {
        Some(
            "has the prefix __Host-, which forbids the Domain attribute, but has a Domain attribute",
        )
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn applicable_and_findings(cookies: &[&str]) -> (u64, usize) {
        let headers: String = cookies
            .iter()
            .map(|cookie| format!("Set-Cookie: {cookie}\n"))
            .collect();
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{headers}\n<p>x");
        let tallied = audit(&COOKIE_PREFIX_INVALID, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn cookies_that_follow_their_prefix_rules_pass() {
        assert_eq!(
            applicable_and_findings(&[
                "__Secure-a=1; Secure; Domain=example.com",
                "__Host-b=1; Secure; Path=/"
            ]),
            (1, 0)
        );
    }

    #[test]
    fn cookies_that_violate_their_prefix_rules_fail() {
        assert_eq!(
            applicable_and_findings(&[
                "__Secure-a=1",
                "__Host-b=1; Secure",
                "__host-c=1; Secure; Path=/; Domain=example.com",
            ]),
            (1, 3)
        );
    }

    #[test]
    fn cookies_without_a_prefix_are_not_applicable() {
        assert_eq!(applicable_and_findings(&["host=1"]), (0, 0));
    }
}
