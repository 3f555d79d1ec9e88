//! A person's changes of the own name and address.

use super::sessions::{OpenedSession, Sessions};
use crate::account::Token;
use crate::org::{InvalidName, checked_email, checked_name};
use crate::ports::{EmailInUse, SignedIn, StoreError};

/// Why a name or an address was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountNotChanged {
    /// The name or the address cannot be used.
    #[error(transparent)]
    Invalid(#[from] InvalidName),
    /// Somebody else has the address; the person is not told who, or where.
    #[error(transparent)]
    EmailInUse(#[from] EmailInUse),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Sessions<'_> {
    /// Changes the person's name, in all organizations that the account belongs to.
    ///
    /// # Errors
    /// [`AccountNotChanged`] says why not.
    pub fn change_name(&self, signed_in: &SignedIn, name: &str) -> Result<(), AccountNotChanged> {
        let name = checked_name(name)?;
        let now = self.clock.now();
        self.stores
            .set_account_name(&signed_in.account.id, &name, now)?;
        Ok(())
    }

    /// Changes the address that the person signs in with, in all organizations that the account belongs to. All other
    /// sessions and the password resets of the account end, and this session is renewed with another token; none where
    /// it ended in the meantime. An address that is in use is refused, and the refusal is written to the audit log of
    /// the account's organizations without the address, because each one tells that somebody has it.
    ///
    /// # Errors
    /// [`AccountNotChanged`] says why not.
    pub fn change_email(
        &self,
        token: &Token,
        signed_in: &SignedIn,
        email: &str,
    ) -> Result<Option<OpenedSession>, AccountNotChanged> {
        let email = checked_email(email)?;
        let (account, session) = (&signed_in.account.id, &signed_in.session);
        let now = self.clock.now();
        if let Err(refused) = self
            .stores
            .set_account_email(account, &email, &session.id, now)?
        {
            let memberships = self.stores.memberships(account)?;
            self.note_all(&memberships, "account.email_refused", "")?;
            return Err(refused.into());
        }
        Ok(self.rotate(token, session.clone())?)
    }
}
