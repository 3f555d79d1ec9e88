//! The audit log.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::{Actor, AuditCursor, AuditEntry, AuditFilter, AuditPage};
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

type Row = (NaiveDateTime, String, String, String, String);

fn entry((at, actor, event, subject, detail): Row) -> AuditEntry {
    AuditEntry {
        at: at.and_utc(),
        actor,
        event,
        subject,
        detail,
    }
}

/// All lines of an organization, in the order they were written.
pub(crate) fn lines(
    connection: &mut AnyConnection,
    org: &OrgId,
) -> Result<Vec<AuditEntry>, StorageError> {
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
    Ok(rows.into_iter().map(entry).collect())
}

/// The newest lines of an organization that match the filter, from behind a cursor on. The indexes of the table
/// serve each filter in the order of the page.
pub(crate) fn page(
    connection: &mut AnyConnection,
    org: &OrgId,
    filter: &AuditFilter,
    before: Option<AuditCursor>,
    limit: u32,
) -> Result<AuditPage, StorageError> {
    let before = before.map_or(i64::MAX, |cursor| cursor.0);
    let mut query = audit_log::table
        .filter(audit_log::org_id.eq(org.as_str()))
        .filter(audit_log::seq.lt(before))
        .order(audit_log::seq.desc())
        // One more than is shown says whether there is another page.
        .limit(i64::from(limit) + 1)
        .select((
            audit_log::seq,
            (
                audit_log::at,
                audit_log::actor,
                audit_log::event,
                audit_log::subject,
                audit_log::detail,
            ),
        ))
        .into_boxed();
    if let Some(event) = &filter.event {
        query = query.filter(audit_log::event.eq(event));
    }
    if let Some(actor) = &filter.actor {
        query = query.filter(audit_log::actor.eq(actor));
    }
    let mut rows: Vec<(i64, Row)> = query.load(connection)?;
    let shown = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > shown;
    rows.truncate(shown);
    let last = rows.last().map(|(seq, _)| AuditCursor(*seq));
    Ok(AuditPage {
        next: last.filter(|_| has_more),
        entries: rows.into_iter().map(|(_, row)| entry(row)).collect(),
    })
}
