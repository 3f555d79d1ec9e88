//! Signing in, and what a session may do.

use chrono::{DateTime, Utc};

use crate::account::{
    Session, SessionLifetime, SignInStage, Token, WeakPassword, checked_password,
};
use crate::audit_log::{Actor, AuditNote};
use crate::id::{AccountId, OrgId, SessionId};
use crate::org::checked_email;
use crate::ports::{
    Clock, IdSource, Membership, NewSession, Passwords, SignedIn, StoreError, Stores,
};

/// The most characters of a `User-Agent` that is stored.
const MAX_USER_AGENT_CHARS: usize = 300;

/// The browser that a session is opened with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client<'a> {
    /// Its `User-Agent`.
    pub user_agent: &'a str,
    /// Its address.
    pub address: &'a str,
}

/// Why somebody is not signed in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInRefused {
    /// There is no account with this address and password. The person is not told which of both is wrong; the account
    /// with the address, if there is one, is for [`Sessions::log_failed_sign_in`] alone.
    #[error("The e-mail address or the password is wrong.")]
    WrongCredentials(Option<AccountId>),
    /// The account belongs to no organization any more.
    #[error("This account belongs to no organization. Ask an administrator for an invitation.")]
    NoOrganization,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a password was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordNotChanged {
    /// The current password is wrong.
    #[error("The current password is wrong.")]
    WrongPassword,
    /// The new one is not accepted.
    #[error(transparent)]
    Weak(#[from] WeakPassword),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A session that was just opened or renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedSession {
    /// The token for the cookie. It exists nowhere else.
    pub token: Token,
    /// The session.
    pub session: Session,
    /// Whether this is a session, or a sign-in that waits for a code. Only [`Sessions::complete_sign_in`] accepts the token
    /// of the latter.
    pub stage: SignInStage,
}

/// Sign-in, sessions and passwords.
#[derive(Clone, Copy)]
pub struct Sessions<'a> {
    /// Where everything is kept.
    pub stores: &'a dyn Stores,
    /// The time.
    pub clock: &'a dyn Clock,
    /// New ids and tokens.
    pub ids: &'a dyn IdSource,
    /// Hashes and judges passwords.
    pub passwords: &'a dyn Passwords,
    /// How long sessions last.
    pub lifetime: SessionLifetime,
}

impl Sessions<'_> {
    /// Signs a person in. The session replaces the one with the token `current`, so that a token that was known
    /// before a sign-in is worth nothing after it (session fixation).
    ///
    /// If the account has a second factor, the person is not signed in yet: see [`OpenedSession::stage`].
    ///
    /// An unknown address takes as long as a wrong password: one lookup and one hash. A success is written to the audit
    /// log of the account's organizations. A failure is not yet, because only the log of an account that exists takes
    /// time: call [`log_failed_sign_in`](Self::log_failed_sign_in) once the response is sent.
    ///
    /// # Errors
    /// [`SignInRefused`] says why not.
    pub fn sign_in(
        &self,
        email: &str,
        password: &str,
        client: Client<'_>,
        current: Option<&Token>,
    ) -> Result<OpenedSession, SignInRefused> {
        let found = match checked_email(email) {
            Ok(email) => self.stores.credentials(&email)?,
            Err(_) => None,
        };
        let hash = found.as_ref().map(|found| found.password_hash.as_str());
        let is_right = self.passwords.verify(password, hash);
        let found = match found {
            Some(found) if is_right => found,
            other => {
                let account = other.map(|found| found.account.id);
                return Err(SignInRefused::WrongCredentials(account));
            }
        };
        let memberships = self.stores.memberships(&found.account.id)?;
        let first = memberships.first().ok_or(SignInRefused::NoOrganization)?;
        let opened = self.open(&found.account.id, &first.organization.id, client);
        let replaced = current.map(Token::hash);
        let stage = self
            .stores
            .sign_in(&opened.stored(), replaced.as_ref(), self.lifetime)?;
        if stage == SignInStage::SignedIn {
            self.note_all(&memberships, "sign_in.succeeded", client.address)?;
        }
        Ok(opened.at(stage))
    }

    /// Writes a wrong password to the audit log of the account's organizations.
    ///
    /// # Errors
    /// When the database fails.
    pub fn log_failed_sign_in(&self, account: &AccountId, address: &str) -> Result<(), StoreError> {
        let memberships = self.stores.memberships(account)?;
        self.note_all(&memberships, "sign_in.failed", address)
    }

    /// Who has this token; none where the session is unknown, has expired or lost its membership.
    ///
    /// # Errors
    /// When the database fails.
    pub fn signed_in(&self, token: &Token) -> Result<Option<SignedIn>, StoreError> {
        let now = self.clock.now();
        let hash = token.hash();
        let found = self.stores.session_by_hash(&hash)?;
        let found = found.filter(|found| self.lifetime.is_alive(&found.session, now));
        if let Some(found) = &found
            && found.session.use_is_news(now)
        {
            // Not worth refusing a page for.
            let _ = self.stores.touch_session(&hash, now);
        }
        Ok(found)
    }

    /// Checks the password of a person who is signed in, and renews the session with another token. None where the
    /// password is wrong or the session is gone.
    ///
    /// # Errors
    /// When the database fails.
    pub fn confirm_password(
        &self,
        token: &Token,
        signed_in: &SignedIn,
        password: &str,
    ) -> Result<Option<OpenedSession>, StoreError> {
        if !self.is_password_of(signed_in, password)? {
            return Ok(None);
        }
        let session = Session {
            password_entered_at: self.clock.now(),
            ..signed_in.session.clone()
        };
        self.rotate(token, session)
    }

    /// Moves a session to another organization of the account, with another token. None where the account is no
    /// member there or the session is gone.
    ///
    /// # Errors
    /// When the database fails.
    pub fn switch_organization(
        &self,
        token: &Token,
        signed_in: &SignedIn,
        org: &OrgId,
    ) -> Result<Option<OpenedSession>, StoreError> {
        let memberships = self.stores.memberships(&signed_in.account.id)?;
        if !memberships
            .iter()
            .any(|found| found.organization.id == *org)
        {
            return Ok(None);
        }
        let session = Session {
            org_id: org.clone(),
            ..signed_in.session.clone()
        };
        self.rotate(token, session)
    }

    /// Sets another password, ends all other sessions of the account and renews this one with another token.
    ///
    /// # Errors
    /// [`PasswordNotChanged`] says why not.
    pub fn change_password(
        &self,
        token: &Token,
        signed_in: &SignedIn,
        (current, new): (&str, &str),
    ) -> Result<Option<OpenedSession>, PasswordNotChanged> {
        if !self.is_password_of(signed_in, current)? {
            return Err(PasswordNotChanged::WrongPassword);
        }
        let account = &signed_in.account;
        self.check_new(new, &[&account.email, &account.name])?;
        let now = self.clock.now();
        let hash = self.passwords.hash(new);
        self.stores
            .set_password(&account.id, &hash, &signed_in.session.id, now)?;
        let memberships = self.stores.memberships(&account.id)?;
        self.note_all(&memberships, "password.changed", "")?;
        let session = Session {
            password_entered_at: now,
            ..signed_in.session.clone()
        };
        Ok(self.rotate(token, session)?)
    }

    /// Ends one of the account's sessions. False where there is no such session.
    ///
    /// # Errors
    /// When the database fails.
    pub fn end(&self, account: &AccountId, session: &SessionId) -> Result<bool, StoreError> {
        self.stores.end_session(account, session)
    }

    pub(super) fn check_new(&self, password: &str, hints: &[&str]) -> Result<(), WeakPassword> {
        checked_password(password, |text| self.passwords.is_guessable(text, hints))
    }

    pub(super) fn open(
        &self,
        account: &AccountId,
        org: &OrgId,
        client: Client<'_>,
    ) -> OpenedSession {
        let now = self.clock.now();
        OpenedSession {
            token: Token::generate(self.ids),
            session: Session {
                id: SessionId::make(self.ids),
                account_id: account.clone(),
                org_id: org.clone(),
                created_at: now,
                password_entered_at: now,
                last_seen_at: now,
                user_agent: client
                    .user_agent
                    .chars()
                    .take(MAX_USER_AGENT_CHARS)
                    .collect(),
                address: client.address.to_owned(),
            },
            stage: SignInStage::SignedIn,
        }
    }

    fn is_password_of(&self, signed_in: &SignedIn, password: &str) -> Result<bool, StoreError> {
        let found = self.stores.credentials(&signed_in.account.email)?;
        let hash = found.as_ref().map(|found| found.password_hash.as_str());
        Ok(self.passwords.verify(password, hash))
    }

    pub(super) fn rotate(
        &self,
        old: &Token,
        session: Session,
    ) -> Result<Option<OpenedSession>, StoreError> {
        let renewed = OpenedSession {
            token: Token::generate(self.ids),
            session,
            stage: SignInStage::SignedIn,
        };
        let rotated = self.stores.rotate_session(&old.hash(), &renewed.stored())?;
        Ok(rotated.then_some(renewed))
    }

    pub(super) fn note_all(
        &self,
        memberships: &[Membership],
        event: &'static str,
        address: &str,
    ) -> Result<(), StoreError> {
        self.note_all_with(memberships, event, address, "")
    }

    /// The same, with a further text in the detail.
    pub(super) fn note_all_with(
        &self,
        memberships: &[Membership],
        event: &'static str,
        address: &str,
        more: &str,
    ) -> Result<(), StoreError> {
        let at: DateTime<Utc> = self.clock.now();
        for membership in memberships {
            let member = &membership.member;
            let mut detail = member.email.clone();
            if !address.is_empty() {
                detail = format!("{detail}, from {address}");
            }
            if !more.is_empty() {
                detail = format!("{detail}, {more}");
            }
            let note = AuditNote {
                event,
                subject: member.id.to_string(),
                detail,
            };
            let by = Actor::Member(member.id.clone());
            self.stores
                .note(&membership.organization.id, at, &by, &note)?;
        }
        Ok(())
    }
}

impl OpenedSession {
    /// The same at the stage that the database decided.
    pub(super) fn at(self, stage: SignInStage) -> Self {
        Self { stage, ..self }
    }

    /// The session as it is stored: with the hash of its token.
    #[must_use]
    pub fn stored(&self) -> NewSession {
        NewSession {
            session: self.session.clone(),
            token: self.token.hash(),
        }
    }
}
