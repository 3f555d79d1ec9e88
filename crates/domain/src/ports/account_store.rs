//! Where accounts, their sessions and one-time links are kept.

use chrono::{DateTime, Utc};

use super::StoreError;
use crate::account::{
    Account, MemberChange, MemberNotChanged, OneTimeLink, Session, SessionLifetime, SignInStage,
};
use crate::audit_log::Actor;
use crate::id::{AccountId, MemberId, OrgId, SessionId};
use crate::key::{KeyHash, Role};
use crate::org::{Member, Organization};

/// An account to be stored.
#[derive(Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Its id.
    pub id: AccountId,
    /// The person's address, lower case.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// The password's hash, as a PHC string.
    pub password_hash: String,
    /// When it is created.
    pub created_at: DateTime<Utc>,
}

/// A session to be stored, with the hash of its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// The session.
    pub session: Session,
    /// The hash of its token.
    pub token: KeyHash,
}

/// The account of a person who signs in.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// The password's hash, as a PHC string.
    pub password_hash: String,
}

/// An organization that an account belongs to, and as whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The organization.
    pub organization: Organization,
    /// The member that the account is in it.
    pub member: Member,
}

/// Everything a request with a session needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The session.
    pub session: Session,
    /// Whose it is.
    pub account: Account,
    /// The organization the session works in, and as whom.
    pub membership: Membership,
    /// Whether the account has a second factor.
    pub has_second_factor: bool,
}

impl SignedIn {
    /// Whether the organization requires a second factor and the person has none. The person must then see nothing of the
    /// organization.
    #[must_use]
    pub const fn lacks_second_factor(&self) -> bool {
        self.membership.organization.requires_second_factor && !self.has_second_factor
    }
}

/// A one-time link with what it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget {
    /// The link.
    pub link: OneTimeLink,
    /// The organization that issued it.
    pub organization: Organization,
    /// The member it is for; none for a setup link.
    pub member: Option<Member>,
}

/// Who takes up a setup link or an invitation.
#[derive(Clone, PartialEq, Eq)]
pub enum Taker {
    /// A person without an account.
    New(NewAccount),
    /// A person who has one, and entered its password.
    Known(AccountId),
}

/// Why a link was not taken up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkRefused {
    /// It was used, has expired or was replaced, or its member or the account that takes it up is gone.
    #[error("the link was used or has expired")]
    Gone,
    /// There is an account with the address, and the person did not sign in to it.
    #[error("an account has this address")]
    EmailTaken,
    /// The account is a member of the organization already.
    #[error("the account is a member of the organization already")]
    MemberExists,
}

/// Why an account did not get another address: a member of one of its organizations, or an account of any
/// organization, has it. One answer for both, so that it tells nobody which accounts exist elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the address is in use")]
pub struct EmailInUse;

/// Where accounts, their sessions and one-time links are kept.
///
/// All changes of an organization's people write a line to its audit log in the same transaction.
pub trait AccountStore: Send + Sync {
    /// Stores a link under the hash of its token, in place of an earlier one of the same purpose for the same member
    /// or, for a setup link, the same organization. Up to 100 links that have expired are deleted. False where there
    /// is no such organization or member.
    ///
    /// # Errors
    /// When the database fails.
    fn create_link(
        &self,
        link: &OneTimeLink,
        token: &KeyHash,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// The link with this hash, whether it works still or not. A link that was used is gone.
    ///
    /// # Errors
    /// When the database fails.
    fn link_by_hash(&self, token: &KeyHash) -> Result<Option<LinkTarget>, StoreError>;

    /// Takes up a setup link: the account becomes an administrator of the organization as `member`, and signs in as
    /// [`sign_in`](Self::sign_in) does.
    ///
    /// # Errors
    /// When the database fails.
    fn take_setup_link(
        &self,
        token: &KeyHash,
        taker: &Taker,
        member: &MemberId,
        session: &NewSession,
    ) -> Result<Result<SignInStage, LinkRefused>, StoreError>;

    /// Takes up an invitation: the member that it is for gets the account, and signs in as [`sign_in`](Self::sign_in)
    /// does. Password resets of the account end, since those who issued them may not open this organization.
    ///
    /// # Errors
    /// When the database fails.
    fn take_invitation(
        &self,
        token: &KeyHash,
        taker: &Taker,
        session: &NewSession,
    ) -> Result<Result<SignInStage, LinkRefused>, StoreError>;

    /// Takes up a password reset: sets the password, ends all sessions and other password resets of the account, and
    /// signs in as [`sign_in`](Self::sign_in) does, with the second factor if the account has one.
    ///
    /// # Errors
    /// When the database fails.
    fn take_password_reset(
        &self,
        token: &KeyHash,
        password_hash: &str,
        session: &NewSession,
    ) -> Result<Result<SignInStage, LinkRefused>, StoreError>;

    /// The account with this address.
    ///
    /// # Errors
    /// When the database fails.
    fn credentials(&self, email: &str) -> Result<Option<Credentials>, StoreError>;

    /// The organizations of an account, oldest membership first; at most 100.
    ///
    /// # Errors
    /// When the database fails.
    fn memberships(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError>;

    /// The account of a member; none where the member has none, or is not in the organization.
    ///
    /// # Errors
    /// When the database fails.
    fn account_of(&self, org: &OrgId, member: &MemberId) -> Result<Option<Account>, StoreError>;

    /// The members of an organization that have an account.
    ///
    /// # Errors
    /// When the database fails.
    fn members_with_account(&self, org: &OrgId) -> Result<Vec<MemberId>, StoreError>;

    /// Stores a session after a correct password, in place of the one with the hash `replaced`, if any. The sessions of
    /// the account beyond [`MAX_SESSIONS`](crate::account::MAX_SESSIONS) are deleted, those used least recently first,
    /// and up to 100 that have expired, of any account.
    ///
    /// If the account has a second factor, it stores a [`PendingSignIn`](crate::account::PendingSignIn) instead, with the
    /// token, the account, the organization and the time of the session. It keeps at most
    /// [`MAX_PENDING_SIGN_INS`](crate::account::MAX_PENDING_SIGN_INS) of the account, and deletes up to 100 that have
    /// expired, of any account.
    ///
    /// # Errors
    /// When the database fails.
    fn sign_in(
        &self,
        session: &NewSession,
        replaced: Option<&KeyHash>,
        lifetime: SessionLifetime,
    ) -> Result<SignInStage, StoreError>;

    /// Gives a session another token, and stores what `session` says of it: the organization it works in, and when
    /// the password was entered. False where the session with the hash `old` is gone.
    ///
    /// # Errors
    /// When the database fails.
    fn rotate_session(&self, old: &KeyHash, session: &NewSession) -> Result<bool, StoreError>;

    /// The session with this hash, its account and its membership; none where the account is no longer a member of
    /// the organization. Whether it is expired is for the caller to judge.
    ///
    /// # Errors
    /// When the database fails.
    fn session_by_hash(&self, token: &KeyHash) -> Result<Option<SignedIn>, StoreError>;

    /// Notes that a session was used. May be skipped while others write.
    ///
    /// # Errors
    /// When the database fails.
    fn touch_session(&self, token: &KeyHash, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// The sessions of an account, the one used last first.
    ///
    /// # Errors
    /// When the database fails.
    fn sessions(&self, account: &AccountId) -> Result<Vec<Session>, StoreError>;

    /// Ends a session of an account. False where there is no such session.
    ///
    /// # Errors
    /// When the database fails.
    fn end_session(&self, account: &AccountId, session: &SessionId) -> Result<bool, StoreError>;

    /// Sets the password of an account, and ends its password resets and all its sessions but `kept`.
    ///
    /// # Errors
    /// When the database fails.
    fn set_password(
        &self,
        account: &AccountId,
        password_hash: &str,
        kept: &SessionId,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Sets the name of an account, and of the members that the account is. Nothing changes where it has the name
    /// already, or where there is no such account.
    ///
    /// # Errors
    /// When the database fails.
    fn set_account_name(
        &self,
        account: &AccountId,
        name: &str,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Sets the address of an account, lower case, and of the members that the account is; ends its password resets and
    /// all its sessions but `kept`. Nothing changes where it has the address already, or where there is no such account.
    ///
    /// # Errors
    /// When the database fails.
    fn set_account_email(
        &self,
        account: &AccountId,
        email: &str,
        kept: &SessionId,
        at: DateTime<Utc>,
    ) -> Result<Result<(), EmailInUse>, StoreError>;

    /// Gives a member another role and ends the sessions of the member's account in the organization. Nothing changes
    /// where the member has the role already. False where there is no such member.
    ///
    /// # Errors
    /// When the database fails.
    fn set_member_role(
        &self,
        org: &OrgId,
        member: &MemberId,
        role: Role,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// Ends all sessions of an account but one, and its sign-ins that wait for a code.
    ///
    /// # Errors
    /// When the database fails.
    fn end_other_sessions(&self, account: &AccountId, kept: &SessionId) -> Result<(), StoreError>;

    /// Makes an administrator's change of a member, as [`set_member_role`](Self::set_member_role) and
    /// [`remove_member`](super::OrgStore::remove_member) do, unless the organization would lose its last administrator
    /// who can sign in ([`MemberChange::removes_last_administrator`]). That is judged in the transaction, so of changes
    /// at once each sees those before it.
    ///
    /// # Errors
    /// When the database fails.
    fn change_member(
        &self,
        org: &OrgId,
        member: &MemberId,
        change: MemberChange,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Result<(), MemberNotChanged>, StoreError>;
}
