//! The secret and the codes of an authenticator app: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds,
//! which all apps support.

use std::fmt::{self, Write};

use chrono::{DateTime, Utc};
use data_encoding::BASE32_NOPAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use totp_rs::{Builder, Secret};

use crate::sources::IdSource;

/// Seconds for which an app shows a code.
pub const STEP_SECONDS: u32 = 30;

/// Digits of a code.
pub const CODE_DIGITS: usize = 6;

/// Steps before and after the current one whose codes are accepted, for clocks that differ (RFC 6238, section 5.2).
const WINDOW: i64 = 1;

/// Bytes of a secret (RFC 4226, section 4: 160 bits).
const SECRET_BYTES: usize = 20;

/// The name of the service in authenticator apps.
const ISSUER: &str = "Assay";

/// The number of a step: seconds since 1970 divided by [`STEP_SECONDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeStep(pub i64);

impl TimeStep {
    /// Step 0, which is before every step of a real clock: no code was accepted yet.
    pub const NONE: Self = Self(0);

    /// The step that contains a time.
    #[must_use]
    pub fn containing(time: DateTime<Utc>) -> Self {
        Self(time.timestamp().div_euclid(STEP_SECONDS.into()))
    }

    /// The last step whose code is accepted at a time.
    #[must_use]
    pub fn last_accepted_at(time: DateTime<Utc>) -> Self {
        Self(Self::containing(time).0.saturating_add(WINDOW))
    }
}

/// The secret that an authenticator app shares with the service. Debug output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET_BYTES]);

impl TotpSecret {
    /// A new secret.
    #[must_use]
    pub fn generate(ids: &dyn IdSource) -> Self {
        Self(random_bytes(ids, "assay totp secret"))
    }

    /// Parses a secret in base32; `None` if the text has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = BASE32_NOPAD.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// The secret in base32, as a person types it into an app.
    #[must_use]
    pub fn expose(&self) -> String {
        BASE32_NOPAD.encode(&self.0)
    }

    /// The code of a step.
    #[must_use]
    pub fn code_at(&self, step: TimeStep) -> String {
        let seconds = step.0.saturating_mul(STEP_SECONDS.into());
        let totp = Builder::new()
            .with_secret(Secret::new_stack(self.0))
            .with_step_duration(STEP_SECONDS.into())
            .build_noncompliant();
        totp.generate(u64::try_from(seconds).unwrap_or_default())
            .to_string()
    }

    /// The step that a code is of, if it may be accepted at `now`: the current step, the one before or the one after,
    /// and later than `last`, the step of the code that was accepted last. `None` for every other code.
    ///
    /// If `last` is later than all these steps, the clock was set back. `last` is ignored then: otherwise nobody could
    /// sign in until the clock reaches it again.
    #[must_use]
    pub fn accepted_step(
        &self,
        code: &str,
        now: DateTime<Utc>,
        last: TimeStep,
    ) -> Option<TimeStep> {
        let (current, newest) = (TimeStep::containing(now), TimeStep::last_accepted_at(now));
        let last = if last > newest { TimeStep::NONE } else { last };
        let window = current.0.saturating_sub(WINDOW)..=newest.0;
        window.map(TimeStep).find(|step| {
            let is_right: bool = self.code_at(*step).as_bytes().ct_eq(code.as_bytes()).into();
            is_right && *step > last
        })
    }

    /// The `otpauth` URI in the QR code: the secret, the service and the account (Key URI format of Google Authenticator).
    #[must_use]
    pub fn uri(&self, email: &str) -> String {
        // A colon ends the name of the service, also an encoded one.
        let account = percent_encoded(&email.replace(':', "_"));
        let secret = self.expose();
        format!("otpauth://totp/{ISSUER}:{account}?secret={secret}&issuer={ISSUER}")
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

/// Random bytes for one purpose. `N` is at most 32.
pub(super) fn random_bytes<const N: usize>(ids: &dyn IdSource, purpose: &str) -> [u8; N] {
    // 43 characters of 62 hold 256 bits.
    let digest = Sha256::digest(format!("{purpose}\0{}", ids.base62(43)));
    let mut bytes = [0; N];
    for (byte, random) in bytes.iter_mut().zip(digest) {
        *byte = random;
    }
    bytes
}

/// A text with everything but unreserved characters (RFC 3986, section 2.3) as `%XX`.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use proptest::prelude::*;

    use super::*;

    /// The secret of the examples in RFC 6238, appendix B.
    const RFC: TotpSecret = TotpSecret(*b"12345678901234567890");

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    #[test]
    fn codes_are_those_of_the_rfc() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(RFC.code_at(TimeStep::containing(at(seconds))), code);
        }
    }

    #[test]
    fn a_secret_is_spelled_in_one_way_and_not_shown() {
        assert_eq!(RFC.expose(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(TotpSecret::parse(&RFC.expose()), Some(RFC));
        for text in [
            "",
            "GEZDGNBV",
            "gezdgnbvgy3tqojqgezdgnbvgy3tqojq",
            &"A".repeat(40),
        ] {
            assert_eq!(TotpSecret::parse(text), None, "{text}");
        }
        assert_eq!(format!("{RFC:?}"), "TotpSecret(…)");
    }

    #[test]
    fn the_address_for_apps_encodes_the_account() {
        assert_eq!(
            RFC.uri("a+b: \u{e4}@example.com"),
            "otpauth://totp/Assay:a%2Bb_%20%C3%A4%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Assay"
        );
    }

    /// Times of a real clock, and a secret.
    fn moments() -> impl Strategy<Value = (DateTime<Utc>, TotpSecret)> {
        let seconds = 1_000_000_000..4_000_000_000_i64;
        (seconds, any::<[u8; SECRET_BYTES]>())
            .prop_map(|(seconds, secret)| (at(seconds), TotpSecret(secret)))
    }

    /// Whether the window at a step has the same code twice, which one of a million does.
    fn is_ambiguous(secret: &TotpSecret, step: TimeStep) -> bool {
        let codes: std::collections::HashSet<_> = (-3..=3)
            .map(|offset| secret.code_at(TimeStep(step.0 + offset)))
            .collect();
        codes.len() < 7
    }

    proptest! {
        #[test]
        fn codes_of_three_steps_are_accepted((now, secret) in moments(), offset in -3..=3_i64) {
            let step = TimeStep(TimeStep::containing(now).0 + offset);
            prop_assume!(!is_ambiguous(&secret, TimeStep::containing(now)));
            let expected = (offset.abs() <= 1).then_some(step);
            let accepted = secret.accepted_step(&secret.code_at(step), now, TimeStep::NONE);
            prop_assert_eq!(accepted, expected);
        }

        #[test]
        fn a_code_is_accepted_once_and_none_before_it(
            (now, secret) in moments(),
            first in -1..=1_i64,
            second in -1..=1_i64,
            later in 0..90_i64,
        ) {
            let current = TimeStep::containing(now);
            let step = |offset| TimeStep(current.0 + offset);
            let last = secret.accepted_step(&secret.code_at(step(first)), now, TimeStep::NONE);
            let last = last.unwrap();
            let now = now + TimeDelta::seconds(later);
            if let Some(next) = secret.accepted_step(&secret.code_at(step(second)), now, last) {
                prop_assert!(next > last);
            }
            prop_assert_eq!(secret.accepted_step(&secret.code_at(last), now, last), None);
        }

        #[test]
        fn a_clock_that_was_set_back_locks_nobody_out((now, secret) in moments(), ahead in 2..1_000_000_i64) {
            let current = TimeStep::containing(now);
            let last = TimeStep(current.0 + ahead);
            let accepted = secret.accepted_step(&secret.code_at(current), now, last);
            prop_assert!(accepted.is_some());
        }

        #[test]
        fn other_texts_are_no_codes((now, secret) in moments(), text in any::<String>()) {
            prop_assume!(text.len() != CODE_DIGITS);
            prop_assert_eq!(secret.accepted_step(&text, now, TimeStep::NONE), None);
        }
    }
}
