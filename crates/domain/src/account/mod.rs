//! People who sign in: accounts, their sessions and one-time links.
//!
//! An account is a person with an e-mail address and a password. It is a member of one or more organizations,
//! with a role in each. A session belongs to an account and works in one of its organizations at a time.
//!
//! An account may have a second factor. Its sign-ins then wait for a code of the person's authenticator app or for a
//! recovery code. They have no session before.

mod administrators;
mod link;
mod password;
mod recovery_code;
mod second_factor;
mod session;
mod token;
mod totp;

use chrono::{DateTime, Utc};

pub use administrators::{MemberChange, MemberNotChanged};
pub use link::{LinkPurpose, OneTimeLink};
pub use password::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, WeakPassword, checked_password};
pub use recovery_code::{RECOVERY_CODES, RecoveryCode};
pub use second_factor::{
    CodeProof, ENROLMENT, EnteredCode, MAX_PENDING_SIGN_INS, PENDING_SIGN_IN, PendingSignIn,
    SecondFactor, SignInStage,
};
pub use session::{MAX_SESSIONS, RECENT_SIGN_IN, Session, SessionLifetime};
pub use token::Token;
pub use totp::{CODE_DIGITS, STEP_SECONDS, TimeStep, TotpSecret};

use crate::id::AccountId;

/// A person who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// The person's address, lower case; no two accounts have the same.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// When the account was created.
    pub created_at: DateTime<Utc>,
    /// When the password was last set.
    pub password_changed_at: DateTime<Utc>,
}
