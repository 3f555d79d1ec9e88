//! The audit log.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::{Actor, AuditEntry};
use domain::id::OrgId;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::audit_log;
use crate::database::values::{storable, stored_time};

/// The content of a line.
pub(crate) struct Line<'a> {
    pub(crate) event: &'a str,
    pub(crate) subject: &'a str,
    pub(crate) detail: String,
}

/// Adds a line, in the transaction of the change that it records.
pub(crate) fn note(
    connection: &mut AnyConnection,
    org: &OrgId,
    at: DateTime<Utc>,
    by: &Actor,
    line: &Line<'_>,
) -> Result<(), StorageError> {
    diesel::insert_into(audit_log::table)
        .values((
            audit_log::org_id.eq(org.as_str()),
            audit_log::at.eq(stored_time(at)),
            audit_log::actor.eq(by.as_str()),
            audit_log::event.eq(line.event),
            audit_log::subject.eq(line.subject),
            audit_log::detail.eq(storable(&line.detail)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Returns all lines of an organization, in the order in which they were written.
pub(crate) fn lines(
    connection: &mut AnyConnection,
    org: &OrgId,
) -> Result<Vec<AuditEntry>, StorageError> {
    type Row = (NaiveDateTime, String, String, String, String);
    let rows: Vec<Row> = audit_log::table
        .filter(audit_log::org_id.eq(org.as_str()))
        .order(audit_log::seq)
        .select((
            audit_log::at,
            audit_log::actor,
            audit_log::event,
            audit_log::subject,
            audit_log::detail,
        ))
        .load(connection)?;
    Ok(rows
        .into_iter()
        .map(|(at, actor, event, subject, detail)| AuditEntry {
            at: at.and_utc(),
            actor,
            event,
            subject,
            detail,
        })
        .collect())
}
