//! The store of second factors, and of the sign-ins that wait for a code.

use chrono::{DateTime, Utc};

use super::{NewSession, StoreError};
use crate::account::{
    CodeProof, PendingSignIn, SecondFactor, SessionLifetime, TimeStep, TotpSecret,
};
use crate::audit_log::Actor;
use crate::id::{AccountId, MemberId, OrgId, SessionId};
use crate::key::KeyHash;

/// The data of a second factor that a person turns on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnabledFactor<'a> {
    /// When its secret was made. It identifies the secret that the code was checked with: it must still be stored.
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
    /// The code was used before, perhaps a moment ago by another request.
    #[error("the code was used before")]
    CodeUsed,
}

/// The store of second factors.
///
/// The secret is encrypted with the secret key of the installation, and recovery codes are stored as hashes. A method
/// with a [`CodeProof`] marks the code as used in the transaction of the change, with one conditional statement: if two
/// requests send the same code, one of them fails.
///
/// Changes write a line to the audit log of each organization of the account in the same transaction.
pub trait SecondFactorStore: Send + Sync {
    /// Stores a secret that is not turned on yet, in place of an earlier one. Returns `false` if the account already has
    /// a second factor, or does not exist.
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

    /// Turns a second factor on, and ends all sessions of the account but `kept`. Returns `false` if another secret has
    /// been stored in the meantime, or the second factor is already on.
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

    /// Removes a second factor with its recovery codes. Returns `false` if the code was used before, or the account has
    /// no second factor.
    ///
    /// # Errors
    /// When the database fails.
    fn disable_second_factor(
        &self,
        account: &AccountId,
        proof: &CodeProof,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Replaces all recovery codes. Returns `false` if the code was used before, or the account has no second factor.
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

    /// Removes the second factor of an account without a code, and ends all its sessions. Returns `false` if no second
    /// factor is on.
    ///
    /// # Errors
    /// When the database fails.
    fn reset_second_factor(
        &self,
        account: &AccountId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// The sign-in that waits for a code, by the hash of its token. The caller checks whether it has expired.
    ///
    /// # Errors
    /// When the database fails.
    fn pending_sign_in(&self, token: &KeyHash) -> Result<Option<PendingSignIn>, StoreError>;

    /// Completes a sign-in that waits for a code: replaces it by the session, which is stored as by
    /// [`AccountStore::sign_in`](super::AccountStore::sign_in).
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

    /// Sets whether an organization requires a second factor of its members. Does nothing if the setting is already so.
    /// Returns `false` if there is no such organization.
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
