//! Session cookies that scripts can read.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Cookies that identify a session have the attribute `HttpOnly`.
    ///
    /// ## Why it matters
    /// A script that someone manages to place on the page can read a cookie without `HttpOnly` and send
    /// it away. Who has the session cookie acts as the visitor.
    ///
    /// ## How to fix it
    /// Add `; HttpOnly` to the `Set-Cookie` header of the session cookie.
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
    /// A session cookie is told by its name, for example by `sess` or `login` in it; cookies that guard
    /// forms (`csrf`) must be readable and do not count, even where the Observatory counts them.
    /// Cookies are judged as the audited pages set them, without signing in. Cookies that scripts set are
    /// not seen. Answers that remove a cookie do not count.
    ///
    /// ## References
    /// - RFC 6265, HTTP State Management Mechanism, section 4.1.2.6 The HttpOnly Attribute
    /// - MDN HTTP Observatory, tests and scoring: Cookies
    COOKIE_NOT_HTTPONLY {
        id: "cookie-not-httponly",
        title: "Scripts can read the session cookie",
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
        Verdict::of(set.cookie.http_only, || {
            set.evidence(
                "identifies a session and has no HttpOnly attribute, so that scripts can read it",
            )
        })
    })
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
        let tallied = audit(&COOKIE_NOT_HTTPONLY, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn only_session_cookies_are_judged() {
        assert_eq!(judged(&["theme=dark", "csrftoken=abc"]), (0, 0));
        assert_eq!(judged(&["JSESSIONID=1", "theme=dark"]), (1, 1));
    }

    #[test]
    fn unreadable_cookies_pass() {
        assert_eq!(judged(&["PHPSESSID=1; path=/; HttpOnly"]), (1, 0));
    }
}
