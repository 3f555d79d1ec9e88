//! Servers that agree to versions of TLS which must not be used any more.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The server refuses connections that offer no more than TLS 1.1, TLS 1.0 or SSL 3.0.
    ///
    /// ## Why it matters
    /// These versions can be attacked, and no browser needs them. Where they are on, an attacker on the
    /// way may talk old clients into them, and audits for payment cards fail.
    ///
    /// ## How to fix it
    /// Allow TLS 1.2 and 1.3 alone: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx, `SSLProtocol -all +TLSv1.2
    /// +TLSv1.3` in Apache, the minimum version in the settings of a content network.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === tls://example.com/
    /// certificate 2026-01-01 2026-03-31 ec-256 sha256
    /// accepts TLS 1.0
    /// accepts TLS 1.1
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === tls://example.com/
    /// certificate 2026-01-01 2026-03-31 ec-256 sha256
    /// ```
    ///
    /// ## Limits
    /// One address of the host is asked, with the ciphers that were usual at the time. A server that
    /// accepts an old version with rare ciphers only passes. Through a proxy nothing can be seen.
    ///
    /// ## References
    /// - RFC 8996, Deprecating TLS 1.0 and TLS 1.1
    /// - RFC 7568, Deprecating Secure Sockets Layer Version 3.0
    TLS_LEGACY_PROTOCOL {
        id: "tls-legacy-protocol",
        title: "The server accepts versions of TLS that are broken",
        dimension: Security,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(tls) = &site.probes.tls else {
        return if site.start.scheme() == "https" {
            Outcome::CannotTell("The TLS endpoint could not be looked at.")
        } else {
            Outcome::NotApplicable
        };
    };
    let failures = tls.legacy.iter().map(|version| {
        let version = version.as_str();
        Evidence::here()
            .at(site.start.as_str())
            .message(format!(
                "The server agrees to {version}; expected are TLS 1.2 and 1.3 alone."
            ))
            .cause(version, format!("The server accepts {version}"))
    });
    Outcome::from_failures(failures.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};
    use domain::report::Unjudged;

    #[test]
    fn every_old_version_is_a_cause_of_its_own() {
        let site = "=== /\n<p>x\n=== tls://example.com/\naccepts SSL 3.0\naccepts TLS 1.1";
        let tallied = audit(&TLS_LEGACY_PROTOCOL, site);
        assert_eq!((tallied.applicable, tallied.findings.len()), (1, 2));
    }

    #[test]
    fn a_server_that_refuses_them_passes() {
        let site =
            "=== /\n<p>x\n=== tls://example.com/\ncertificate 2026-01-01 2027-01-01 ec-256 sha256";
        let tallied = audit(&TLS_LEGACY_PROTOCOL, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn without_a_look_nothing_is_known_and_without_tls_nothing_is_judged() {
        let unseen = audit(&TLS_LEGACY_PROTOCOL, "=== /\n<p>x");
        assert!(matches!(unseen.unjudged, Some(Unjudged::CannotTell(_))));
        let http = "=== http://example.com/\n<p>x\n=== https://example.com/\nFAILS connect";
        let plain = audit_from(&TLS_LEGACY_PROTOCOL, "http://example.com/", http);
        assert!(plain.applicable == 0 && plain.unjudged.is_none());
    }
}
