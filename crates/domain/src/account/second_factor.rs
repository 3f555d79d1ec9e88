//! The second factor of an account, and signing in with it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::recovery_code::RecoveryCode;
use super::totp::{CODE_DIGITS, TimeStep, TotpSecret};
use crate::id::{AccountId, OrgId};
use crate::key::KeyHash;

/// How long after the password a person may enter the code.
pub const PENDING_SIGN_IN: Duration = Duration::from_secs(10 * 60);

/// The most sign-ins of an account that wait for a code at the same time. A further one replaces the oldest.
pub const MAX_PENDING_SIGN_INS: usize = 20;

/// How long after it was made a secret can be turned on with a code.
pub const ENROLMENT: Duration = Duration::from_secs(60 * 60);

/// The second factor of an account, on or being set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret that the person's app has, too.
    pub secret: TotpSecret,
    /// The step of the code that was accepted last.
    pub last_step: TimeStep,
    /// When the secret was made.
    pub created_at: DateTime<Utc>,
    /// When the person turned it on by entering a code; `None` until then. Sign-ins ask for a code from then on.
    pub enabled_at: Option<DateTime<Utc>>,
    /// The number of unused recovery codes.
    pub recovery_codes: usize,
}

impl SecondFactor {
    /// Whether the secret can be shown and turned on at `now`.
    #[must_use]
    pub fn can_be_enabled(&self, now: DateTime<Utc>) -> bool {
        self.enabled_at.is_none() && now - self.created_at < delta(ENROLMENT)
    }
}

/// A code that a person entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnteredCode {
    /// Six digits from an authenticator app.
    Totp(String),
    /// A recovery code.
    Recovery(RecoveryCode),
}

impl EnteredCode {
    /// Parses a code; `None` if the text has neither form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let chars = text.chars().filter(|c| !c.is_whitespace());
        let digits: String = chars.take(CODE_DIGITS + 1).collect();
        if digits.len() == CODE_DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self::Totp(digits));
        }
        RecoveryCode::parse(text).map(Self::Recovery)
    }
}

/// A correct code that the database has not yet marked as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeProof {
    /// A code of the app.
    Totp {
        /// The step that it is of.
        step: TimeStep,
        /// The last step whose code is accepted now. A later stored step was stored before the clock was set back.
        newest: TimeStep,
    },
    /// A recovery code with this hash.
    Recovery(KeyHash),
}

impl CodeProof {
    /// Checks a code at `now`; `None` if it is wrong or was used before.
    #[must_use]
    pub fn new(factor: &SecondFactor, code: &EnteredCode, now: DateTime<Utc>) -> Option<Self> {
        match code {
            EnteredCode::Totp(digits) => {
                let step = factor.secret.accepted_step(digits, now, factor.last_step)?;
                let newest = TimeStep::last_accepted_at(now);
                Some(Self::Totp { step, newest })
            }
            EnteredCode::Recovery(code) => Some(Self::Recovery(code.hash())),
        }
    }
}

/// A sign-in with a correct password that waits for a code. It has no permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSignIn {
    /// Who signs in.
    pub account_id: AccountId,
    /// The organization that the session will work in.
    pub org_id: OrgId,
    /// When the password was entered.
    pub created_at: DateTime<Utc>,
}

impl PendingSignIn {
    /// Whether the sign-in still accepts a code at `now`.
    #[must_use]
    pub fn is_alive(&self, now: DateTime<Utc>) -> bool {
        now - self.created_at < delta(PENDING_SIGN_IN)
    }

    /// Sign-ins created at this time or before it have expired at `now`.
    #[must_use]
    pub fn expired_before(now: DateTime<Utc>) -> DateTime<Utc> {
        now - delta(PENDING_SIGN_IN)
    }
}

/// The stage of a sign-in after a correct password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInStage {
    /// The person has a session.
    SignedIn,
    /// The account has a second factor: the sign-in is a [`PendingSignIn`], whose token gives access to nothing.
    CodeNeeded,
}

fn delta(span: Duration) -> TimeDelta {
    TimeDelta::from_std(span).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_apart_by_their_form() {
        let totp = |text: &str| Some(EnteredCode::Totp(text.to_owned()));
        assert_eq!(EnteredCode::parse(" 123 456\n"), totp("123456"));
        let recovery = RecoveryCode::parse("abcd-efgh-2345-67qr").map(EnteredCode::Recovery);
        assert_eq!(EnteredCode::parse("ABCD efgh-2345 67qr"), recovery);
        for wrong in ["", "12345", "1234567", "12345a", "１２３４５６", "123-456"] {
            assert_eq!(EnteredCode::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_sign_in_waits_ten_minutes_for_the_code() {
        let ulid = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        let pending = PendingSignIn {
            account_id: AccountId::parse(&format!("acc_{ulid}")).unwrap(),
            org_id: OrgId::parse(&format!("org_{ulid}")).unwrap(),
            created_at: now,
        };
        assert!(pending.is_alive(now + TimeDelta::seconds(599)));
        let late = now + TimeDelta::seconds(600);
        assert!(!pending.is_alive(late));
        assert_eq!(PendingSignIn::expired_before(late), pending.created_at);
    }
}
