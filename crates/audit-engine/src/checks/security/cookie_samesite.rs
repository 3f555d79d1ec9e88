//! Cookies with a missing or invalid `SameSite` attribute.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies;
use crate::declare_check;
use crate::policy::cookie::{SameSite, SetCookie};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Session cookies and cookies against request forgery (CSRF) have a `SameSite` attribute. If
    /// any cookie has `SameSite`, the value is `Strict`, `Lax` or `None`, and `None` is combined
    /// with `Secure`.
    ///
    /// ## Why it matters
    /// `SameSite` controls whether the browser sends the cookie with requests that other sites
    /// start, which prevents cross-site request forgery (CSRF). Browsers treat an unknown value as
    /// missing, and reject a cookie that has `None` without `Secure`.
    ///
    /// ## How to fix it
    /// End the `Set-Cookie` header with `; SameSite=Lax` (or `Strict`). For a cookie that must be sent from other
    /// sites, use `; SameSite=None; Secure`.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Set-Cookie: sessionid=31d4d96e407aad42; Path=/; Secure; HttpOnly
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Set-Cookie: sessionid=31d4d96e407aad42; Path=/; Secure; HttpOnly; SameSite=Lax
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Some browsers treat a missing `SameSite` as `Lax`, others do not. The check recognizes
    /// session cookies by their name. Unlike the Observatory, it also requires `SameSite` on
    /// session cookies. The check reads only cookies that the audited pages set in their responses,
    /// without signing in. It does not see cookies that scripts set. It ignores responses that
    /// remove a cookie.
    /// It also ignores the cookies of hosting platforms and load balancers, such as
    /// `heroku-session-affinity` and `AWSALB`, because the site cannot change them.
    ///
    /// ## Also known as
    /// - Observatory: `cookies-samesite-flag-invalid`, `cookies-anticsrf-without-samesite-flag`
    /// - ZAP: Cookie without SameSite Attribute
    /// - CWE: CWE-1275
    ///
    /// ## References
    /// - IETF draft-ietf-httpbis-rfc6265bis, Cookies: HTTP State Management Mechanism, The SameSite Attribute
    /// - MDN HTTP Observatory, tests and scoring: Cookies
    COOKIE_SAMESITE {
        id: "cookie-samesite",
        title: "Cookies with a missing or invalid SameSite attribute",
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
    let applicable = cookies::set_by_pages(site).into_iter().filter(|set| {
        let cookie = &set.cookie;
        cookie.same_site.is_some() || cookie.is_session() || cookie.is_anti_forgery()
    });
    Outcome::for_each(applicable, |set| match samesite_error(&set.cookie) {
        None => Verdict::Pass,
        Some(error) => Verdict::Fail(set.evidence(&error)),
    })
}

fn samesite_error(cookie: &SetCookie) -> Option<String> {
    match &cookie.same_site {
        None => Some("has no SameSite attribute".to_owned()),
        Some(SameSite::Unknown(value)) => Some(format!(
            "has the invalid value SameSite=`{value}`; expected Strict, Lax or None"
        )),
        Some(SameSite::None) if !cookie.secure => {
            Some("has SameSite=None but no Secure attribute, so browsers reject it".to_owned())
        }
        Some(_) => None,
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
        let tallied = audit(&COOKIE_SAMESITE, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn lax_strict_and_secure_none_pass() {
        assert_eq!(
            applicable_and_findings(&[
                "a=1; SameSite=lax",
                "b=1; samesite=Strict",
                "c=1; SameSite=None; Secure"
            ]),
            (1, 0)
        );
    }

    #[test]
    fn only_session_and_csrf_cookies_require_samesite() {
        assert_eq!(
            applicable_and_findings(&["sessionid=1", "csrftoken=1", "theme=dark"]),
            (1, 2)
        );
        assert_eq!(applicable_and_findings(&["theme=dark"]), (0, 0));
    }

    #[test]
    fn unknown_values_and_none_without_secure_fail() {
        assert_eq!(
            applicable_and_findings(&["a=1; SameSite=Relaxed", "b=1; SameSite=None"]),
            (1, 2)
        );
    }
}
