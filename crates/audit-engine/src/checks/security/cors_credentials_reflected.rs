//! Sites whose CORS headers allow every origin to read responses with credentials.

use url::Url;

use crate::check::{Evidence, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page does not allow every origin to read it with the visitor's cookies. The
    /// crawler requests the page with the `Origin` of a site that cannot exist.
    ///
    /// ## Why it matters
    /// Some servers copy any `Origin` into `Access-Control-Allow-Origin` and also allow
    /// credentials. Every site on the web can then read everything that the signed-in visitor can read.
    ///
    /// ## How to fix it
    /// Compare `Origin` with a list of trusted origins, and send `Access-Control-Allow-Origin` only
    /// for these. If the content is public, send `*` and do not send
    /// `Access-Control-Allow-Credentials`.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Access-Control-Allow-Origin: https://assay-probe.invalid
    /// Access-Control-Allow-Credentials: true
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Access-Control-Allow-Origin: https://app.example.com
    /// Access-Control-Allow-Credentials: true
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The crawler requests only the start page. Other URLs of the site, such as API endpoints, can
    /// respond differently.
    ///
    /// ## Also known as
    /// - Observatory: `cross-origin-resource-sharing-implemented-with-universal-access`
    /// - CWE: CWE-942
    /// - Common name: CORS misconfiguration, reflected origin
    ///
    /// ## References
    /// - WHATWG Fetch Standard, HTTP extensions: CORS protocol and credentials
    /// - MDN HTTP Observatory, tests and scoring: Cross-Origin Resource Sharing
    CORS_CREDENTIALS_REFLECTED {
        id: "cors-credentials-reflected",
        title: "CORS allows any origin with credentials",
        dimension: Security,
        scope: Origin,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(probe) = &site.probes.foreign_origin else {
        return Outcome::CannotTell(NOT_ASKED);
    };
    let Some(response) = probe.answer() else {
        return Outcome::CannotTell("The request with the Origin header of another site failed.");
    };
    let header = |name| response.headers.get(name).map(str::trim);
    let origin = header("access-control-allow-origin").unwrap_or_default();
    let credentials = header("access-control-allow-credentials") == Some("true");
    Outcome::pass_if(!(credentials && cannot_exist(origin)), || {
        Evidence::header("Access-Control-Allow-Origin", origin)
            .at(response.url.as_str())
            .message(format!(
                "The response of the start page allows the origin {origin}, which was made up for this request, to read the page with the visitor's cookies."
            ))
    })
}

/// No host exists under `invalid` (RFC 6761), so a response that allows one copies the origin of the request.
fn cannot_exist(origin: &str) -> bool {
    Url::parse(origin).ok().is_some_and(|url| {
        url.host_str()
            .is_some_and(|host| host.ends_with(".invalid"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn affected(headers: &str) -> (u64, u64) {
        let site = format!("=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{headers}\n\n<p>x");
        let tallied = audit(&CORS_CREDENTIALS_REFLECTED, &site);
        (tallied.applicable, tallied.affected)
    }

    const ALLOWED: &str = "Access-Control-Allow-Origin: https://assay-probe.invalid";

    #[test]
    fn a_reflected_origin_with_credentials_fails() {
        let headers = format!("{ALLOWED}\nAccess-Control-Allow-Credentials: true");
        assert_eq!(affected(&headers), (1, 1));
    }

    #[test]
    fn a_reflected_origin_without_credentials_passes() {
        assert_eq!(affected(ALLOWED), (1, 0));
        let headers = format!("{ALLOWED}\nAccess-Control-Allow-Credentials: TRUE");
        assert_eq!(affected(&headers), (1, 0));
    }

    #[test]
    fn a_wildcard_and_a_missing_header_pass() {
        let headers = "Access-Control-Allow-Origin: *\nAccess-Control-Allow-Credentials: true";
        assert_eq!(affected(headers), (1, 0));
        assert_eq!(affected("X-Test: 1"), (1, 0));
    }
}
