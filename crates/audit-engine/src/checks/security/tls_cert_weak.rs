//! TLS certificates with a weak key or signature.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::gather::{Certificate, CertificateKey, Signature};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The certificates that the server sends have RSA keys of at least 2,048 bits or elliptic
    /// curve keys of at least 256 bits, and are not signed with SHA-1 or MD5.
    ///
    /// ## Why it matters
    /// An attacker who can factor a short key, or create a second certificate with the same hash,
    /// can impersonate the site. Browsers reject such certificates.
    ///
    /// ## How to fix it
    /// Generate a new key: 256 bits on the curve P-256, or 2,048 bits for RSA. Then request a certificate for it;
    /// current certificate authorities sign with SHA-256.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === tls://example.com/
    /// certificate 2026-01-01 2026-12-01 rsa-1024 sha1
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
    /// The check evaluates the certificates that the server sends. It ignores the signature of a
    /// self-signed certificate such as a root, because that signature proves nothing. Through a
    /// proxy, the audit sees no certificates.
    ///
    /// ## Also known as
    /// - Nessus: SSL Certificate Signed Using Weak Hashing Algorithm
    /// - CWE: CWE-326, CWE-328
    ///
    /// ## References
    /// - CA/Browser Forum, Baseline Requirements, section 6.1.5 Key sizes
    /// - RFC 9155, Deprecating MD5 and SHA-1 Signature Hashes in TLS 1.2 and DTLS 1.2
    TLS_CERT_WEAK {
        id: "tls-cert-weak",
        title: "TLS certificate with a weak key or signature",
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
            Outcome::CannotTell("The audit could not read the certificates of the server.")
        } else {
            Outcome::NotApplicable
        };
    };
    if tls.chain.is_empty() {
        return Outcome::CannotTell("The server sent no certificate.");
    }
    let failures = tls
        .chain
        .iter()
        .zip(1..)
        .flat_map(|(certificate, position)| weaknesses(certificate, position))
        .map(|evidence| evidence.at(site.start.as_str()));
    Outcome::from_failures(failures.collect())
}

fn weaknesses(certificate: &Certificate, position: usize) -> impl Iterator<Item = Evidence> {
    let subject = match position {
        1 => "The site's certificate".to_owned(),
        position => format!("Certificate {position} of the chain"),
    };
    let key = match certificate.key {
        CertificateKey::Rsa(bits) if bits < 2_048 => Some(format!(
            "{subject} has an RSA key of {bits} bits; expected at least 2,048."
        )),
        CertificateKey::Ec(bits) if bits < 256 => Some(format!(
            "{subject} has an elliptic curve key of {bits} bits; expected at least 256."
        )),
        _ => None,
    };
    let hash = match certificate.signature {
        _ if certificate.self_signed => None,
        Signature::Md5 => Some("MD5"),
        Signature::Sha1 => Some("SHA-1"),
        Signature::Other => None,
    };
    let hash = hash.map(|hash| format!("{subject} is signed with {hash}; expected SHA-256."));
    let key = key.map(|message| {
        Evidence::here()
            .message(message)
            .cause("key", "A certificate has a short key")
    });
    let hash = hash.map(|message| {
        Evidence::here()
            .message(message)
            .cause("signature", "A certificate is signed with a weak hash")
    });
    key.into_iter().chain(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};
    use domain::report::Unjudged;

    fn audit_chain(certificates: &[&str]) -> Tallied {
        let lines: String = certificates
            .iter()
            .map(|words| format!("certificate 2026-01-01 2027-01-01 {words}\n"))
            .collect();
        audit(
            &TLS_CERT_WEAK,
            &format!("=== /\n<p>x\n=== tls://example.com/\n{lines}"),
        )
    }

    #[test]
    fn current_keys_and_signatures_pass() {
        for words in ["rsa-2048 sha256", "ec-256 sha384", "ed-255 other"] {
            let tallied = audit_chain(&[words]);
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{words}");
        }
    }

    #[test]
    fn short_keys_and_weak_hashes_are_separate_causes() {
        for (words, causes) in [
            ("rsa-1024 sha256", 1),
            ("ec-224 sha256", 1),
            ("rsa-2048 sha1", 1),
            ("rsa-1024 md5", 2),
        ] {
            assert_eq!(audit_chain(&[words]).findings.len(), causes, "{words}");
        }
    }

    #[test]
    fn the_whole_chain_is_evaluated_except_the_root_signature() {
        assert_eq!(audit_chain(&["ec-256 sha256", "rsa-2048 sha1"]).affected, 1);
        let root = audit_chain(&["ec-256 sha256", "rsa-2048 sha1 self-signed"]);
        assert_eq!(root.affected, 0);
    }

    #[test]
    fn unread_certificates_cannot_tell() {
        assert!(matches!(
            audit_chain(&[]).unjudged,
            Some(Unjudged::CannotTell(_))
        ));
        let unseen = audit(&TLS_CERT_WEAK, "=== /\n<p>x");
        assert!(matches!(unseen.unjudged, Some(Unjudged::CannotTell(_))));
        let http = "=== http://example.com/\n<p>x\n=== https://example.com/\nFAILS connect";
        let plain = audit_from(&TLS_CERT_WEAK, "http://example.com/", http);
        assert!(plain.applicable == 0 && plain.unjudged.is_none());
    }
}
