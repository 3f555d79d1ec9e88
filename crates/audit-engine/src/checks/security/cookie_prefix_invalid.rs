//! Cookies that break the promise of their prefix.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies;
use crate::declare_check;
use crate::policy::cookie::SetCookie;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// A cookie named `__Secure-…` has `Secure`. A cookie named `__Host-…` has `Secure` and `Path=/` and no
    /// `Domain`.
    ///
    /// ## Why it matters
    /// Browsers reject a cookie that breaks the rules of its prefix, so whatever relies on it does not
    /// work.
    ///
    /// ## How to fix it
    /// Add what is missing, for example `Set-Cookie: __Host-id=1; Secure; Path=/`, or rename the cookie.
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
    /// Cookies are judged as the audited pages set them, without signing in. Cookies that scripts set are
    /// not seen. Answers that remove a cookie do not count.
    ///
    /// ## References
    /// - IETF draft-ietf-httpbis-rfc6265bis, Cookies: HTTP State Management Mechanism, Cookie Name Prefixes
    COOKIE_PREFIX_INVALID {
        id: "cookie-prefix-invalid",
        title: "Cookies break the promise of their name",
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
    Outcome::for_each(prefixed, |set| match broken_rule(&set.cookie) {
        None => Verdict::Pass,
        Some(rule) => Verdict::Fail(set.evidence(rule)),
    })
}

/// Prefixes compare without regard to case.
fn has_prefix(cookie: &SetCookie, prefix: &str) -> bool {
    cookie.name.to_ascii_lowercase().starts_with(prefix)
}

fn broken_rule(cookie: &SetCookie) -> Option<&'static str> {
    let host = has_prefix(cookie, "__host-");
    if !cookie.secure {
        Some("has a prefix that demands Secure, and no Secure attribute")
    } else if host && cookie.path.as_deref() != Some("/") {
        Some("has the prefix __Host-, which demands Path=/")
    } else if host && cookie.domain.is_some() {
        Some("has the prefix __Host-, which forbids a Domain attribute")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn judged(cookies: &[&str]) -> (u64, usize) {
        let headers: String = cookies
            .iter()
            .map(|cookie| format!("Set-Cookie: {cookie}\n"))
            .collect();
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{headers}\n<p>x");
        let tallied = audit(&COOKIE_PREFIX_INVALID, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn kept_promises_pass() {
        assert_eq!(
            judged(&[
                "__Secure-a=1; Secure; Domain=example.com",
                "__Host-b=1; Secure; Path=/"
            ]),
            (1, 0)
        );
    }

    #[test]
    fn broken_promises_fail() {
        assert_eq!(
            judged(&[
                "__Secure-a=1",
                "__Host-b=1; Secure",
                "__host-c=1; Secure; Path=/; Domain=example.com",
            ]),
            (1, 3)
        );
    }

    #[test]
    fn other_names_are_not_applicable() {
        assert_eq!(judged(&["host=1"]), (0, 0));
    }
}
