//! Cookies without the `Secure` attribute.

use crate::check::{Outcome, Verdict};
use crate::common::http::cookies::{self, PageCookie};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Every cookie that is set over HTTPS has the `Secure` attribute.
    ///
    /// ## Why it matters
    /// Without `Secure`, the browser also sends the cookie in unencrypted HTTP requests. An
    /// attacker on the network can provoke a single request to an HTTP URL and read the cookie.
    ///
    /// ## How to fix it
    /// Append `; Secure` to the `Set-Cookie` header of the cookie. Most frameworks have a setting for it.
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
    /// The check reads only cookies that the audited pages set in their responses, without signing
    /// in. It does not see cookies that scripts set. It ignores responses that remove a cookie. For
    /// pages on plain HTTP or loopback, the outcome is "not applicable".
    /// It also ignores the cookies of hosting platforms and load balancers, such as
    /// `heroku-session-affinity` and `AWSALB`, because the site cannot change them.
    ///
    /// ## Also known as
    /// - Observatory: `cookies-without-secure-flag`
    /// - ZAP: Cookie Without Secure Flag
    /// - CWE: CWE-614
    ///
    /// ## References
    /// - RFC 6265, HTTP State Management Mechanism, section 4.1.2.5 The Secure Attribute
    /// - MDN HTTP Observatory, tests and scoring: Cookies
    COOKIE_NOT_SECURE {
        id: "cookie-not-secure",
        title: "Cookies without the Secure attribute",
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
        Verdict::pass_if(set.cookie.secure, || {
            set.evidence("has no Secure attribute, so browsers also send it over plain HTTP")
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
        let tallied = audit(&COOKIE_NOT_SECURE, &site);
        (tallied.applicable, tallied.findings.len())
    }

    #[test]
    fn secure_cookies_pass() {
        assert_eq!(
            applicable_and_findings(&["a=1; Secure", "b=2; secure; HttpOnly"]),
            (1, 0)
        );
    }

    #[test]
    fn each_cookie_without_secure_is_a_separate_cause() {
        assert_eq!(
            applicable_and_findings(&["a=1", "b=2; Secure", "c=3"]),
            (1, 2)
        );
    }

    #[test]
    fn cookies_of_platforms_are_not_applicable() {
        assert_eq!(
            applicable_and_findings(&["heroku-session-affinity=ACy; Path=/", "ARRAffinity=1"]),
            (0, 0)
        );
    }

    #[test]
    fn removed_cookies_and_no_cookies_are_not_applicable() {
        assert_eq!(applicable_and_findings(&["a=; Max-Age=0"]), (0, 0));
        assert_eq!(applicable_and_findings(&[]), (0, 0));
    }
}
