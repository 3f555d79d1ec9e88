//! Session cookies without the `HttpOnly` attribute.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Session cookies have the `HttpOnly` attribute.
    ///
    /// ## Why it matters
    /// Scripts can read a cookie that has no `HttpOnly` attribute. A script that an attacker
    /// injects into the page can send the session cookie to the attacker, who can then act as the
    /// visitor.
    ///
    /// ## How to fix it
    /// Add `; HttpOnly` to the `Set-Cookie` header of the session cookie, so that scripts cannot read it.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Set-Cookie: sessionid=31d4d96e407aad42; Path=/; Secure; SameSite=Lax
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
    /// The check recognizes a session cookie by its name, for example if the name contains `sess`
    /// or `login`. CSRF token cookies are ignored, because scripts have to read them; the
    /// Observatory counts them in some cases. The check reads only cookies that the audited pages
    /// set in their responses, without signing in. It does not see cookies that scripts set. It
    /// ignores responses that remove a cookie.
    /// It also ignores the cookies of hosting platforms and load balancers, such as
    /// `heroku-session-affinity` and `AWSALB`, because the site cannot change them.
    ///
    /// ## Also known as
    /// - Observatory: `cookies-session-without-httponly-flag`
    /// - ZAP: Cookie No HttpOnly Flag
    /// - CWE: CWE-1004
    ///
    /// ## References
    /// - RFC 6265, HTTP State Management Mechanism, section 4.1.2.6 The HttpOnly Attribute
    /// - MDN HTTP Observatory, tests and scoring: Cookies
    COOKIE_NOT_HTTPONLY {
        id: "cookie-not-httponly",
        title: "Session cookies without HttpOnly",
        dimension: Security,
        scope: Origin,
        severity: Serious,
        confidence: Medium,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let sessions = cookies::set_by_pages(site)
        .into_iter()
        .filter(|set| set.cookie.is_session());
    Outcome::for_each(sessions, |set| {
        Verdict::pass_if(set.cookie.http_only, || {
            set.evidence(
                "identifies a session but has no HttpOnly attribute, so scripts can read it",
            )
        })
    })
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
        let tallied = audit(&COOKIE_NOT_HTTPONLY, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn only_session_cookies_are_checked() {
        assert_eq!(
            applicable_and_findings(&["theme=dark", "csrftoken=abc"]),
            (0, 0)
        );
        assert_eq!(
            applicable_and_findings(&["JSESSIONID=1", "theme=dark"]),
            (1, 1)
        );
    }

    #[test]
    fn cookies_of_platforms_are_ignored() {
        let platform = [
            "heroku-session-affinity=ACy; Path=/",
            "AWSALB=abc; Path=/",
            "incap_ses_123_456=x; path=/",
        ];
        assert_eq!(applicable_and_findings(&platform), (0, 0));
        // A session of the application beside them counts.
        assert_eq!(applicable_and_findings(&["GCLB=x", "sessionid=1"]), (1, 1));
    }

    #[test]
    fn session_cookies_with_httponly_pass() {
        assert_eq!(
            applicable_and_findings(&["PHPSESSID=1; path=/; HttpOnly"]),
            (1, 0)
        );
    }
}
