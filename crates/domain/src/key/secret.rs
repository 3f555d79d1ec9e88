//! The secret of a key: `sk_service_`, 43 random characters and a checksum of them.
//!
//! 43 characters of 62 hold 256 bits, so one round of SHA-256 is enough to keep: nobody can try them
//! out. The checksum lets secret scanners recognize a key, and lets a mistyped one be refused without
//! a look-up.

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::sources::IdSource;

const PREFIX: &str = "sk_service_";
const RANDOM_CHARS: usize = 43;
const CHECKSUM_CHARS: usize = 6;
/// How much of the random part callers are shown.
const SHOWN_CHARS: usize = 4;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The secret of a key. It hides itself from debug output and is never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct KeySecret(String);

/// The text is no key: its prefix, its length or its checksum is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the text is not a key, or it was mistyped")]
pub struct MistypedKey;

impl KeySecret {
    /// A new secret.
    #[must_use]
    pub fn generate(ids: &dyn IdSource) -> Self {
        let random = ids.base62(RANDOM_CHARS);
        Self(format!("{PREFIX}{random}{}", checksum(&random)))
    }

    /// The secret that a text spells.
    ///
    /// # Errors
    /// [`MistypedKey`] when it cannot be one.
    pub fn parse(text: &str) -> Result<Self, MistypedKey> {
        let rest = text.strip_prefix(PREFIX).ok_or(MistypedKey)?;
        if rest.len() != RANDOM_CHARS + CHECKSUM_CHARS
            || !rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return Err(MistypedKey);
        }
        let (random, given) = rest.split_at_checked(RANDOM_CHARS).ok_or(MistypedKey)?;
        if checksum(random) == given {
            Ok(Self(text.to_owned()))
        } else {
            Err(MistypedKey)
        }
    }

    /// The secret itself, to be shown once to the one it is made for.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The beginning, by which a person recognizes the key: `sk_service_AbCd`.
    #[must_use]
    pub fn shown_prefix(&self) -> String {
        self.0.chars().take(PREFIX.len() + SHOWN_CHARS).collect()
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash::from_secret(&self.0)
    }
}

impl fmt::Debug for KeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeySecret({PREFIX}…)")
    }
}

/// The CRC-32 (as in ISO-HDLC, gzip and PNG) of the random part, in base 62 with leading zeros. Six
/// digits hold any 32 bits.
fn checksum(random: &str) -> String {
    let mut rest = crc32fast::hash(random.as_bytes());
    let mut digits = Vec::with_capacity(CHECKSUM_CHARS);
    for _ in 0..CHECKSUM_CHARS {
        let digit = usize::try_from(rest % 62).unwrap_or_default();
        digits.push(BASE62.get(digit).copied().unwrap_or(b'0'));
        rest /= 62;
    }
    digits.iter().rev().map(|&byte| char::from(byte)).collect()
}

/// The SHA-256 of a secret, 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHash(String);

impl KeyHash {
    /// The hash of a secret with at least 128 random bits; others need a slow hash.
    pub(crate) fn from_secret(secret: &str) -> Self {
        Self(HEXLOWER.encode(&Sha256::digest(secret.as_bytes())))
    }

    /// A hash as it was stored.
    #[must_use]
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where two hashes differ.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Fixed;

    impl IdSource for Fixed {
        fn ulid(&self) -> String {
            unreachable!("a secret has no ulid")
        }

        fn base62(&self, length: usize) -> String {
            "Za9".chars().cycle().take(length).collect()
        }
    }

    #[test]
    fn a_secret_has_the_published_form() {
        let secret = KeySecret::generate(&Fixed);
        // python3 -c 'import zlib; print(zlib.crc32(b"Za9" * 14 + b"Z"))' prints 3158553449, which
        // has the digits 3, 27, 46, 60, 2, 29 in base 62.
        let expected = format!("sk_service_{}Z3Rky2T", "Za9".repeat(14));
        assert_eq!(secret.expose(), expected);
        assert_eq!(KeySecret::parse(secret.expose()), Ok(secret.clone()));
        assert_eq!(secret.shown_prefix(), "sk_service_Za9Z");
    }

    #[test]
    fn checksums_are_those_of_crc32() {
        // The check value of CRC-32/ISO-HDLC: crc("123456789") = 0xCBF43926 = 3421780262.
        // 3421780262 = 3·62⁵ + 45·62⁴ + 35·62³ + 27·62² + 22·62 + 14
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(checksum(""), "000000");
    }

    #[test]
    fn debug_output_hides_the_secret() {
        let secret = KeySecret::generate(&Fixed);
        assert_eq!(format!("{secret:?}"), "KeySecret(sk_service_…)");
    }

    #[test]
    fn hashes_are_sha256_of_the_whole_text() {
        let secret = KeySecret("abc".to_owned());
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(secret.hash().as_str(), expected);
        assert!(secret.hash().matches(&KeyHash::stored(expected.to_owned())));
        assert!(!secret.hash().matches(&KeyHash::stored(String::new())));
    }

    proptest! {
        #[test]
        fn any_text_parses_without_a_panic(text in ".{0,80}") {
            let _ = KeySecret::parse(&text);
        }

        #[test]
        fn one_changed_character_is_noticed(at in 11_usize..60, to in "[0-9A-Za-z]") {
            let secret = KeySecret::generate(&Fixed);
            let mut typed: Vec<char> = secret.expose().chars().collect();
            let before = typed[at];
            typed[at] = to.chars().next().unwrap();
            let typed_text: String = typed.iter().collect();
            prop_assert_eq!(KeySecret::parse(&typed_text).is_ok(), typed[at] == before);
        }
    }
}
