//! Where second factors are kept, and the sign-ins that wait for their codes.

use chrono::{DateTime, Utc};

use super::{NewSession, StoreError};
use crate::account::{
    CodeProof, PendingSignIn, SecondFactor, SessionLifetime, TimeStep, TotpSecret,
};
use crate::audit_log::Actor;
use crate::id::{AccountId, MemberId, OrgId, SessionId};
use crate::key::KeyHash;

/// A second factor that a person turns on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnabledFactor<'a> {
    /// When its secret was made. The secret that a code was checked with must be the one that is stored.
    pub created_at: DateTime<Utc>,
    /// The step of the code that the person entered.
    pub step: TimeStep,
    /// The hashes of the recovery codes.
    pub recovery_codes: &'a [KeyHash],
}

/// Why a sign-in was not completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInNotCompleted {
    /// The sign-in has ended in the meantime.
    #[error("the sign-in has ended")]
    Gone,
    /// The code was used before, also a moment ago by another request.
    #[error("the code was used before")]
    CodeUsed,
}

/// Where second factors are kept.
///
/// The secret is encrypted with the secret key of the installation, and recovery codes are stored as hashes. A method
/// with a [`CodeProof`] uses the code up in the transaction of the change, with one statement that has the condition:
/// of two requests with the same code, one fails.
///
/// Changes write a line to the audit log of each organization of the account in the same transaction.
pub trait SecondFactorStore: Send + Sync {
    /// Stores a secret that is not asked for yet, in place of an earlier one. False where the account has a second
    /// factor already, or is gone.
    ///
    /// # Errors
    /// When the database fails.
    fn start_second_factor(
        &self,
        account: &AccountId,
        secret: &TotpSecret,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// The second factor of an account, on or being set up.
    ///
    /// # Errors
    /// When the database fails.
    fn second_factor(&self, account: &AccountId) -> Result<Option<SecondFactor>, StoreError>;

    /// Turns a second factor on, and ends all sessions of the account but `kept`. False where another secret is stored
    /// in the meantime, or it is on already.
    ///
    /// # Errors
    /// When the database fails.
    fn enable_second_factor(
        &self,
        account: &AccountId,
        factor: &EnabledFactor<'_>,
        kept: &SessionId,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Removes a second factor with its recovery codes. False where the code was used before, or there is none.
    ///
    /// # Errors
    /// When the database fails.
    fn disable_second_factor(
        &self,
        account: &AccountId,
        proof: &CodeProof,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Replaces all recovery codes. False where the code was used before, or there is no second factor.
    ///
    /// # Errors
    /// When the database fails.
    fn renew_recovery_codes(
        &self,
        account: &AccountId,
        proof: &CodeProof,
        codes: &[KeyHash],
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Removes the second factor of an account without a code, and ends all its sessions. False where there is none
    /// that is on.
    ///
    /// # Errors
    /// When the database fails.
    fn reset_second_factor(
        &self,
        account: &AccountId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// The sign-in with this hash that waits for a code; whether it has expired is for the caller to judge.
    ///
    /// # Errors
    /// When the database fails.
    fn pending_sign_in(&self, token: &KeyHash) -> Result<Option<PendingSignIn>, StoreError>;

    /// Completes a sign-in that waits for a code: the session is stored in its place, as
    /// [`AccountStore::sign_in`](super::AccountStore::sign_in) stores it.
    ///
    /// # Errors
    /// When the database fails.
    fn complete_sign_in(
        &self,
        pending: &KeyHash,
        proof: &CodeProof,
        session: &NewSession,
        lifetime: SessionLifetime,
    ) -> Result<Result<(), SignInNotCompleted>, StoreError>;

    /// The members of an organization whose accounts have a second factor.
    ///
    /// # Errors
    /// When the database fails.
    fn members_with_second_factor(&self, org: &OrgId) -> Result<Vec<MemberId>, StoreError>;

    /// Sets whether an organization requires a second factor of its members. Nothing changes where it does already.
    /// False where there is no such organization.
    ///
    /// # Errors
    /// When the database fails.
    fn set_second_factor_required(
        &self,
        org: &OrgId,
        is_required: bool,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;
}
