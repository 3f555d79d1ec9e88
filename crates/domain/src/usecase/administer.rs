//! What an administrator does at the command line.

use chrono::{DateTime, Utc};

use crate::audit_log::Actor;
use crate::id::{KeyId, MemberId, OrgId};
use crate::key::{KeySecret, Role};
use crate::org::{InvalidName, Member, checked_email, checked_name};
use crate::plan::Plans;
use crate::ports::{Clock, IdSource, NewKey, NewMember, NewOrg, StoreError, Stores};
use crate::retention::RetentionChoice;

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdminError {
    /// A name, or an address, cannot be used.
    #[error("{0}")]
    Name(#[from] InvalidName),
    /// There is no such organization.
    #[error("unknown organization {0}; `assay orgs list` lists all")]
    NoOrg(String),
    /// There is no such key.
    #[error("unknown key {0}; `assay keys list --org ORG` lists the keys of an organization")]
    NoKey(String),
    /// There is no such member.
    #[error(
        "unknown member {0}; `assay members list --org ORG` lists the members of an organization"
    )]
    NoMember(String),
    /// The organization has a member of that address.
    #[error("the organization already has a member {0}")]
    MemberExists(String),
    /// The member's account has no second factor.
    #[error("{0} has no second factor; `assay members list --org ORG` shows who has one")]
    NoSecondFactor(String),
    /// There is no such plan.
    #[error("unknown plan `{name}`; the configuration has {known}")]
    NoPlan {
        /// The name that was given.
        name: String,
        /// The known names.
        known: String,
    },
    /// The key would be expired from the beginning.
    #[error("the expiry {0} is in the past")]
    Expired(DateTime<Utc>),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A key that was just made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedKey {
    /// Its id.
    pub id: KeyId,
    /// The secret, to be shown once.
    pub secret: KeySecret,
}

/// The first organization with its first key, not yet stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap {
    org: NewOrg,
    key: NewKey,
    /// The key.
    pub created: CreatedKey,
}

impl Bootstrap {
    /// The id that the organization gets.
    #[must_use]
    pub const fn organization(&self) -> &OrgId {
        &self.org.id
    }
}

/// Administration of organizations, keys, plans and members.
#[derive(Clone, Copy)]
pub struct Administration<'a> {
    /// Where everything is kept.
    pub stores: &'a dyn Stores,
    /// The time.
    pub clock: &'a dyn Clock,
    /// New ids and secrets.
    pub ids: &'a dyn IdSource,
    /// The plans of the configuration.
    pub plans: &'a Plans,
    /// Who does it.
    pub actor: &'a Actor,
}

impl Administration<'_> {
    /// Prepares the first organization with an admin key, where there is no organization yet. The
    /// key works once [`Administration::bootstrap`] has stored it, so it can be brought to safety
    /// before.
    ///
    /// # Errors
    /// When the name cannot be used, the plan is unknown or the database fails.
    pub fn prepare_bootstrap(
        &self,
        name: &str,
        plan: &str,
    ) -> Result<Option<Bootstrap>, AdminError> {
        if self.stores.has_organizations()? {
            return Ok(None);
        }
        let (key, created) = self.new_key("bootstrap", Role::Admin, None)?;
        Ok(Some(Bootstrap {
            org: self.new_org(name, plan)?,
            key,
            created,
        }))
    }

    /// Stores the first organization with its key. False where another process did so in the
    /// meantime.
    ///
    /// # Errors
    /// When the database fails.
    pub fn bootstrap(&self, first: &Bootstrap) -> Result<bool, AdminError> {
        Ok(self.stores.bootstrap(&first.org, &first.key, self.actor)?)
    }

    /// Creates an organization.
    ///
    /// # Errors
    /// When the name cannot be used, the plan is unknown or the database fails.
    pub fn create_org(&self, name: &str, plan: &str) -> Result<OrgId, AdminError> {
        let org = self.new_org(name, plan)?;
        self.stores.create_org(&org, self.actor)?;
        Ok(org.id)
    }

    /// Creates a key.
    ///
    /// # Errors
    /// When there is no such organization, the name cannot be used, the expiry is past or the
    /// database fails.
    pub fn create_key(
        &self,
        org: &str,
        name: &str,
        role: Role,
        expires_at: Option<DateTime<Utc>>,
    ) -> Result<CreatedKey, AdminError> {
        let org_id = org_id(org)?;
        let (key, created) = self.new_key(name, role, expires_at)?;
        if self.stores.create_key(&org_id, &key, self.actor)? {
            Ok(created)
        } else {
            Err(AdminError::NoOrg(org.to_owned()))
        }
    }

    /// Revokes a key. Revoking it again is no error.
    ///
    /// # Errors
    /// When there is no such key or the database fails.
    pub fn revoke_key(&self, key: &str) -> Result<(), AdminError> {
        let no_key = || AdminError::NoKey(key.to_owned());
        let key_id = KeyId::parse(key).ok_or_else(no_key)?;
        let org = self.stores.org_of_key(&key_id)?.ok_or_else(no_key)?;
        let now = self.clock.now();
        if self.stores.revoke_key(&org, &key_id, now, self.actor)? {
            Ok(())
        } else {
            Err(no_key())
        }
    }

    /// Puts an organization on another plan.
    ///
    /// # Errors
    /// When there is no such organization or plan, or the database fails.
    pub fn set_plan(&self, org: &str, plan: &str) -> Result<(), AdminError> {
        self.known_plan(plan)?;
        let now = self.clock.now();
        if self.stores.set_plan(&org_id(org)?, plan, now, self.actor)? {
            Ok(())
        } else {
            Err(AdminError::NoOrg(org.to_owned()))
        }
    }

    /// Sets the retention of an organization's data.
    ///
    /// # Errors
    /// When there is no such organization or the database fails.
    pub fn set_retention(&self, org: &str, choice: RetentionChoice) -> Result<(), AdminError> {
        let org_id = self.existing_org(org)?;
        let now = self.clock.now();
        if self
            .stores
            .set_retention(&org_id, choice, now, self.actor)?
        {
            Ok(())
        } else {
            Err(AdminError::NoOrg(org.to_owned()))
        }
    }

    /// Adds a member.
    ///
    /// # Errors
    /// When there is no such organization, the name or the address cannot be used or is there
    /// already, or the database fails.
    pub fn add_member(
        &self,
        org: &str,
        name: &str,
        email: &str,
        role: Role,
    ) -> Result<MemberId, AdminError> {
        let org_id = self.existing_org(org)?;
        let member = NewMember {
            id: MemberId::make(self.ids),
            name: checked_name(name)?,
            email: checked_email(email)?,
            role,
            created_at: self.clock.now(),
        };
        if self.stores.add_member(&org_id, &member, self.actor)? {
            Ok(member.id)
        } else {
            Err(AdminError::MemberExists(member.email))
        }
    }

    /// The members of an organization.
    ///
    /// # Errors
    /// When there is no such organization or the database fails.
    pub fn members(&self, org: &str) -> Result<Vec<Member>, AdminError> {
        Ok(self.stores.members(&self.existing_org(org)?)?)
    }

    /// Removes a member.
    ///
    /// # Errors
    /// When there is no such organization or member, or the database fails.
    pub fn remove_member(&self, org: &str, member: &str) -> Result<(), AdminError> {
        let org_id = self.existing_org(org)?;
        let no_member = || AdminError::NoMember(member.to_owned());
        let member_id = MemberId::parse(member).ok_or_else(no_member)?;
        let now = self.clock.now();
        if self
            .stores
            .remove_member(&org_id, &member_id, now, self.actor)?
        {
            Ok(())
        } else {
            Err(no_member())
        }
    }

    /// Removes the second factor of a member's account, for a person who lost the app and the recovery codes, and ends all
    /// sessions of the account. Records this in the audit logs of all organizations of the account.
    ///
    /// # Errors
    /// When there is no such organization or member, the account has no second factor, or the database fails.
    pub fn reset_second_factor(&self, org: &str, member: &str) -> Result<(), AdminError> {
        let org_id = self.existing_org(org)?;
        let no_member = || AdminError::NoMember(member.to_owned());
        let member_id = MemberId::parse(member).ok_or_else(no_member)?;
        if (self
            .stores
            .members_of(&org_id, std::slice::from_ref(&member_id))?)
        .is_empty()
        {
            return Err(no_member());
        }
        let without = || AdminError::NoSecondFactor(member.to_owned());
        let account = self.stores.account_of(&org_id, &member_id)?;
        let account = account.ok_or_else(without)?;
        let now = self.clock.now();
        match self
            .stores
            .reset_second_factor(&account.id, now, self.actor)?
        {
            true => Ok(()),
            false => Err(without()),
        }
    }

    /// The id of an organization that exists.
    ///
    /// # Errors
    /// When there is no such organization or the database fails.
    pub fn existing_org(&self, org: &str) -> Result<OrgId, AdminError> {
        let id = org_id(org)?;
        match self.stores.org(&id)? {
            Some(found) => Ok(found.id),
            None => Err(AdminError::NoOrg(org.to_owned())),
        }
    }

    fn new_org(&self, name: &str, plan: &str) -> Result<NewOrg, AdminError> {
        self.known_plan(plan)?;
        Ok(NewOrg {
            id: OrgId::make(self.ids),
            name: checked_name(name)?,
            plan: plan.to_owned(),
            created_at: self.clock.now(),
        })
    }

    fn new_key(
        &self,
        name: &str,
        role: Role,
        expires_at: Option<DateTime<Utc>>,
    ) -> Result<(NewKey, CreatedKey), AdminError> {
        let now = self.clock.now();
        if let Some(expiry) = expires_at.filter(|expiry| *expiry <= now) {
            return Err(AdminError::Expired(expiry));
        }
        let secret = KeySecret::generate(self.ids);
        let key = NewKey {
            id: KeyId::make(self.ids),
            name: checked_name(name)?,
            prefix: secret.shown_prefix(),
            hash: secret.hash(),
            role,
            created_at: now,
            expires_at,
        };
        let id = key.id.clone();
        Ok((key, CreatedKey { id, secret }))
    }

    fn known_plan(&self, name: &str) -> Result<(), AdminError> {
        if self.plans.get(name).is_some() {
            return Ok(());
        }
        let known: Vec<_> = self.plans.iter().map(|plan| plan.name.as_str()).collect();
        Err(AdminError::NoPlan {
            name: name.to_owned(),
            known: known.join(", "),
        })
    }
}

fn org_id(text: &str) -> Result<OrgId, AdminError> {
    OrgId::parse(text).ok_or_else(|| AdminError::NoOrg(text.to_owned()))
}
