//! Certificates that browsers refuse.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::{Probe, Site};

declare_check! {
    /// ## What it checks
    /// The certificate of the site on https has not expired, is for its name, and comes with every
    /// certificate up to an authority that browsers trust.
    ///
    /// ## Why it matters
    /// Browsers show a warning in place of the site. Nobody can tell a careless operator from an
    /// attacker by it, so that most visitors turn away.
    ///
    /// ## How to fix it
    /// Get a certificate for the exact name, for example from Let's Encrypt, and install it with the
    /// whole chain that the authority hands out (`fullchain.pem`). Then redirect http to https.
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
    /// A site that begins with https and whose certificate is refused cannot be audited at all: the
    /// audit ends with an error that says why. So this check finds what visitors of a site on http meet
    /// when they ask for https. Whether a certificate was revoked is not asked.
    ///
    /// ## References
    /// - RFC 5280, Internet X.509 Public Key Infrastructure Certificate and CRL Profile, section 6
    /// - RFC 9525, Service Identity in TLS
    /// - MDN HTTP Observatory, tests and scoring: Strict-Transport-Security
    TLS_CERT_INVALID {
        id: "tls-cert-invalid",
        title: "Browsers refuse the certificate",
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
    if site.start.scheme() == "https" {
        // The start page came over it.
        return Outcome::Passed;
    }
    let Some(twin) = &site.probes.https_twin else {
        return Outcome::NotApplicable;
    };
    let shown = site
        .probes
        .tls
        .as_ref()
        .is_some_and(|tls| !tls.chain.is_empty());
    match &twin.result {
        Ok(_) => Outcome::Passed,
        Err((FetchErrorKind::Tls, why)) if shown && twin.hops.is_empty() => refused(twin, why),
        Err((FetchErrorKind::Tls, _)) => {
            Outcome::CannotTell("Something speaks TLS there and shows no certificate.")
        }
        // Nothing is there to be refused.
        Err(_) => Outcome::NotApplicable,
    }
}

fn refused(twin: &Probe, why: &str) -> Outcome {
    Outcome::failed(vec![Evidence::here().at(twin.requested.as_str()).message(
        format!(
            "Browsers refuse the certificate at {}: {why}.",
            twin.requested
        ),
    )])
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
    fn a_refused_certificate_beside_plain_http_fails() {
        let tallied = on_http(&format!("=== https://example.com/\nFAILS tls\n{SHOWN}"));
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
    }

    #[test]
    fn a_site_that_came_over_https_passes() {
        assert_eq!(audit(&TLS_CERT_INVALID, "=== /\n<p>x").affected, 0);
        let tallied = on_http("=== https://example.com/\n<p>x\n");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn no_https_at_all_is_another_checks_finding() {
        let tallied = on_http("=== https://example.com/\nFAILS connect\n");
        assert!(tallied.applicable == 0 && tallied.unjudged.is_none());
    }

    #[test]
    fn a_handshake_that_fails_before_a_certificate_cannot_be_judged() {
        let tallied = on_http("=== https://example.com/\nFAILS tls\n");
        assert!(matches!(tallied.unjudged, Some(Unjudged::CannotTell(_))));
    }
}
