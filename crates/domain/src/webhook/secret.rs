//! What deliveries are signed with.

use std::fmt;

use crate::sources::IdSource;

/// What stands before the secret itself.
const PREFIX: &str = "whsec_";
/// Characters after the prefix: base64 of 33 bytes, as each group of four stands for three. Letters and
/// digits alone, so 44 of them are drawn out of 62^44, which is more than 256 bits.
const LENGTH: usize = 44;

/// The secret that the deliveries of a webhook are signed with, `whsec_` and base64, as Standard Webhooks
/// has it. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(..)")
    }
}

impl WebhookSecret {
    /// A new secret.
    #[must_use]
    pub fn make(ids: &dyn IdSource) -> Self {
        Self(format!("{PREFIX}{}", ids.base62(LENGTH)))
    }

    /// A secret as it was stored.
    #[must_use]
    pub const fn stored(text: String) -> Self {
        Self(text)
    }

    /// The secret as its owner gets it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The key itself, in base64.
    #[must_use]
    pub fn key_base64(&self) -> &str {
        self.0.strip_prefix(PREFIX).unwrap_or(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl IdSource for Fixed {
        fn ulid(&self) -> String {
            String::new()
        }

        fn base62(&self, length: usize) -> String {
            "aZ09".repeat(length / 4)
        }
    }

    #[test]
    fn a_secret_is_base64_behind_its_prefix_and_not_shown() {
        let secret = WebhookSecret::make(&Fixed);
        assert_eq!(secret.key_base64().len(), 44);
        assert_eq!(secret.expose(), format!("whsec_{}", secret.key_base64()));
        assert_eq!(WebhookSecret::stored(secret.expose().to_owned()), secret);
        assert!(!format!("{secret:?}").contains("aZ09"));
    }
}
