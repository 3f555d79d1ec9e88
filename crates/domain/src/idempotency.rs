//! Idempotency: requests that may be sent twice and are executed once.
//!
//! A client identifies a request with an `Idempotency-Key`. The response of a successful request is stored in
//! the transaction of its change, and returned again for the same request with the same key. Keys belong to
//! an organization and an operation.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The maximum number of characters of a key.
pub const MAX_KEY_CHARS: usize = 255;
/// The retention of a stored response.
pub const KEPT_FOR: TimeDelta = TimeDelta::hours(24);

/// An idempotency key: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Parses a key; `None` for an invalid one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=MAX_KEY_CHARS).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The key as it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The fingerprint of a request: the SHA-256 of method, path and body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a call.
    #[must_use]
    pub fn new(method: &str, path: &str, body: &[u8]) -> Self {
        let mut hash = Sha256::new();
        for part in [method.as_bytes(), path.as_bytes()] {
            // Neither holds a NUL, so no two calls run together.
            hash.update(part);
            hash.update([0]);
        }
        hash.update(body);
        Self(hash.finalize().into())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// A call with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentCall {
    /// The operation, as the OpenAPI document names it.
    pub operation: &'static str,
    /// The key.
    pub key: IdempotencyKey,
    /// What is called.
    pub fingerprint: Fingerprint,
    /// The time. Stored responses that are [`KEPT_FOR`] old by then have expired.
    pub at: DateTime<Utc>,
}

/// A stored response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The status, from 200 to 299.
    pub status: u16,
    /// The header `Location`, where there is one.
    pub location: Option<String>,
    /// The body.
    pub body: String,
}

/// A change to execute once, and its response.
pub struct IdempotentWrite<'a, T> {
    /// The call.
    pub call: &'a IdempotentCall,
    /// Makes the answer of what was done; called in the transaction.
    pub answer: &'a dyn Fn(&T) -> StoredAnswer,
}

impl<T> Clone for IdempotentWrite<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for IdempotentWrite<'_, T> {}

impl<T> fmt::Debug for IdempotentWrite<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IdempotentWrite").field(self.call).finish()
    }
}

/// The outcome of an idempotent change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Idempotent<T> {
    /// It was executed.
    Executed(T),
    /// It was executed before; this is the stored response.
    Replayed(StoredAnswer),
}

/// The key was used for another request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the Idempotency-Key was used with another request")]
pub struct KeyReused;

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("a", true)]
    #[case("5f0c…", false)]
    #[case("!~", true)]
    #[case("", false)]
    #[case("a b", false)]
    #[case("a\n", false)]
    #[case("\u{7f}", false)]
    fn keys_are_visible_ascii(#[case] text: &str, #[case] valid: bool) {
        assert_eq!(IdempotencyKey::parse(text).is_some(), valid);
    }

    #[test]
    fn keys_are_bounded() {
        assert!(IdempotencyKey::parse(&"k".repeat(MAX_KEY_CHARS)).is_some());
        assert!(IdempotencyKey::parse(&"k".repeat(MAX_KEY_CHARS + 1)).is_none());
    }

    #[test]
    fn every_part_of_a_call_counts() {
        let call = Fingerprint::new("POST", "/a", b"b");
        assert_eq!(call, Fingerprint::new("POST", "/a", b"b"));
        for other in [
            Fingerprint::new("PUT", "/a", b"b"),
            Fingerprint::new("POST", "/ab", b""),
            Fingerprint::new("POST", "/a", b"c"),
        ] {
            assert_ne!(call, other);
        }
        // printf 'POST\0/a\0b' | sha256sum | head -c 16
        assert!(call.to_string().starts_with("befd1f0e0678c186"));
    }
}
