//! Cookies whose SameSite is missing or wrong.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies;
use crate::declare_check;
use crate::policy::cookie::{SameSite, SetCookie};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Session cookies and cookies that guard forms have `SameSite`; where a cookie has it, the value is
    /// `Strict`, `Lax` or `None`, and `None` comes with `Secure`.
    ///
    /// ## Why it matters
    /// `SameSite` keeps other sites from sending requests in the visitor's name. Browsers treat an
    /// unknown value as missing, and reject `None` without `Secure`.
    ///
    /// ## How to fix it
    /// Add `; SameSite=Lax` (or `Strict`) to the `Set-Cookie` header. A cookie that other sites need gets
    /// `; SameSite=None; Secure`.
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
    /// Some browsers treat a missing `SameSite` as `Lax`, others do not. Session cookies are told by their
    /// name; that theirs must not be missing goes beyond the Observatory.
    /// Cookies are judged as the audited pages set them, without signing in. Cookies that scripts set are
    /// not seen. Answers that remove a cookie do not count.
    ///
    /// ## References
    /// - IETF draft-ietf-httpbis-rfc6265bis, Cookies: HTTP State Management Mechanism, The SameSite Attribute
    /// - MDN HTTP Observatory, tests and scoring: Cookies
    COOKIE_SAMESITE {
        id: "cookie-samesite",
        title: "Cookies with a missing or wrong SameSite",
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
    let judged = cookies::set_by_pages(site).into_iter().filter(|set| {
        let cookie = &set.cookie;
        cookie.same_site.is_some() || cookie.is_session() || cookie.is_anti_forgery()
    });
    Outcome::for_each(judged, |set| match complaint(&set.cookie) {
        None => Verdict::Pass,
        Some(complaint) => Verdict::Fail(set.evidence(&complaint)),
    })
}

fn complaint(cookie: &SetCookie) -> Option<String> {
    match &cookie.same_site {
        None => Some("has no SameSite attribute".to_owned()),
        Some(SameSite::Unknown(value)) => Some(format!(
            "has SameSite=`{value}`; expected is Strict, Lax or None"
        )),
        Some(SameSite::None) if !cookie.secure => {
            Some("has SameSite=None without Secure, so that browsers reject it".to_owned())
        }
        Some(_) => None,
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
        let tallied = audit(&COOKIE_SAMESITE, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn lax_strict_and_secure_none_pass() {
        assert_eq!(
            judged(&[
                "a=1; SameSite=lax",
                "b=1; samesite=Strict",
                "c=1; SameSite=None; Secure"
            ]),
            (1, 0)
        );
    }

    #[test]
    fn missing_fails_on_session_and_form_cookies_alone() {
        assert_eq!(
            judged(&["sessionid=1", "csrftoken=1", "theme=dark"]),
            (1, 2)
        );
        assert_eq!(judged(&["theme=dark"]), (0, 0));
    }

    #[test]
    fn unknown_values_and_insecure_none_fail() {
        assert_eq!(
            judged(&["a=1; SameSite=Relaxed", "b=1; SameSite=None"]),
            (1, 2)
        );
    }
}
