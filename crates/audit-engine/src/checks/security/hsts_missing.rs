//! HTTPS sites without HSTS.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// A site on HTTPS sends a `Strict-Transport-Security` header.
    ///
    /// ## Why it matters
    /// With the header, browsers use HTTPS for every later visit, even if the link or the typed
    /// address starts with `http://`. Without it, an attacker can intercept such a visit before the
    /// redirect to HTTPS.
    ///
    /// ## How to fix it
    /// Send `Strict-Transport-Security: max-age=31536000` in every HTTPS response. Add
    /// `includeSubDomains` as soon as all subdomains support HTTPS.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// Strict-Transport-Security: max-age=31536000; includeSubDomains
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check reads only the response of the start page. The Observatory accepts sites on the
    /// HSTS preload list without the header. This check does not know that list. For sites on plain
    /// HTTP or loopback, the outcome is "not applicable".
    ///
    /// ## Also known as
    /// - Lighthouse: `has-hsts`
    /// - Observatory: `hsts-not-implemented`
    /// - ZAP: Strict-Transport-Security Header Not Set
    ///
    /// ## References
    /// - RFC 6797, HTTP Strict Transport Security
    /// - MDN HTTP Observatory, tests and scoring: Strict-Transport-Security
    HSTS_MISSING {
        id: "hsts-missing",
        title: "Missing Strict-Transport-Security (HSTS) header",
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
    let Some(home) = site.home() else {
        return Outcome::CannotTell(NO_START_PAGE);
    };
    let Some(response_headers) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    if home.url.scheme() != "https" {
        return Outcome::NotApplicable;
    }
    Outcome::pass_if(response_headers.has("strict-transport-security"), || {
        Evidence::here()
            .at(home.url.as_str())
            .message("The response of the start page has no Strict-Transport-Security header.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    #[test]
    fn no_header_fails() {
        assert_eq!(audit(&HSTS_MISSING, "=== /\n<p>x").affected, 1);
    }

    #[test]
    fn a_header_passes() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nStrict-Transport-Security: max-age=1\n\n<p>x";
        let tallied = audit(&HSTS_MISSING, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn plain_http_is_not_applicable() {
        let tallied = audit_from(
            &HSTS_MISSING,
            "http://example.com/",
            "=== http://example.com/\n<p>x",
        );
        assert_eq!(tallied.applicable, 0);
    }
}
