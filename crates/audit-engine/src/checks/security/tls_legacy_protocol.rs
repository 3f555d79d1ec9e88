//! Servers that accept SSL 3.0, TLS 1.0 or TLS 1.1.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The server rejects connections that offer at most TLS 1.1, TLS 1.0 or SSL 3.0.
    ///
    /// ## Why it matters
    /// These versions have known attacks, and no browser needs them. If the server accepts them, an
    /// attacker on the network may force old clients to use them. PCI DSS audits for payment cards
    /// also fail.
    ///
    /// ## How to fix it
    /// Allow only TLS 1.2 and 1.3: `ssl_protocols TLSv1.2 TLSv1.3;` in nginx,
    /// `SSLProtocol -all +TLSv1.2 +TLSv1.3` in Apache, or the minimum TLS version in the settings
    /// of your CDN.
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
    /// The audit tests one IP address of the host, with the cipher suites that were common for
    /// these versions. A server that accepts an old version only with rare cipher suites passes.
    /// Through a proxy, the audit cannot test the server.
    ///
    /// ## Also known as
    /// - Nessus: TLS Version 1.0 Protocol Detection
    /// - CWE: CWE-326
    /// - Common name: Legacy TLS
    /// - Common name: POODLE (SSL 3.0)
    ///
    /// ## References
    /// - RFC 8996, Deprecating TLS 1.0 and TLS 1.1
    /// - RFC 7568, Deprecating Secure Sockets Layer Version 3.0
    TLS_LEGACY_PROTOCOL {
        id: "tls-legacy-protocol",
        title: "Outdated SSL or TLS version enabled",
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
            Outcome::CannotTell("The audit could not test the TLS versions of the server.")
        } else {
            Outcome::NotApplicable
        };
    };
    let failures = tls.legacy.iter().map(|version| {
        let version = version.as_str();
        Evidence::here()
            .at(site.start.as_str())
            .message(format!(
                "The server accepts {version}; expected only TLS 1.2 and 1.3."
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
    fn each_outdated_version_is_a_separate_cause() {
        let site = "=== /\n<p>x\n=== tls://example.com/\naccepts SSL 3.0\naccepts TLS 1.1";
        let tallied = audit(&TLS_LEGACY_PROTOCOL, site);
        assert_eq!((tallied.applicable, tallied.findings.len()), (1, 2));
    }

    #[test]
    fn a_server_that_rejects_outdated_versions_passes() {
        let site =
            "=== /\n<p>x\n=== tls://example.com/\ncertificate 2026-01-01 2027-01-01 ec-256 sha256";
        let tallied = audit(&TLS_LEGACY_PROTOCOL, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn untested_servers_cannot_tell_and_http_sites_are_not_applicable() {
        let unseen = audit(&TLS_LEGACY_PROTOCOL, "=== /\n<p>x");
        assert!(matches!(unseen.unjudged, Some(Unjudged::CannotTell(_))));
        let http = "=== http://example.com/\n<p>x\n=== https://example.com/\nFAILS connect";
        let plain = audit_from(&TLS_LEGACY_PROTOCOL, "http://example.com/", http);
        assert!(plain.applicable == 0 && plain.unjudged.is_none());
    }
}
