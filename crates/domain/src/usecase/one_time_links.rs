//! Issuing one-time links, and taking them up.

use super::sessions::{Client, OpenedSession, Sessions};
use crate::account::{LinkPurpose, OneTimeLink, Token, WeakPassword};
use crate::audit_log::Actor;
use crate::id::{AccountId, MemberId, OrgId};
use crate::org::{InvalidName, checked_email, checked_name};
use crate::ports::{
    Clock, IdSource, LinkRefused, LinkTarget, NewAccount, StoreError, Stores, Taker,
};

/// Why a link was not issued.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkNotIssued {
    /// There is no such organization or member.
    #[error("there is no such member")]
    NoMember,
    /// The member has an account already, so there is nothing to invite to.
    #[error("this member has an account already; issue a password reset instead")]
    HasAccount,
    /// The member has no account, so there is no password to reset.
    #[error("this member has no account yet; issue an invitation instead")]
    NoAccount,
    /// The account is a member of other organizations too, whose pages the link would open.
    #[error(
        "this person is also a member of other organizations; only the operator can reset the password: `assay members reset-password`"
    )]
    SharedAccount,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a link was not taken up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkNotTaken {
    /// It was used, has expired or was replaced.
    #[error("This link was used or has expired. Ask for another one.")]
    Gone,
    /// The name or the address cannot be used.
    #[error("{0}")]
    Name(#[from] InvalidName),
    /// The password is not accepted.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
    /// There is an account with this address, and the password is not its password.
    #[error("There is an account with this e-mail address. Enter its password.")]
    WrongPassword,
    /// The account is a member of the organization already.
    #[error("This account is a member of the organization already. Sign in instead.")]
    MemberExists,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who may reset a password of an account that belongs to several organizations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Issuer {
    /// An administrator of one organization: may not, since the link would open the others.
    Administrator,
    /// The operator at the command line.
    Operator,
}

/// Issues one-time links.
#[derive(Clone, Copy)]
pub struct OneTimeLinks<'a> {
    /// Where links are kept, by the hash of their token.
    pub stores: &'a dyn Stores,
    /// The time.
    pub clock: &'a dyn Clock,
    /// New tokens.
    pub ids: &'a dyn IdSource,
}

impl OneTimeLinks<'_> {
    /// Issues a link that makes whoever opens it an administrator of the organization.
    ///
    /// # Errors
    /// [`LinkNotIssued`] says why not.
    pub fn issue_setup_link(&self, org: &OrgId, by: &Actor) -> Result<Token, LinkNotIssued> {
        self.issue(LinkPurpose::Setup, org, None, None, by)
    }

    /// Issues a link with which a member creates an account, or joins with an account.
    ///
    /// # Errors
    /// [`LinkNotIssued`] says why not.
    pub fn issue_invitation(
        &self,
        org: &OrgId,
        member: &MemberId,
        by: &Actor,
    ) -> Result<Token, LinkNotIssued> {
        if self.stores.account_of(org, member)?.is_some() {
            return Err(LinkNotIssued::HasAccount);
        }
        self.issue(LinkPurpose::Invitation, org, Some(member), None, by)
    }

    /// Issues a link with which a member sets another password.
    ///
    /// # Errors
    /// [`LinkNotIssued`] says why not.
    pub fn issue_password_reset(
        &self,
        org: &OrgId,
        member: &MemberId,
        issuer: Issuer,
        by: &Actor,
    ) -> Result<Token, LinkNotIssued> {
        let account = self.stores.account_of(org, member)?;
        let account = account.ok_or(LinkNotIssued::NoAccount)?;
        if issuer == Issuer::Administrator && self.stores.memberships(&account.id)?.len() > 1 {
            return Err(LinkNotIssued::SharedAccount);
        }
        self.issue(
            LinkPurpose::PasswordReset,
            org,
            Some(member),
            Some(account.id),
            by,
        )
    }

    fn issue(
        &self,
        purpose: LinkPurpose,
        org: &OrgId,
        member: Option<&MemberId>,
        account: Option<AccountId>,
        by: &Actor,
    ) -> Result<Token, LinkNotIssued> {
        let now = self.clock.now();
        let link = OneTimeLink {
            purpose,
            org_id: org.clone(),
            member_id: member.cloned(),
            account_id: account,
            created_at: now,
            expires_at: now + purpose.lifetime(),
        };
        let token = Token::generate(self.ids);
        match self.stores.create_link(&link, &token.hash(), by)? {
            true => Ok(token),
            false => Err(LinkNotIssued::NoMember),
        }
    }
}

impl<'a> Sessions<'a> {
    /// Issues links. No password is needed for that.
    #[must_use]
    pub const fn one_time_links(&self) -> OneTimeLinks<'a> {
        OneTimeLinks {
            stores: self.stores,
            clock: self.clock,
            ids: self.ids,
        }
    }

    /// The link with this token, as long as it works.
    ///
    /// # Errors
    /// When the database fails.
    pub fn link(&self, token: &Token) -> Result<Option<LinkTarget>, StoreError> {
        let now = self.clock.now();
        let found = self.stores.link_by_hash(&token.hash())?;
        Ok(found.filter(|found| found.link.works_at(now)))
    }

    /// Takes up a setup link.
    ///
    /// # Errors
    /// [`LinkNotTaken`] says why not.
    pub fn take_setup_link(
        &self,
        token: &Token,
        (name, email, password): (&str, &str, &str),
        client: Client<'_>,
    ) -> Result<OpenedSession, LinkNotTaken> {
        let target = self.working(token, LinkPurpose::Setup)?;
        let taker = self.taker(name, &checked_email(email)?, password)?;
        let opened = self.open(taker.id(), &target.organization.id, client);
        let member = MemberId::make(self.ids);
        let stage =
            self.stores
                .take_setup_link(&token.hash(), &taker, &member, &opened.stored())??;
        Ok(opened.at(stage))
    }

    /// Takes up an invitation. The address is the member's.
    ///
    /// # Errors
    /// [`LinkNotTaken`] says why not.
    pub fn take_invitation(
        &self,
        token: &Token,
        (name, password): (&str, &str),
        client: Client<'_>,
    ) -> Result<OpenedSession, LinkNotTaken> {
        let target = self.working(token, LinkPurpose::Invitation)?;
        let member = target.member.ok_or(LinkNotTaken::Gone)?;
        let taker = self.taker(name, &member.email, password)?;
        let opened = self.open(taker.id(), &target.organization.id, client);
        let stage = self
            .stores
            .take_invitation(&token.hash(), &taker, &opened.stored())??;
        Ok(opened.at(stage))
    }

    /// Takes up a password reset.
    ///
    /// # Errors
    /// [`LinkNotTaken`] says why not.
    pub fn take_password_reset(
        &self,
        token: &Token,
        password: &str,
        client: Client<'_>,
    ) -> Result<OpenedSession, LinkNotTaken> {
        let target = self.working(token, LinkPurpose::PasswordReset)?;
        let account = target.link.account_id.ok_or(LinkNotTaken::Gone)?;
        let hint = target.member.map(|member| member.email).unwrap_or_default();
        self.check_new(password, &[&hint])?;
        let opened = self.open(&account, &target.organization.id, client);
        let hash = self.passwords.hash(password);
        let stage = self
            .stores
            .take_password_reset(&token.hash(), &hash, &opened.stored())??;
        Ok(opened.at(stage))
    }

    fn working(&self, token: &Token, purpose: LinkPurpose) -> Result<LinkTarget, LinkNotTaken> {
        let target = self.link(token)?;
        let target = target.filter(|target| target.link.purpose == purpose);
        target.ok_or(LinkNotTaken::Gone)
    }

    /// The account with this address if the password is its password; else a new account.
    fn taker(&self, name: &str, email: &str, password: &str) -> Result<Taker, LinkNotTaken> {
        if let Some(known) = self.stores.credentials(email)? {
            return match self.passwords.verify(password, Some(&known.password_hash)) {
                true => Ok(Taker::Known(known.account.id)),
                false => Err(LinkNotTaken::WrongPassword),
            };
        }
        let name = checked_name(name)?;
        self.check_new(password, &[&name, email])?;
        Ok(Taker::New(NewAccount {
            id: AccountId::make(self.ids),
            email: email.to_owned(),
            name,
            password_hash: self.passwords.hash(password),
            created_at: self.clock.now(),
        }))
    }
}

impl Taker {
    /// The account's id.
    #[must_use]
    pub const fn id(&self) -> &AccountId {
        match self {
            Self::New(account) => &account.id,
            Self::Known(id) => id,
        }
    }
}

impl From<LinkRefused> for LinkNotTaken {
    fn from(refused: LinkRefused) -> Self {
        match refused {
            LinkRefused::Gone => Self::Gone,
            // Another request created the account in the meantime.
            LinkRefused::EmailTaken => Self::WrongPassword,
            LinkRefused::MemberExists => Self::MemberExists,
        }
    }
}
