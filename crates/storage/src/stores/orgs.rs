//! Organizations.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::{Actor, AuditCursor, AuditEntry, AuditFilter, AuditNote, AuditPage};
use domain::id::{MemberId, OrgId};
use domain::org::{Member, Organization};
use domain::plan::{Period, Usage};
use domain::ports::{JobKind, NewKey, NewMember, NewOrg, OrgStore, StoreError};

use crate::database::Database;
use crate::database::connection::{AnyConnection, keep_others_from_adding};
use crate::database::error::StorageError;
use crate::database::schema::organizations;
use crate::database::values::{storable, stored_time};
use crate::queue::due;
use crate::queue::job::{self, NewJob};
use crate::stores::audit_log::{Line, lines, note, page};
use crate::stores::find;
use crate::stores::keys;
use crate::stores::members;
use crate::stores::rows::OrgRow;
use crate::stores::usage;

impl OrgStore for Database {
    fn bootstrap(&self, org: &NewOrg, key: &NewKey, by: &Actor) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            keep_others_from_adding(connection, "organizations")?;
            if any(connection)? {
                return Ok(false);
            }
            insert(connection, org, by)?;
            keys::insert(connection, &org.id, key, by)?;
            Ok(true)
        })?)
    }

    fn has_organizations(&self) -> Result<bool, StoreError> {
        Ok(self.read(any)?)
    }

    fn create_org(&self, org: &NewOrg, by: &Actor) -> Result<(), StoreError> {
        Ok(self.write(|connection| insert(connection, org, by))?)
    }

    fn orgs(&self) -> Result<Vec<Organization>, StoreError> {
        Ok(self.read(|connection| {
            let rows: Vec<OrgRow> = organizations::table
                .order((organizations::created_at, organizations::id))
                .select(OrgRow::as_select())
                .load(connection)?;
            rows.into_iter().map(OrgRow::read).collect()
        })?)
    }

    fn org(&self, org: &OrgId) -> Result<Option<Organization>, StoreError> {
        Ok(self.read(|connection| {
            let row: Option<OrgRow> = organizations::table
                .find(org.as_str())
                .select(OrgRow::as_select())
                .get_result(connection)
                .optional()?;
            row.map(OrgRow::read).transpose()
        })?)
    }

    fn set_plan(
        &self,
        org: &OrgId,
        plan: &str,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            let changed = diesel::update(organizations::table.find(org.as_str()))
                .set(organizations::plan.eq(plan))
                .execute(connection)?;
            if changed == 0 {
                return Ok(false);
            }
            let line = Line {
                event: "org.plan_changed",
                subject: org.as_str(),
                detail: plan.to_owned(),
            };
            note(connection, org, at, by, &line)?;
            // The new plan may have shorter retention periods.
            due::expedite(connection, JobKind::Retention, org.as_str(), at)?;
            Ok(true)
        })?)
    }

    fn usage(&self, org: &OrgId, period: Period) -> Result<Usage, StoreError> {
        Ok(self.read(|connection| usage::load(connection, org, period))?)
    }

    fn add_member(&self, org: &OrgId, member: &NewMember, by: &Actor) -> Result<bool, StoreError> {
        Ok(self.write(|connection| members::add(connection, org, member, by))?)
    }

    fn members(&self, org: &OrgId) -> Result<Vec<Member>, StoreError> {
        Ok(self.read(|connection| members::all(connection, org))?)
    }

    fn members_of(&self, org: &OrgId, members: &[MemberId]) -> Result<Vec<Member>, StoreError> {
        Ok(self.read(|connection| find::members_of(connection, org, members))?)
    }

    fn find_members(&self, org: &OrgId, text: &str, limit: u32) -> Result<Vec<Member>, StoreError> {
        Ok(self.read(|connection| find::members(connection, org, text, limit))?)
    }

    fn remove_member(
        &self,
        org: &OrgId,
        member: &MemberId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| members::remove(connection, org, member, at, by))?)
    }

    fn note(
        &self,
        org: &OrgId,
        at: DateTime<Utc>,
        by: &Actor,
        note: &AuditNote,
    ) -> Result<(), StoreError> {
        let line = Line {
            event: note.event,
            subject: &note.subject,
            detail: note.detail.clone(),
        };
        Ok(self
            .write(|connection| crate::stores::audit_log::note(connection, org, at, by, &line))?)
    }

    fn audit_log(&self, org: &OrgId) -> Result<Vec<AuditEntry>, StoreError> {
        Ok(self.read(|connection| lines(connection, org))?)
    }

    fn audit_log_page(
        &self,
        org: &OrgId,
        filter: &AuditFilter,
        before: Option<AuditCursor>,
        limit: u32,
    ) -> Result<AuditPage, StoreError> {
        Ok(self.read(|connection| page(connection, org, filter, before, limit))?)
    }
}

fn any(connection: &mut AnyConnection) -> Result<bool, StorageError> {
    let first: Option<String> = organizations::table
        .select(organizations::id)
        .first(connection)
        .optional()?;
    Ok(first.is_some())
}

fn insert(connection: &mut AnyConnection, org: &NewOrg, by: &Actor) -> Result<(), StorageError> {
    diesel::insert_into(organizations::table)
        .values((
            organizations::id.eq(org.id.as_str()),
            organizations::name.eq(storable(&org.name)),
            organizations::plan.eq(&org.plan),
            organizations::created_at.eq(stored_time(org.created_at)),
        ))
        .execute(connection)?;
    let (id, now) = (&org.id, org.created_at);
    let job = NewJob::due(JobKind::Retention, id, id.as_str(), now);
    job::insert(connection, &job)?;
    let line = Line {
        event: "org.created",
        subject: org.id.as_str(),
        detail: org.name.clone(),
    };
    note(connection, &org.id, org.created_at, by, &line)
}

/// Sets whether an organization requires a second factor of its members. Returns `false` if there is no such
/// organization.
pub(crate) fn set_second_factor_required(
    connection: &mut AnyConnection,
    org: &OrgId,
    is_required: bool,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    if !lock(connection, org)? {
        return Ok(false);
    }
    let changed = diesel::update(
        organizations::table
            .filter(organizations::id.eq(org.as_str()))
            .filter(organizations::requires_second_factor.ne(is_required)),
    )
    .set(organizations::requires_second_factor.eq(is_required))
    .execute(connection)?;
    if changed == 1 {
        let line = Line {
            event: "org.second_factor_changed",
            subject: org.as_str(),
            detail: if is_required { "required" } else { "optional" }.to_owned(),
        };
        note(connection, org, at, by, &line)?;
    }
    Ok(true)
}

/// Locks the row of an organization until the transaction ends, so that counts under it stay valid. Returns
/// `false` if there is no such organization.
pub(crate) fn lock(connection: &mut AnyConnection, org: &OrgId) -> Result<bool, StorageError> {
    let query = organizations::table
        .filter(organizations::id.eq(org.as_str()))
        .select(organizations::id);
    let found: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => query.get_result(sqlite).optional()?,
        // Other transactions can still insert rows that reference the organization.
        AnyConnection::Postgres(postgres) => {
            query.for_no_key_update().first(postgres).optional()?
        }
    };
    Ok(found.is_some())
}
