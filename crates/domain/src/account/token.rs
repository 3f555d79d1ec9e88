//! The secret in a session cookie or a one-time link.

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::key::KeyHash;
use crate::sources::IdSource;

/// 43 characters of 62 hold 256 bits.
const CHARS: usize = 43;

/// The secret in a session cookie or a one-time link: 256 random bits. Debug output hides it, and only its hash is
/// stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new token.
    #[must_use]
    pub fn generate(ids: &dyn IdSource) -> Self {
        Self(ids.base62(CHARS))
    }

    /// The token that a text spells; none if it has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let has_form = text.len() == CHARS && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        has_form.then(|| Self(text.to_owned()))
    }

    /// The token itself, for a cookie or a link.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The SHA-256 of the token, which is what is stored. One round is enough, because nobody can try 2²⁵⁶ tokens.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash::from_secret(&self.0)
    }

    /// The token that forms of this session carry against cross-site requests (OWASP: synchronizer token). It is
    /// derived from the session token and does not reveal it.
    #[must_use]
    pub fn form_token(&self) -> String {
        let digest = Sha256::digest(format!("assay form token\0{}", self.0));
        HEXLOWER.encode(&digest)
    }

    /// Whether a form carries the token of this session; compared in constant time.
    #[must_use]
    pub fn accepts_form(&self, form_token: &str) -> bool {
        self.form_token()
            .as_bytes()
            .ct_eq(form_token.as_bytes())
            .into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Token {
        Token::parse(&text.repeat(43)).unwrap()
    }

    #[test]
    fn only_texts_of_the_right_form_are_tokens() {
        assert!(Token::parse(&"a".repeat(43)).is_some());
        for wrong in [
            "",
            &"a".repeat(42),
            &"a".repeat(44),
            &"-".repeat(43),
            &"ä".repeat(43),
        ] {
            assert_eq!(Token::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn debug_output_and_form_token_hide_the_token() {
        let token = token("q");
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert!(!token.form_token().contains("qq"));
        assert_ne!(token.form_token(), token.hash().as_str());
    }

    #[test]
    fn a_form_token_belongs_to_one_session() {
        let (one, other) = (token("a"), token("b"));
        assert!(one.accepts_form(&one.form_token()));
        assert!(!one.accepts_form(&other.form_token()));
        assert!(!one.accepts_form(""));
    }
}
