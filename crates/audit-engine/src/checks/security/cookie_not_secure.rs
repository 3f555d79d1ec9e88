//! Cookies that also travel over plain http.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies::{self, PageCookie};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Every cookie that is set over https has the attribute `Secure`.
    ///
    /// ## Why it matters
    /// Without `Secure` the browser sends the cookie over plain http, too. One request to an http
    /// address, which an attacker can provoke, gives the cookie away.
    ///
    /// ## How to fix it
    /// Add `; Secure` to the `Set-Cookie` header; most frameworks have a setting for it.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Set-Cookie: sessionid=31d4d96e407aad42; Path=/; HttpOnly
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Set-Cookie: sessionid=31d4d96e407aad42; Path=/; HttpOnly; Secure; SameSite=Lax
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Cookies are judged as the audited pages set them, without signing in. Cookies that scripts set are
    /// not seen. Answers that remove a cookie do not count.
    /// Pages on plain http or loopback are not applicable.
    ///
    /// ## References
    /// - RFC 6265, HTTP State Management Mechanism, section 4.1.2.5 The Secure Attribute
    /// - MDN HTTP Observatory, tests and scoring: Cookies
    COOKIE_NOT_SECURE {
        id: "cookie-not-secure",
        title: "Cookies also travel over plain http",
        dimension: Security,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Headers, PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let cookies = cookies::set_by_pages(site)
        .into_iter()
        .filter(PageCookie::is_over_https);
    Outcome::for_each(cookies, |set| {
        Verdict::of(set.cookie.secure, || {
            set.evidence("has no Secure attribute, so that it also travels over plain http")
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
        let tallied = audit(&COOKIE_NOT_SECURE, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn secure_cookies_pass() {
        assert_eq!(judged(&["a=1; Secure", "b=2; secure; HttpOnly"]), (1, 0));
    }

    #[test]
    fn every_cookie_counts_and_each_is_a_cause() {
        assert_eq!(judged(&["a=1", "b=2; Secure", "c=3"]), (1, 2));
    }

    #[test]
    fn removed_cookies_and_no_cookies_are_not_applicable() {
        assert_eq!(judged(&["a=; Max-Age=0"]), (0, 0));
        assert_eq!(judged(&[]), (0, 0));
    }
}
