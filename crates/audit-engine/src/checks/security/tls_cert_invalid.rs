//! TLS certificates that browsers reject.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::Site;
use url::Url;

declare_check! {
    /// ## What it checks
    /// The site's TLS certificate has not expired, matches the host name, and has a complete chain
    /// to a certificate authority that browsers trust.
    ///
    /// ## Why it matters
    /// Browsers show a warning instead of the site. Visitors cannot distinguish a configuration
    /// mistake from an attack, so most of them leave.
    ///
    /// ## How to fix it
    /// Install a certificate for the exact host name, for example from Let's Encrypt, with the full chain that the
    /// authority provides (`fullchain.pem`). Then redirect HTTP to HTTPS.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// HTTP/1.1 301 Moved Permanently
    /// Location: http://example.com/start
    ///
    /// === http://example.com/start
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === tls://example.com/
    /// certificate 2025-01-01 2025-04-01 ec-256 sha256
    /// === /start
    /// FAILS tls
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// If the certificate of the start URL is invalid, the audit accepts it, so that there is a
    /// report. It never sends request headers or credentials over such a connection: an audit with
    /// request headers ends with an error that states the reason. The certificates of other host
    /// names of the site are not accepted. On a loopback address the outcome is "not applicable".
    /// The check does not find out whether a certificate was revoked.
    ///
    /// ## Also known as
    /// - Observatory: `hsts-invalid-cert`
    /// - Nessus: SSL Certificate Cannot Be Trusted
    /// - Common name: SSL certificate error
    ///
    /// ## References
    /// - RFC 5280, Internet X.509 Public Key Infrastructure Certificate and CRL Profile, section 6
    /// - RFC 9525, Service Identity in TLS
    /// - MDN HTTP Observatory, tests and scoring: Strict-Transport-Security
    TLS_CERT_INVALID {
        id: "tls-cert-invalid",
        title: "Invalid or untrusted TLS certificate",
        dimension: Security,
        scope: Origin,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    if !site.untrusted.is_empty() {
        let origins = site.untrusted.iter();
        return Outcome::failed(origins.map(|(origin, why)| certificate_rejected(origin, why)));
    }
    if site.start.scheme() == "https" {
        // The start page was loaded over HTTPS, so its certificate is valid.
        return Outcome::Passed;
    }
    let Some(twin) = &site.probes.https_twin else {
        return Outcome::NotApplicable;
    };
    let sent_certificate = site
        .probes
        .tls
        .as_ref()
        .is_some_and(|tls| !tls.chain.is_empty());
    match &twin.result {
        Ok(_) => Outcome::Passed,
        Err((FetchErrorKind::Tls, why)) if sent_certificate && twin.hops.is_empty() => {
            Outcome::failed(vec![certificate_rejected(&twin.requested, why)])
        }
        Err((FetchErrorKind::Tls, _)) => Outcome::CannotTell(
            "The HTTPS request fails with a TLS error that no certificate of the site explains.",
        ),
        // There is no HTTPS server, so there is no certificate.
        Err(_) => Outcome::NotApplicable,
    }
}

fn certificate_rejected(url: &Url, why: &str) -> Evidence {
    Evidence::here()
        .at(url.as_str())
        .message(format!("Browsers reject the certificate at {url}: {why}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};
    use domain::report::Unjudged;

    const SHOWN: &str = "=== tls://example.com/\ncertificate 2025-01-01 2025-04-01 ec-256 sha256\n";

    fn on_http(https: &str) -> crate::check::testing::Tallied {
        let site = format!("=== http://example.com/\n<p>x\n{https}");
        audit_from(&TLS_CERT_INVALID, "http://example.com/", &site)
    }

    #[test]
    fn an_invalid_certificate_of_an_http_site_fails() {
        let tallied = on_http(&format!("=== https://example.com/\nFAILS tls\n{SHOWN}"));
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
    }

    #[test]
    fn a_site_with_working_https_passes() {
        assert_eq!(audit(&TLS_CERT_INVALID, "=== /\n<p>x").affected, 0);
        let tallied = on_http("=== https://example.com/\n<p>x\n");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_start_page_with_an_invalid_certificate_has_a_report_with_the_reason() {
        let tallied = audit(
            &TLS_CERT_INVALID,
            "=== /\nUNTRUSTED its certificate has expired\n<a href=/a>a</a>",
        );
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(message.contains("its certificate has expired"), "{message}");
    }

    #[test]
    fn an_invalid_certificate_on_the_way_to_the_start_page_fails() {
        let site = "=== https://example.com/\nUNTRUSTED its certificate is for another host name\nHTTP/1.1 301 Moved\nLocation: https://www.example.com/\n\n=== https://www.example.com/\n<p>x";
        let tallied = audit(&TLS_CERT_INVALID, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        let from_http = format!(
            "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n\n{site}"
        );
        let tallied = audit_from(&TLS_CERT_INVALID, "http://example.com/", &from_http);
        assert_eq!(tallied.affected, 1);
    }

    #[test]
    fn a_site_without_https_is_not_applicable() {
        let tallied = on_http("=== https://example.com/\nFAILS connect\n");
        assert!(tallied.applicable == 0 && tallied.unjudged.is_none());
    }

    #[test]
    fn a_handshake_failure_without_a_certificate_cannot_tell() {
        let tallied = on_http("=== https://example.com/\nFAILS tls\n");
        assert!(matches!(tallied.unjudged, Some(Unjudged::CannotTell(_))));
    }
}
