//! People who sign in, and what the tests of sessions and links share.

use std::sync::{Mutex, PoisonError};

use domain::account::{SessionLifetime, Token};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId};
use domain::ports::{AccountStore, OrgStore, Passwords, SignedIn};
use domain::usecase::{Client, OpenedSession, Sessions};
use testkit::sample;

use crate::Fixture;

pub(crate) const PASSWORD: &str = "correct horse battery staple";
pub(crate) const CLIENT: Client<'_> = Client {
    user_agent: "Firefox",
    address: "192.0.2.1",
};

/// Passwords that are hashed in no time, and a record of what was verified.
#[derive(Default)]
pub(crate) struct RecordedPasswords {
    verified: Mutex<Vec<(String, bool)>>,
}

impl RecordedPasswords {
    /// The passwords verified since this was asked last, and whether there was a hash.
    pub(crate) fn verified(&self) -> Vec<(String, bool)> {
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut verified)
    }
}

impl Passwords for RecordedPasswords {
    fn hash(&self, password: &str) -> String {
        format!("hash of {password}")
    }

    fn verify(&self, password: &str, hash: Option<&str>) -> bool {
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        verified.push((password.to_owned(), hash.is_some()));
        hash == Some(self.hash(password).as_str())
    }

    /// What has one of the hints in it, or says so.
    fn is_guessable(&self, password: &str, hints: &[&str]) -> bool {
        let has = |hint: &&str| password.to_lowercase().contains(&hint.to_lowercase());
        password.contains("guessable") || hints.iter().any(has)
    }
}

/// A person with an account, who is signed in.
pub(crate) struct Person {
    pub(crate) account: AccountId,
    pub(crate) member: MemberId,
    pub(crate) opened: OpenedSession,
}

/// A world with people in it.
pub(crate) struct People {
    pub(crate) world: Fixture,
    pub(crate) passwords: RecordedPasswords,
}

impl People {
    pub(crate) fn new() -> Self {
        Self {
            world: Fixture::new(),
            passwords: RecordedPasswords::default(),
        }
    }

    pub(crate) fn sessions(&self) -> Sessions<'_> {
        Sessions {
            stores: &self.world.stores,
            clock: &self.world.clock,
            ids: &self.world.ids,
            passwords: &self.passwords,
            lifetime: SessionLifetime::default(),
        }
    }

    pub(crate) fn another_org(&self) -> OrgId {
        let org = sample::new_org(&self.world.ids);
        let by = Actor::CommandLine;
        self.world.stores.create_org(&org, &by).unwrap();
        org.id
    }

    /// Adds a member, such as `ada`, without an account.
    pub(crate) fn member(&self, org: &OrgId, name: &str) -> MemberId {
        let member = sample::new_member(&self.world.ids, name);
        let by = Actor::CommandLine;
        assert!(self.world.stores.add_member(org, &member, &by).unwrap());
        member.id
    }

    /// Invites a person, who takes up the invitation with [`PASSWORD`].
    pub(crate) fn joined(&self, org: &OrgId, name: &str) -> Person {
        let member = self.member(org, name);
        let by = Actor::CommandLine;
        let sessions = self.sessions();
        let link = sessions
            .one_time_links()
            .issue_invitation(org, &member, &by)
            .unwrap();
        let opened = sessions
            .take_invitation(&link, (name, PASSWORD), CLIENT)
            .unwrap();
        Person {
            account: opened.session.account_id.clone(),
            member,
            opened,
        }
    }

    /// Who has a token, if anybody.
    pub(crate) fn with(&self, token: &Token) -> Option<SignedIn> {
        self.sessions().signed_in(token).unwrap()
    }

    /// What was logged of an organization from a line on: actor, event, subject, detail.
    pub(crate) fn logged_after(&self, org: &OrgId, lines: usize) -> Vec<[String; 4]> {
        let log = self.world.stores.audit_log(org).unwrap().into_iter();
        log.skip(lines)
            .map(|line| [line.actor, line.event, line.subject, line.detail])
            .collect()
    }

    pub(crate) fn lines(&self, org: &OrgId) -> usize {
        self.world.stores.audit_log(org).unwrap().len()
    }

    pub(crate) fn password_hash(&self, email: &str) -> String {
        let found = self.world.stores.credentials(email).unwrap();
        found.unwrap().password_hash
    }
}
