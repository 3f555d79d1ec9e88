//! Signatures as Standard Webhooks has them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use domain::id::EventId;
use domain::webhook::WebhookSecret;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The headers that tell receivers which event it is, when it was sent, and that we sent it: HMAC-SHA256 over
/// the three of them with the key of the secret.
pub(super) fn headers(
    secret: &WebhookSecret,
    event: &EventId,
    at: DateTime<Utc>,
    body: &[u8],
) -> Vec<(&'static str, String)> {
    let timestamp = at.timestamp().to_string();
    let signature = signature(secret, event.as_str(), &timestamp, body);
    vec![
        ("webhook-id", event.to_string()),
        ("webhook-timestamp", timestamp),
        ("webhook-signature", signature),
    ]
}

fn signature(secret: &WebhookSecret, id: &str, timestamp: &str, body: &[u8]) -> String {
    // What is stored was made by us, and so is base64.
    let key = STANDARD.decode(secret.key_base64()).unwrap_or_default();
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else {
        return String::new();
    };
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_specification() {
        // The example of the reference libraries of Standard Webhooks.
        let secret = WebhookSecret::stored("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned());
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(
            signature(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", body),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }
}
