//! Signing in with a second factor, and setting one up.

use super::sessions::{Client, OpenedSession, Sessions};
use crate::account::{
    CodeProof, EnteredCode, PendingSignIn, RecoveryCode, SecondFactor, Session, TimeStep, Token,
    TotpSecret,
};
use crate::audit_log::Actor;
use crate::id::AccountId;
use crate::key::KeyHash;
use crate::ports::{EnabledFactor, SignInNotCompleted, SignedIn, StoreError};

/// The event of a wrong code when signing in.
const SIGN_IN_FAILED: &str = "sign_in.code_failed";
/// The event of a wrong code when changing the second factor.
const CHANGE_FAILED: &str = "second_factor.code_failed";

/// Why a code was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodeRefused {
    /// The code is wrong, too old or was used before. The message does not say which.
    #[error("The code is wrong or was used before. Enter another one.")]
    Wrong,
    /// The sign-in took too long, or has ended. In the settings: there is no second factor to change.
    #[error("Too much time has passed. Start again.")]
    Gone,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the requirement of a second factor was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecondFactorNotRequired {
    /// The administrator has no second factor, and would be locked out.
    #[error("Set up a second factor for your own account first.")]
    NoneOfOneself,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A second factor that was just turned on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnabledSecondFactor {
    /// The recovery codes. They exist nowhere else.
    pub recovery_codes: Vec<RecoveryCode>,
    /// The session with another token; `None` if it has ended in the meantime.
    pub session: Option<OpenedSession>,
}

impl Sessions<'_> {
    /// The sign-in that waits for a code, by its token; `None` if it is unknown or has expired.
    ///
    /// # Errors
    /// When the database fails.
    pub fn pending(&self, token: &Token) -> Result<Option<PendingSignIn>, StoreError> {
        let found = self.stores.pending_sign_in(&token.hash())?;
        Ok(found.filter(|found| found.is_alive(self.clock.now())))
    }

    /// Completes a sign-in with a code of the app or a recovery code. The session has another token than the sign-in
    /// that waited for it. Successes and failures are written to the audit log of the account's organizations.
    ///
    /// The caller limits how often it is called for an account.
    ///
    /// # Errors
    /// [`CodeRefused`] says why not.
    pub fn complete_sign_in(
        &self,
        token: &Token,
        code: &str,
        client: Client<'_>,
    ) -> Result<OpenedSession, CodeRefused> {
        let pending = self.pending(token)?.ok_or(CodeRefused::Gone)?;
        let account = &pending.account_id;
        let (entered, proof) = match self.proof(account, code) {
            Ok(proven) => proven,
            Err(CodeRefused::Wrong) => {
                return Err(self.code_failed(account, SIGN_IN_FAILED, client.address)?);
            }
            Err(other) => return Err(other),
        };
        let opened = self.open(account, &pending.org_id, client);
        let opened = OpenedSession {
            session: Session {
                password_entered_at: pending.created_at,
                ..opened.session
            },
            ..opened
        };
        let completed =
            self.stores
                .complete_sign_in(&token.hash(), &proof, &opened.stored(), self.lifetime)?;
        match completed {
            Ok(()) => {
                let with = match entered {
                    EnteredCode::Totp(_) => "with a code",
                    EnteredCode::Recovery(_) => "with a recovery code",
                };
                let memberships = self.stores.memberships(account)?;
                self.note_all_with(&memberships, "sign_in.succeeded", client.address, with)?;
                Ok(opened)
            }
            Err(SignInNotCompleted::Gone) => Err(CodeRefused::Gone),
            Err(SignInNotCompleted::CodeUsed) => {
                Err(self.code_failed(account, SIGN_IN_FAILED, client.address)?)
            }
        }
    }

    /// The second factor of an account, on or being set up.
    ///
    /// # Errors
    /// When the database fails.
    pub fn second_factor(&self, account: &AccountId) -> Result<Option<SecondFactor>, StoreError> {
        self.stores.second_factor(account)
    }

    /// Makes a secret for the person's app, in place of one that was not turned on. Returns `false` if the account
    /// already has a second factor.
    ///
    /// # Errors
    /// When the database fails.
    pub fn start_second_factor(&self, signed_in: &SignedIn) -> Result<bool, StoreError> {
        let secret = TotpSecret::generate(self.ids);
        let now = self.clock.now();
        self.stores
            .start_second_factor(&signed_in.account.id, &secret, now)
    }

    /// Turns the second factor on once the person's app shows the right code. All other sessions of the account end,
    /// and this one is renewed with another token.
    ///
    /// # Errors
    /// [`CodeRefused`] says why not.
    pub fn enable_second_factor(
        &self,
        token: &Token,
        signed_in: &SignedIn,
        code: &str,
    ) -> Result<EnabledSecondFactor, CodeRefused> {
        let (account, now) = (&signed_in.account.id, self.clock.now());
        let factor = self.stores.second_factor(account)?;
        let factor = factor
            .filter(|factor| factor.can_be_enabled(now))
            .ok_or(CodeRefused::Gone)?;
        let Some(EnteredCode::Totp(digits)) = EnteredCode::parse(code) else {
            return Err(CodeRefused::Wrong);
        };
        let step = factor.secret.accepted_step(&digits, now, TimeStep::NONE);
        let step = step.ok_or(CodeRefused::Wrong)?;
        let codes = RecoveryCode::generate(self.ids);
        let enabled = EnabledFactor {
            created_at: factor.created_at,
            step,
            recovery_codes: &hashes(&codes),
        };
        let session = &signed_in.session;
        if !self
            .stores
            .enable_second_factor(account, &enabled, &session.id, now)?
        {
            return Err(CodeRefused::Gone);
        }
        Ok(EnabledSecondFactor {
            recovery_codes: codes,
            session: self.rotate(token, session.clone())?,
        })
    }

    /// Removes the person's second factor, with a code of the app or a recovery code.
    ///
    /// # Errors
    /// [`CodeRefused`] says why not.
    pub fn disable_second_factor(
        &self,
        signed_in: &SignedIn,
        code: &str,
        client: Client<'_>,
    ) -> Result<(), CodeRefused> {
        let account = &signed_in.account.id;
        self.with_proof(account, code, client, |proof| {
            self.stores
                .disable_second_factor(account, proof, self.clock.now())
        })
    }

    /// Replaces all recovery codes of the person. Asks for a code of the app or a recovery code: otherwise somebody who
    /// uses an open session could get codes that disable the second factor.
    ///
    /// # Errors
    /// [`CodeRefused`] says why not.
    pub fn renew_recovery_codes(
        &self,
        signed_in: &SignedIn,
        code: &str,
        client: Client<'_>,
    ) -> Result<Vec<RecoveryCode>, CodeRefused> {
        let account = &signed_in.account.id;
        let codes = RecoveryCode::generate(self.ids);
        self.with_proof(account, code, client, |proof| {
            let now = self.clock.now();
            self.stores
                .renew_recovery_codes(account, proof, &hashes(&codes), now)
        })?;
        Ok(codes)
    }

    /// Sets whether the person's organization requires a second factor of its members.
    ///
    /// # Errors
    /// [`SecondFactorNotRequired`] says why not.
    pub fn require_second_factor(
        &self,
        signed_in: &SignedIn,
        is_required: bool,
    ) -> Result<(), SecondFactorNotRequired> {
        if is_required && !signed_in.has_second_factor {
            return Err(SecondFactorNotRequired::NoneOfOneself);
        }
        let membership = &signed_in.membership;
        let by = Actor::Member(membership.member.id.clone());
        let (org, now) = (&membership.organization.id, self.clock.now());
        self.stores
            .set_second_factor_required(org, is_required, now, &by)?;
        Ok(())
    }

    /// Makes a change that needs a code. Records a wrong code in the audit log.
    fn with_proof(
        &self,
        account: &AccountId,
        code: &str,
        client: Client<'_>,
        change: impl FnOnce(&CodeProof) -> Result<bool, StoreError>,
    ) -> Result<(), CodeRefused> {
        let is_right = match self.proof(account, code) {
            Ok((_, proof)) => change(&proof)?,
            Err(CodeRefused::Wrong) => false,
            Err(other) => return Err(other),
        };
        match is_right {
            true => Ok(()),
            false => Err(self.code_failed(account, CHANGE_FAILED, client.address)?),
        }
    }

    /// Checks a code of an account, without marking it as used.
    fn proof(
        &self,
        account: &AccountId,
        code: &str,
    ) -> Result<(EnteredCode, CodeProof), CodeRefused> {
        let factor = self.stores.second_factor(account)?;
        let factor = factor
            .filter(|factor| factor.enabled_at.is_some())
            .ok_or(CodeRefused::Gone)?;
        let entered = EnteredCode::parse(code).ok_or(CodeRefused::Wrong)?;
        let proof = CodeProof::new(&factor, &entered, self.clock.now());
        Ok((entered, proof.ok_or(CodeRefused::Wrong)?))
    }

    fn code_failed(
        &self,
        account: &AccountId,
        event: &'static str,
        address: &str,
    ) -> Result<CodeRefused, StoreError> {
        let memberships = self.stores.memberships(account)?;
        self.note_all(&memberships, event, address)?;
        Ok(CodeRefused::Wrong)
    }
}

fn hashes(codes: &[RecoveryCode]) -> Vec<KeyHash> {
    codes.iter().map(RecoveryCode::hash).collect()
}
