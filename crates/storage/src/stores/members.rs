//! Members of organizations.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::account::{MemberChange, MemberNotChanged};
use domain::audit_log::Actor;
use domain::id::{MemberId, OrgId};
use domain::key::Role;
use domain::org::Member;
use domain::ports::NewMember;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{actions, members};
use crate::database::values::{known, storable, stored_time};
use crate::stores::audit_log::{Line, note};
use crate::stores::{account_access, orgs};

#[derive(Queryable, Selectable)]
#[diesel(table_name = members)]
pub(crate) struct MemberRow {
    id: String,
    name: String,
    email: String,
    role: String,
    created_at: NaiveDateTime,
}

impl MemberRow {
    pub(crate) fn read(self) -> Result<Member, StorageError> {
        Ok(Member {
            id: known("member", &self.id, MemberId::parse(&self.id))?,
            name: self.name,
            email: self.email,
            role: known("role", &self.role, self.role.parse().ok())?,
            created_at: self.created_at.and_utc(),
        })
    }
}

/// A member of an organization.
macro_rules! member_of {
    ($org:expr, $member:expr) => {
        members::table
            .filter(members::org_id.eq($org.as_str()))
            .filter(members::id.eq($member.as_str()))
    };
}

pub(crate) fn add(
    connection: &mut AnyConnection,
    org: &OrgId,
    member: &NewMember,
    by: &Actor,
) -> Result<bool, StorageError> {
    if !orgs::lock(connection, org)? || has_address(connection, org, &member.email)? {
        return Ok(false);
    }
    diesel::insert_into(members::table)
        .values((
            members::id.eq(member.id.as_str()),
            members::org_id.eq(org.as_str()),
            members::name.eq(storable(&member.name)),
            members::email.eq(&member.email),
            members::role.eq(member.role.as_str()),
            members::created_at.eq(stored_time(member.created_at)),
        ))
        .execute(connection)?;
    let line = Line {
        event: "member.added",
        subject: member.id.as_str(),
        detail: format!("{}, {}", member.email, member.role),
    };
    note(connection, org, member.created_at, by, &line)?;
    Ok(true)
}

fn has_address(
    connection: &mut AnyConnection,
    org: &OrgId,
    email: &str,
) -> Result<bool, StorageError> {
    let found: Option<String> = members::table
        .filter(members::org_id.eq(org.as_str()))
        .filter(members::email.eq(email))
        .select(members::id)
        .first(connection)
        .optional()?;
    Ok(found.is_some())
}

pub(crate) fn all(
    connection: &mut AnyConnection,
    org: &OrgId,
) -> Result<Vec<Member>, StorageError> {
    let rows: Vec<MemberRow> = members::table
        .filter(members::org_id.eq(org.as_str()))
        .order((members::created_at, members::id))
        .select(MemberRow::as_select())
        .load(connection)?;
    rows.into_iter().map(MemberRow::read).collect()
}

/// Locks a member until the transaction ends, so that it cannot be removed. Returns `false` if there is no such
/// member.
pub(crate) fn keep(
    connection: &mut AnyConnection,
    org: &OrgId,
    member: &MemberId,
) -> Result<bool, StorageError> {
    let query = member_of!(org, member).select(members::id);
    let found: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => query.first(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => query.for_key_share().first(postgres).optional()?,
    };
    Ok(found.is_some())
}

/// Gives a member another role. The member's account, if there is one and the role is another; none where there is no
/// such member.
pub(crate) fn set_role(
    connection: &mut AnyConnection,
    org: &OrgId,
    member: &MemberId,
    role: Role,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<Option<Option<String>>, StorageError> {
    let wanted = member_of!(org, member);
    let found: Option<(String, Option<String>)> = wanted
        .select((members::role, members::account_id))
        .get_result(connection)
        .optional()?;
    let Some((before, account)) = found else {
        return Ok(None);
    };
    if before == role.as_str() {
        return Ok(Some(None));
    }
    diesel::update(wanted)
        .set(members::role.eq(role.as_str()))
        .execute(connection)?;
    let line = Line {
        event: "member.role_changed",
        subject: member.as_str(),
        detail: format!("{before} to {role}"),
    };
    note(connection, org, at, by, &line)?;
    Ok(Some(account))
}

/// Removes a member. Items assigned to the member become unassigned.
pub(crate) fn remove(
    connection: &mut AnyConnection,
    org: &OrgId,
    member: &MemberId,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    let wanted = member_of!(org, member);
    let query = wanted.select(members::email);
    let email: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => query.first(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => query.for_update().first(postgres).optional()?,
    };
    let Some(email) = email else {
        return Ok(false);
    };
    if let AnyConnection::Postgres(postgres) = connection {
        // Locks items in the same order as the completion of a run, which prevents deadlocks.
        let _kept: Vec<String> = actions::table
            .filter(actions::org_id.eq(org.as_str()))
            .filter(actions::assignee_id.eq(member.as_str()))
            .order(actions::id)
            .select(actions::id)
            .for_update()
            .load(postgres)?;
    }
    diesel::update(actions::table)
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::assignee_id.eq(member.as_str()))
        .set(actions::assignee_id.eq(None::<String>))
        .execute(connection)?;
    let account: Option<String> = wanted.select(members::account_id).get_result(connection)?;
    diesel::delete(wanted).execute(connection)?;
    if let Some(account) = account {
        account_access::leave(connection, org, &account)?;
    }
    let line = Line {
        event: "member.removed",
        subject: member.as_str(),
        detail: email,
    };
    note(connection, org, at, by, &line)?;
    Ok(true)
}

/// Changes a member, unless the organization would lose its last administrator who can sign in. The lock on the
/// organization keeps two changes from being judged at once.
pub(crate) fn change(
    connection: &mut AnyConnection,
    (org, member): (&OrgId, &MemberId),
    change: MemberChange,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<Result<(), MemberNotChanged>, StorageError> {
    if !orgs::lock(connection, org)? {
        return Ok(Err(MemberNotChanged::NoMember));
    }
    let found: Option<(String, Option<String>)> = member_of!(org, member)
        .select((members::role, members::account_id))
        .get_result(connection)
        .optional()?;
    let Some((role, account)) = found else {
        return Ok(Err(MemberNotChanged::NoMember));
    };
    let before = known("role", &role, role.parse().ok())?;
    let others: i64 = members::table
        .filter(members::org_id.eq(org.as_str()))
        .filter(members::id.ne(member.as_str()))
        .filter(members::role.eq(Role::Admin.as_str()))
        .filter(members::account_id.is_not_null())
        .count()
        .get_result(connection)?;
    let others = u64::try_from(others).unwrap_or_default();
    if change.removes_last_administrator(before, account.is_some(), others) {
        return Ok(Err(MemberNotChanged::LastAdministrator));
    }
    match change {
        MemberChange::Role(after) if after == before => {}
        MemberChange::Role(after) => {
            set_role(connection, org, member, after, at, by)?;
            if let Some(account) = account {
                account_access::end_sessions(connection, org, &account)?;
            }
        }
        MemberChange::Removal => {
            remove(connection, org, member, at, by)?;
        }
    }
    Ok(Ok(()))
}
