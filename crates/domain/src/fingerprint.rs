//! Fingerprints of causes.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// Bytes of the hash that a fingerprint shows, two digits each.
const FINGERPRINT_BYTES: usize = 16;

/// Whether a text is written as the fingerprints of causes are: 32 lower-case hexadecimal digits.
#[must_use]
pub fn is_fingerprint(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 2 * FINGERPRINT_BYTES && text.bytes().all(is_digit)
}

/// The fingerprint of a check's cause with this key: the same in every run.
#[must_use]
pub fn fingerprint(check_id: &str, cause: &str) -> String {
    let hash = Sha256::digest(format!("{check_id}\n{cause}"));
    HEXLOWER.encode(hash.get(..FINGERPRINT_BYTES).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_told_from_other_texts() {
        assert!(is_fingerprint(&fingerprint("csp-missing", "")));
        for other in [
            "",
            "0",
            &"a".repeat(31),
            &"a".repeat(33),
            &"g".repeat(32),
            &"A".repeat(32),
        ] {
            assert!(!is_fingerprint(other), "{other}");
        }
    }

    #[test]
    fn fingerprints_never_change() {
        // printf 'image-alt\n' | sha256sum | head -c 32
        assert_eq!(
            fingerprint("image-alt", ""),
            "6041cb075c50d2a98e5699444de82215"
        );
        assert_ne!(fingerprint("image-alt", "a"), fingerprint("image-alt", ""));
    }
}
