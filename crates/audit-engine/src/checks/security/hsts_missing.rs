//! Https sites that do not insist on https.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::{NO_HEADERS_KEPT, NO_START_PAGE};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// A site on https sends a `Strict-Transport-Security` header.
    ///
    /// ## Why it matters
    /// The header makes browsers ask for https by themselves on every later visit. Without it, each
    /// visit that begins with http can be intercepted before the redirect.
    ///
    /// ## How to fix it
    /// Send `Strict-Transport-Security: max-age=31536000` with every https answer. Add
    /// `includeSubDomains` once all subdomains have https.
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
    /// The answer of the start page stands for the site. Sites that are built into browsers (the
    /// preload list), which the Observatory lets pass without the header, are not known. Sites on
    /// plain http or loopback are not applicable.
    ///
    /// ## References
    /// - RFC 6797, HTTP Strict Transport Security
    /// - MDN HTTP Observatory, tests and scoring: Strict-Transport-Security
    HSTS_MISSING {
        id: "hsts-missing",
        title: "Browsers are not told to insist on https",
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
    let Some(sent) = &home.headers else {
        return Outcome::CannotTell(NO_HEADERS_KEPT);
    };
    if home.url.scheme() != "https" {
        return Outcome::NotApplicable;
    }
    Outcome::of(sent.has("strict-transport-security"), || {
        Evidence::here()
            .at(home.url.as_str())
            .message("The start page came without a Strict-Transport-Security header.")
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
