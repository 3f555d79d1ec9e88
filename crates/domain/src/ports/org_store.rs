//! Where organizations and their members are kept.

use chrono::{DateTime, Utc};

use super::{NewKey, StoreError};
use crate::audit_log::{Actor, AuditCursor, AuditEntry, AuditFilter, AuditNote, AuditPage};
use crate::id::{MemberId, OrgId};
use crate::key::Role;
use crate::org::{Member, Organization};
use crate::plan::{Period, Usage};

/// An organization to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrg {
    /// Its id.
    pub id: OrgId,
    /// Its name.
    pub name: String,
    /// The name of its plan.
    pub plan: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// A member to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMember {
    /// Its id.
    pub id: MemberId,
    /// The person's name.
    pub name: String,
    /// The person's address, lower case; once in an organization.
    pub email: String,
    /// What the person may do.
    pub role: Role,
    /// When it was added.
    pub created_at: DateTime<Utc>,
}

/// Where organizations and their members are kept.
pub trait OrgStore: Send + Sync {
    /// Stores the first organization with its first key, and lines in the audit log, where there is
    /// no organization yet; in one transaction, so that of two processes starting at once one does
    /// it. False where there is an organization already.
    ///
    /// # Errors
    /// When the database fails.
    fn bootstrap(&self, org: &NewOrg, key: &NewKey, by: &Actor) -> Result<bool, StoreError>;

    /// Whether there is an organization.
    ///
    /// # Errors
    /// When the database fails.
    fn has_organizations(&self) -> Result<bool, StoreError>;

    /// Stores an organization, and a line in the audit log.
    ///
    /// # Errors
    /// When the database fails.
    fn create_org(&self, org: &NewOrg, by: &Actor) -> Result<(), StoreError>;

    /// All organizations, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    fn orgs(&self) -> Result<Vec<Organization>, StoreError>;

    /// One organization.
    ///
    /// # Errors
    /// When the database fails.
    fn org(&self, org: &OrgId) -> Result<Option<Organization>, StoreError>;

    /// Puts an organization on another plan, and writes a line in the audit log. False where there
    /// is no such organization.
    ///
    /// # Errors
    /// When the database fails.
    fn set_plan(
        &self,
        org: &OrgId,
        plan: &str,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// What an organization has used of its plan in a period. Zero where there is no such
    /// organization.
    ///
    /// # Errors
    /// When the database fails.
    fn usage(&self, org: &OrgId, period: Period) -> Result<Usage, StoreError>;

    /// Stores a member, and a line in the audit log. False where the organization does not exist or
    /// has a member of that address.
    ///
    /// # Errors
    /// When the database fails.
    fn add_member(&self, org: &OrgId, member: &NewMember, by: &Actor) -> Result<bool, StoreError>;

    /// All members of an organization, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    fn members(&self, org: &OrgId) -> Result<Vec<Member>, StoreError>;

    /// Those of these members that the organization has, in no order.
    ///
    /// # Errors
    /// When the database fails.
    fn members_of(&self, org: &OrgId, members: &[MemberId]) -> Result<Vec<Member>, StoreError>;

    /// The members of an organization whose name or e-mail address contains a text, oldest first, at most `limit`. The
    /// case of ASCII letters does not matter; the empty text is in all.
    ///
    /// # Errors
    /// When the database fails.
    fn find_members(&self, org: &OrgId, text: &str, limit: u32) -> Result<Vec<Member>, StoreError>;

    /// Removes a member, and writes a line in the audit log. The action items that are assigned to the
    /// member are left to nobody. False where there is no such member.
    ///
    /// # Errors
    /// When the database fails.
    fn remove_member(
        &self,
        org: &OrgId,
        member: &MemberId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// Writes a line in the audit log of an organization, about something that changes nothing else.
    ///
    /// # Errors
    /// When the database fails.
    fn note(
        &self,
        org: &OrgId,
        at: DateTime<Utc>,
        by: &Actor,
        note: &AuditNote,
    ) -> Result<(), StoreError>;

    /// The audit log of an organization, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    fn audit_log(&self, org: &OrgId) -> Result<Vec<AuditEntry>, StoreError>;

    /// A page of the audit log of an organization, newest first: at most `limit` lines that match the filter, from
    /// behind a cursor on.
    ///
    /// # Errors
    /// When the database fails.
    fn audit_log_page(
        &self,
        org: &OrgId,
        filter: &AuditFilter,
        before: Option<AuditCursor>,
        limit: u32,
    ) -> Result<AuditPage, StoreError>;
}
