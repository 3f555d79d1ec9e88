//! The API key.

use std::fmt;

use crate::Error;

/// An API key. It is exposed only in the `Authorization` header.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Parses a key, without surrounding white space. Only the server can tell whether it is valid; a key that
    /// cannot be sent in a header is rejected here.
    ///
    /// # Errors
    /// [`Error::NoKey`] when it is empty, [`Error::Key`] when it has invalid characters.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Error::NoKey);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Key);
        }
        Ok(Self(text.to_owned()))
    }

    /// The value of the header `Authorization`.
    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_shown() {
        let key = ApiKey::parse(" sk_service_secret\n").unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey(…)");
        assert_eq!(key.authorization(), "Bearer sk_service_secret");
    }

    #[test]
    fn what_no_header_can_carry_is_refused_without_showing_it() {
        for text in ["", "  ", "sk_service_a\nb", "sk_service_…"] {
            let error = ApiKey::parse(text).unwrap_err().to_string();
            assert!(!error.contains("sk_service_a"), "{error}");
        }
    }
}
