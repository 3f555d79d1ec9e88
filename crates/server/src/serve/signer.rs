//! Signed links.

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use domain::link::{ReportLink, Signature, SigningKey};
use domain::ports::{Clock, SigningKeyStore, UrlSigner};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Signs with HMAC-SHA256 and the keys of the database.
pub(crate) struct HmacSigner {
    newest: SigningKey,
    older: Vec<SigningKey>,
}

impl HmacSigner {
    /// Reads the keys, and creates the first one if there is none.
    pub(crate) fn load(keys: &dyn SigningKeyStore, clock: &dyn Clock) -> Result<Self> {
        let mut all = keys.signing_keys().context(READ)?;
        if all.is_empty() {
            let first = SigningKey {
                id: "1".to_owned(),
                secret: rand::random(),
                created_at: clock.now(),
            };
            // Another process may have been first; its key is used then.
            keys.add_first_signing_key(&first).context(READ)?;
            all = keys.signing_keys().context(READ)?;
        }
        let mut all = all.into_iter();
        let newest = all.next().context(READ)?;
        Ok(Self {
            newest,
            older: all.collect(),
        })
    }
}

const READ: &str = "the signing keys of links could not be read";

impl UrlSigner for HmacSigner {
    fn sign(&self, link: &ReportLink) -> Signature {
        Signature {
            key_id: self.newest.id.clone(),
            text: code(&self.newest, link),
        }
    }

    fn is_signed(&self, link: &ReportLink, signature: &Signature) -> bool {
        let mut keys = std::iter::once(&self.newest).chain(&self.older);
        let Some(key) = keys.find(|key| key.id == signature.key_id) else {
            return false;
        };
        // Compared as text, so that a signature has only one spelling.
        let expected = code(key, link);
        expected.as_bytes().ct_eq(signature.text.as_bytes()).into()
    }
}

/// Computes the signature of a link with a key, in lower-case hexadecimal digits.
#[expect(
    clippy::expect_used,
    reason = "HMAC takes keys of every length (RFC 2104, section 2)"
)]
fn code(key: &SigningKey, link: &ReportLink) -> String {
    let mut code = Hmac::<Sha256>::new_from_slice(&key.secret).expect("any length is a key");
    code.update(link.signed_text(&key.id).as_bytes());
    HEXLOWER.encode(&code.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use domain::id::{OrgId, ReportId};
    use storage::Database;
    use testkit::{FixedClock, SequentialIds, sample};

    use super::*;

    fn link(ids: &SequentialIds) -> ReportLink {
        ReportLink::issued(OrgId::make(ids), ReportId::make(ids), sample::noon())
    }

    #[test]
    fn the_signature_of_a_link_never_changes() {
        let ids = SequentialIds::default();
        let signer = HmacSigner {
            newest: SigningKey {
                id: "1".to_owned(),
                secret: [7; 32],
                created_at: sample::noon(),
            },
            older: Vec::new(),
        };
        let link = link(&ids);
        // printf 'assay report pdf\n1\nORG\nREPORT\n1795262700' | openssl dgst -sha256 -mac HMAC
        //   -macopt hexkey:0707…07
        assert_eq!(link.signed_text("1").lines().count(), 5);
        assert_eq!(
            signer.sign(&link).text,
            "bd6ac1c7ca04e00176689064676182cb8c33bb17d6907e6fc71006aa1e808646"
        );
    }

    #[test]
    fn every_part_of_a_link_is_signed() {
        let (stores, ids) = (Database::for_test(), SequentialIds::default());
        let signer = HmacSigner::load(&stores, &FixedClock::new(sample::noon())).unwrap();
        let link = link(&ids);
        let signature = signer.sign(&link);
        assert!(signer.is_signed(&link, &signature));
        let second = chrono::TimeDelta::seconds(1);
        for other in [
            ReportLink {
                org_id: OrgId::make(&ids),
                ..link.clone()
            },
            ReportLink {
                report_id: ReportId::make(&ids),
                ..link.clone()
            },
            ReportLink {
                expires_at: link.expires_at + second,
                ..link.clone()
            },
        ] {
            assert!(!signer.is_signed(&other, &signature), "{other:?}");
        }
        let other_key = Signature {
            key_id: "2".to_owned(),
            ..signature
        };
        assert!(!signer.is_signed(&link, &other_key));
    }

    #[test]
    fn every_altered_character_is_noticed() {
        let (stores, ids) = (Database::for_test(), SequentialIds::default());
        let signer = HmacSigner::load(&stores, &FixedClock::new(sample::noon())).unwrap();
        let link = link(&ids);
        let signature = signer.sign(&link);
        let altered = |text: String| Signature {
            text,
            ..signature.clone()
        };
        for at in 0..signature.text.len() {
            for by in ["0", "f", "F", "g"] {
                let mut text = signature.text.clone();
                text.replace_range(at..=at, by);
                if text != signature.text {
                    assert!(!signer.is_signed(&link, &altered(text)));
                }
            }
        }
        let upper = altered(signature.text.to_uppercase());
        assert!(!signer.is_signed(&link, &upper));
        assert!(!signer.is_signed(&link, &altered(String::new())));
    }

    #[test]
    fn all_processes_share_the_first_key() {
        let stores = Database::for_test();
        let clock = FixedClock::new(sample::noon());
        let one = HmacSigner::load(&stores, &clock).unwrap();
        let other = HmacSigner::load(&stores, &clock).unwrap();
        let link = link(&SequentialIds::default());
        assert!(other.is_signed(&link, &one.sign(&link)));
    }
}
