//! Sites that let every other site read what a signed-in visitor sees.

use url::Url;

use crate::check::{Evidence, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page does not allow every origin to read it with the visitor's cookies. It is asked
    /// for with the `Origin` of a site that cannot exist.
    ///
    /// ## Why it matters
    /// A server that repeats any `Origin` in `Access-Control-Allow-Origin` and allows credentials lets
    /// every site on the web read what the signed-in visitor can read.
    ///
    /// ## How to fix it
    /// Compare `Origin` with a list of the origins you trust and send
    /// `Access-Control-Allow-Origin` for those alone. Where everybody may read, send `*` and no
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
    /// Only the start page is asked for. Other addresses of the site, such as those of an
    /// interface for programs, may answer differently.
    ///
    /// ## References
    /// - WHATWG Fetch Standard, HTTP extensions: CORS protocol and credentials
    /// - MDN HTTP Observatory, tests and scoring: Cross-Origin Resource Sharing
    CORS_CREDENTIALS_REFLECTED {
        id: "cors-credentials-reflected",
        title: "Every site may read the pages of signed-in visitors",
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
    let Some(answer) = probe.answer() else {
        return Outcome::CannotTell("The request with a foreign origin failed.");
    };
    let header = |name| answer.headers.get(name).map(str::trim);
    let origin = header("access-control-allow-origin").unwrap_or_default();
    let credentials = header("access-control-allow-credentials") == Some("true");
    Outcome::of(!(credentials && cannot_exist(origin)), || {
        Evidence::header("Access-Control-Allow-Origin", origin)
            .at(answer.url.as_str())
            .message(format!(
                "The start page allows {origin}, an origin made up for this request, to read it with the visitor's cookies."
            ))
    })
}

/// Names under `invalid` belong to nobody (RFC 6761), so an answer that allows one repeats the request.
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
    fn a_repeated_origin_with_credentials_fails() {
        let headers = format!("{ALLOWED}\nAccess-Control-Allow-Credentials: true");
        assert_eq!(affected(&headers), (1, 1));
    }

    #[test]
    fn a_repeated_origin_without_credentials_passes() {
        assert_eq!(affected(ALLOWED), (1, 0));
        let headers = format!("{ALLOWED}\nAccess-Control-Allow-Credentials: TRUE");
        assert_eq!(affected(&headers), (1, 0));
    }

    #[test]
    fn everybody_without_cookies_passes() {
        let headers = "Access-Control-Allow-Origin: *\nAccess-Control-Allow-Credentials: true";
        assert_eq!(affected(headers), (1, 0));
        assert_eq!(affected("X-Test: 1"), (1, 0));
    }
}
