//! Recovery codes, with which a person signs in without the authenticator app.

use std::fmt;

use data_encoding::BASE32_NOPAD;

use super::totp::random_bytes;
use crate::key::KeyHash;
use crate::sources::IdSource;

/// The number of recovery codes of a new set.
pub const RECOVERY_CODES: usize = 10;

/// Bytes of a code: 80 bits, so that one round of SHA-256 protects it (NIST SP 800-63B, section 3.1.2.2).
const BYTES: usize = 10;
/// Characters of a code without its hyphens.
const CHARS: usize = 16;
/// Characters between hyphens.
const GROUP: usize = 4;

/// A code that is accepted once instead of a code of the app. `Debug` hides it, and only its hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// A new set of codes.
    #[must_use]
    pub fn generate(ids: &dyn IdSource) -> Vec<Self> {
        let one = |_| {
            let bytes: [u8; BYTES] = random_bytes(ids, "assay recovery code");
            Self(BASE32_NOPAD.encode(&bytes).to_lowercase())
        };
        (0..RECOVERY_CODES).map(one).collect()
    }

    /// Parses a code that a person typed, with or without hyphens and spaces, in upper or lower case. `None` if the text
    /// has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let chars = text.chars().filter(|c| *c != '-' && !c.is_whitespace());
        let code: String = chars.take(CHARS + 1).collect::<String>().to_lowercase();
        let has_form = code.len() == CHARS
            && code
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
        has_form.then_some(Self(code))
    }

    /// The code as a person reads it: four groups with hyphens between them.
    #[must_use]
    pub fn expose(&self) -> String {
        let mut text = String::new();
        for (index, c) in self.0.chars().enumerate() {
            if index > 0 && index.is_multiple_of(GROUP) {
                text.push('-');
            }
            text.push(c);
        }
        text
    }

    /// The SHA-256 of the code, which is what is stored.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash::from_secret(&self.0)
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Counts instead of drawing.
    #[derive(Default)]
    struct Counted(AtomicU32);

    impl IdSource for Counted {
        fn ulid(&self) -> String {
            String::new()
        }

        fn base62(&self, length: usize) -> String {
            let number = self.0.fetch_add(1, Ordering::Relaxed);
            format!("{number:0length$}")
        }
    }

    #[test]
    fn a_set_has_ten_different_codes() {
        let codes = RecoveryCode::generate(&Counted::default());
        let different: HashSet<_> = codes.iter().map(RecoveryCode::expose).collect();
        assert_eq!(different.len(), RECOVERY_CODES);
        for code in &codes {
            assert_eq!(RecoveryCode::parse(&code.expose()).as_ref(), Some(code));
            assert_eq!(code.expose().len(), 19);
            assert_eq!(format!("{code:?}"), "RecoveryCode(…)");
        }
    }

    #[test]
    fn neither_case_nor_spaces_make_another_code() {
        let code = RecoveryCode::parse("abcd-efgh-2345-67qr").unwrap();
        for same in [
            "ABCDEFGH234567QR",
            " abcd efgh 2345 67qr\n",
            "abcdefgh-234567qr-",
        ] {
            let read = RecoveryCode::parse(same).unwrap();
            assert_eq!(read.hash(), code.hash(), "{same}");
        }
        for wrong in [
            "",
            "abcd-efgh-2345-67q",
            "abcd-efgh-2345-67qrs",
            "abcd-efgh-0345-67qr",
            "abcd-efgh-2345-67q\u{e4}",
        ] {
            assert_eq!(RecoveryCode::parse(wrong), None, "{wrong}");
        }
    }
}
