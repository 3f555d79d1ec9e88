//! Sites that do not use HTTPS.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The start page is served over HTTPS.
    ///
    /// ## Why it matters
    /// Over plain HTTP, everyone on the network can read and change what visitors see and type.
    /// Browsers mark such sites as not secure and disable many features on them.
    ///
    /// ## How to fix it
    /// Get a certificate, for example a free one from Let's Encrypt. Serve the site over HTTPS and
    /// redirect every HTTP URL to HTTPS with status 301.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// HTTP/1.1 302 Found
    /// Location: http://example.com/
    ///
    /// === http://example.com/
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check evaluates only the start page. For sites on loopback, the outcome is "not
    /// applicable", because HTTPS is not expected there.
    ///
    /// ## Also known as
    /// - Lighthouse: `is-on-https`
    /// - Observatory: `hsts-not-implemented-no-https`
    /// - CWE: CWE-319
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 4.2.2 https URI Scheme
    /// - MDN HTTP Observatory, tests and scoring: Redirection
    HTTPS_MISSING {
        id: "https-missing",
        title: "Site does not use HTTPS",
        dimension: Security,
        scope: Origin,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    Outcome::pass_if(site.start.scheme() == "https", || {
        Evidence::here().at(site.start.as_str()).message(format!(
            "The start page {} is served over plain HTTP; expected HTTPS.",
            site.start
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit_from;

    #[test]
    fn plain_http_fails() {
        let tallied = audit_from(
            &HTTPS_MISSING,
            "http://example.com/",
            "=== http://example.com/\n<p>x",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
    }

    #[test]
    fn a_redirect_to_https_passes() {
        let site = "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n\n=== https://example.com/\n<p>x";
        let tallied = audit_from(&HTTPS_MISSING, "http://example.com/", site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn loopback_is_not_applicable() {
        let tallied = audit_from(
            &HTTPS_MISSING,
            "http://127.0.0.1/",
            "=== http://127.0.0.1/\n<p>x",
        );
        assert_eq!(tallied.applicable, 0);
    }
}
