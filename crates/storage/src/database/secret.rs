//! Encryption at rest for request header values, webhook secrets, stored responses that contain one, and the secrets of
//! second factors.
//!
//! Uses XChaCha20-Poly1305 with a random 24-byte nonce. The associated data names the row, so a ciphertext
//! cannot be decrypted in another row.

use std::collections::BTreeMap;
use std::fmt;

use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use data_encoding::HEXLOWER;
use domain::id::{AccountId, OrgId, RunId, SiteId, WebhookId};
use domain::idempotency::IdempotencyKey;
use domain::run::RequestHeaders;

use crate::database::error::StorageError;
use crate::database::values::{from_json, to_json};

/// The prefix of sealed texts. Another encryption scheme gets another prefix.
const VERSION: &str = "v1:";
/// Length of a nonce in bytes.
const NONCE_BYTES: usize = 24;

/// The key that encrypts secrets in the database. All processes on one database need the same key.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey([u8; 32]);

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

impl SecretKey {
    /// Creates a key from bytes of a random source.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses a key of 64 lower-case hexadecimal digits; returns `None` for any other text.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let bytes = HEXLOWER.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// Returns the digits that [`SecretKey::from_hex`] parses.
    #[must_use]
    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&self.0).into())
    }
}

/// The row that a sealed text belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SealContext<'a> {
    /// A run.
    Run(&'a OrgId, &'a RunId),
    /// The default options of a site.
    Site(&'a OrgId, &'a SiteId),
    /// A webhook.
    Webhook(&'a OrgId, &'a WebhookId),
    /// A stored response: its operation and `Idempotency-Key`.
    Answer(&'a OrgId, &'a str, &'a IdempotencyKey),
    /// The second factor of an account.
    SecondFactor(&'a AccountId),
    /// The check value that identifies the key of the database.
    Check,
}

impl SealContext<'_> {
    /// Returns the associated data. No part contains a line break, so it is unique for each row.
    fn associated_data(self) -> String {
        match self {
            Self::Run(org, run) => format!("assay run headers\n{org}\n{run}"),
            Self::Site(org, site) => format!("assay site headers\n{org}\n{site}"),
            Self::Webhook(org, webhook) => format!("assay webhook secret\n{org}\n{webhook}"),
            Self::Answer(org, operation, key) => {
                format!(
                    "assay stored response\n{org}\n{operation}\n{}",
                    key.as_str()
                )
            }
            Self::SecondFactor(account) => format!("assay second factor\n{account}"),
            Self::Check => "assay secret check".to_owned(),
        }
    }
}

/// Encrypts headers for storage; returns `None` if there are no headers.
pub(crate) fn seal(
    key: Option<&SecretKey>,
    context: SealContext<'_>,
    headers: &RequestHeaders,
) -> Result<Option<String>, StorageError> {
    if headers.is_empty() {
        return Ok(None);
    }
    seal_text(key, context, &to_json(headers.expose())?).map(Some)
}

/// Decrypts stored headers.
pub(crate) fn open(
    key: Option<&SecretKey>,
    context: SealContext<'_>,
    sealed: &str,
) -> Result<RequestHeaders, StorageError> {
    let text = open_text(key, context, sealed)?;
    let headers: BTreeMap<String, String> = from_json("headers", &text)?;
    Ok(RequestHeaders::stored(headers))
}

/// Encrypts a text for storage.
pub(crate) fn seal_text(
    key: Option<&SecretKey>,
    context: SealContext<'_>,
    text: &str,
) -> Result<String, StorageError> {
    let cipher = the(key)?.cipher();
    let nonce = XNonce::try_generate()
        .map_err(|error| StorageError::Failed(format!("the random source failed: {error}")))?;
    let aad = context.associated_data();
    let payload = Payload {
        msg: text.as_bytes(),
        aad: aad.as_bytes(),
    };
    let sealed = cipher
        .encrypt(&nonce, payload)
        .map_err(|_| StorageError::Failed("a secret could not be encrypted".to_owned()))?;
    Ok(format!(
        "{VERSION}{}{}",
        HEXLOWER.encode(&nonce),
        HEXLOWER.encode(&sealed)
    ))
}

/// Decrypts a stored text.
pub(crate) fn open_text(
    key: Option<&SecretKey>,
    context: SealContext<'_>,
    sealed: &str,
) -> Result<String, StorageError> {
    let cipher = the(key)?.cipher();
    let digits = sealed.strip_prefix(VERSION);
    let bytes = digits.and_then(|digits| HEXLOWER.decode(digits.as_bytes()).ok());
    let opened = bytes.as_ref().and_then(|bytes| {
        let (nonce, msg) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let aad = context.associated_data();
        let payload = Payload {
            msg,
            aad: aad.as_bytes(),
        };
        cipher.decrypt(nonce.into(), payload).ok()
    });
    let text = opened.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or(StorageError::Sealed(
        "stored data cannot be decrypted: it was encrypted with a different secret key",
    ))
}

fn the(key: Option<&SecretKey>) -> Result<&SecretKey, StorageError> {
    key.ok_or(StorageError::Sealed(
        "request headers and the secrets of webhooks and second factors are stored encrypted, and this \
         process has no secret key",
    ))
}

#[cfg(test)]
mod tests {
    use testkit::SequentialIds;

    use super::*;

    const KEY: SecretKey = SecretKey::new([7; 32]);

    fn headers() -> RequestHeaders {
        let headers = [("authorization", "Bearer hunter2"), ("x-preview", "1")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        RequestHeaders::stored(BTreeMap::from(headers))
    }

    #[test]
    fn headers_decrypt_only_in_their_own_row() {
        let ids = SequentialIds::default();
        let orgs = [(); 2].map(|()| OrgId::make(&ids));
        let runs = [(); 2].map(|()| RunId::make(&ids));
        let site = SiteId::make(&ids);
        let context = SealContext::Run(&orgs[0], &runs[0]);
        let sealed = seal(Some(&KEY), context, &headers()).unwrap().unwrap();
        assert!(sealed.starts_with("v1:"));
        assert_eq!(open(Some(&KEY), context, &sealed).unwrap(), headers());
        for other in [
            SealContext::Run(&orgs[1], &runs[0]),
            SealContext::Run(&orgs[0], &runs[1]),
            SealContext::Site(&orgs[0], &site),
        ] {
            assert!(open(Some(&KEY), other, &sealed).is_err(), "{other:?}");
        }
    }

    #[test]
    fn modified_or_foreign_ciphertexts_do_not_decrypt() {
        let ids = SequentialIds::default();
        let (org, run) = (OrgId::make(&ids), RunId::make(&ids));
        let context = SealContext::Run(&org, &run);
        let sealed = seal(Some(&KEY), context, &headers()).unwrap().unwrap();
        let other = SecretKey::new([8; 32]);
        assert!(open(Some(&other), context, &sealed).is_err());
        assert!(open(None, context, &sealed).is_err());
        let mut changed = sealed.clone();
        let last = changed.pop();
        changed.push(if last == Some('0') { '1' } else { '0' });
        let other_version = sealed.replace("v1:", "v2:");
        for text in [&changed, &other_version, "", "v1:", "v1:00"] {
            assert!(open(Some(&KEY), context, text).is_err(), "{text}");
        }
    }

    #[test]
    fn equal_headers_have_different_ciphertexts() {
        let ids = SequentialIds::default();
        let (org, run) = (OrgId::make(&ids), RunId::make(&ids));
        let context = SealContext::Run(&org, &run);
        let sealed = [(); 2].map(|()| seal(Some(&KEY), context, &headers()).unwrap());
        assert_ne!(sealed[0], sealed[1]);
        let none = seal(None, context, &RequestHeaders::default());
        assert_eq!(none, Ok(None));
    }

    #[test]
    fn a_key_is_spelled_in_one_way_and_not_shown() {
        assert_eq!(SecretKey::from_hex(&KEY.to_hex()), Some(KEY));
        for text in ["", "07", &"AB".repeat(32), &"07".repeat(33)] {
            assert_eq!(SecretKey::from_hex(text), None, "{text}");
        }
        assert_eq!(format!("{KEY:?}"), "SecretKey(..)");
    }
}
