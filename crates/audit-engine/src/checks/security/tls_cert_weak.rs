//! Certificates whose key or signature can be broken.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::gather::{Certificate, CertificateKey, Signature};
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The certificates that the site shows have RSA keys of at least 2,048 bits or elliptic curves of
    /// at least 256, and are not signed with SHA-1 or MD5.
    ///
    /// ## Why it matters
    /// Who can factor a short key, or make a second certificate with the same broken hash, can pose as
    /// the site. Browsers refuse such certificates.
    ///
    /// ## How to fix it
    /// Make a new key, of 256 bits on the curve P-256 or 2,048 bits for RSA, and have it certified by
    /// an authority of today; all of them sign with SHA-256.
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
    /// Judged are the certificates that the site sends; the signature of one that vouches for itself,
    /// as a root does, proves nothing and does not count. Through a proxy no certificate is seen.
    ///
    /// ## References
    /// - CA/Browser Forum, Baseline Requirements, section 6.1.5 Key sizes
    /// - RFC 9155, Deprecating MD5 and SHA-1 Signature Hashes in TLS 1.2 and DTLS 1.2
    TLS_CERT_WEAK {
        id: "tls-cert-weak",
        title: "The certificate can be forged",
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
            Outcome::CannotTell("The certificates could not be looked at.")
        } else {
            Outcome::NotApplicable
        };
    };
    if tls.chain.is_empty() {
        return Outcome::CannotTell("The endpoint showed no certificate.");
    }
    let failures = tls
        .chain
        .iter()
        .zip(1..)
        .flat_map(|(certificate, place)| weaknesses(certificate, place))
        .map(|evidence| evidence.at(site.start.as_str()));
    Outcome::from_failures(failures.collect())
}

fn weaknesses(certificate: &Certificate, place: usize) -> impl Iterator<Item = Evidence> {
    let whose = match place {
        1 => "The site's certificate".to_owned(),
        place => format!("Certificate {place} of the chain"),
    };
    let key = match certificate.key {
        CertificateKey::Rsa(bits) if bits < 2_048 => Some(format!(
            "{whose} has an RSA key of {bits} bits; expected are at least 2,048."
        )),
        CertificateKey::Ec(bits) if bits < 256 => Some(format!(
            "{whose} has a key on an elliptic curve of {bits} bits; expected are at least 256."
        )),
        _ => None,
    };
    let hash = match certificate.signature {
        _ if certificate.self_signed => None,
        Signature::Md5 => Some("MD5"),
        Signature::Sha1 => Some("SHA-1"),
        Signature::Other => None,
    };
    let hash = hash.map(|hash| format!("{whose} is signed with {hash}; expected is SHA-256."));
    let key = key.map(|message| {
        Evidence::here()
            .message(message)
            .cause("key", "A certificate has a short key")
    });
    let hash = hash.map(|message| {
        Evidence::here()
            .message(message)
            .cause("signature", "A certificate is signed with a broken hash")
    });
    key.into_iter().chain(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};
    use domain::report::Unjudged;

    fn judged(certificates: &[&str]) -> Tallied {
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
    fn keys_and_signatures_of_today_pass() {
        for words in ["rsa-2048 sha256", "ec-256 sha384", "ed-255 other"] {
            let tallied = judged(&[words]);
            assert_eq!((tallied.applicable, tallied.affected), (1, 0), "{words}");
        }
    }

    #[test]
    fn short_keys_and_broken_hashes_fail_each_with_its_cause() {
        for (words, causes) in [
            ("rsa-1024 sha256", 1),
            ("ec-224 sha256", 1),
            ("rsa-2048 sha1", 1),
            ("rsa-1024 md5", 2),
        ] {
            assert_eq!(judged(&[words]).findings.len(), causes, "{words}");
        }
    }

    #[test]
    fn the_whole_chain_is_judged_but_for_the_signature_of_a_root() {
        assert_eq!(judged(&["ec-256 sha256", "rsa-2048 sha1"]).affected, 1);
        let root = judged(&["ec-256 sha256", "rsa-2048 sha1 self-signed"]);
        assert_eq!(root.affected, 0);
    }

    #[test]
    fn without_a_look_nothing_is_known() {
        assert!(matches!(
            judged(&[]).unjudged,
            Some(Unjudged::CannotTell(_))
        ));
        let unseen = audit(&TLS_CERT_WEAK, "=== /\n<p>x");
        assert!(matches!(unseen.unjudged, Some(Unjudged::CannotTell(_))));
        let http = "=== http://example.com/\n<p>x\n=== https://example.com/\nFAILS connect";
        let plain = audit_from(&TLS_CERT_WEAK, "http://example.com/", http);
        assert!(plain.applicable == 0 && plain.unjudged.is_none());
    }
}
