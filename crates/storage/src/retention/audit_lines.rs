//! Retention of audit log lines.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::id::OrgId;
use domain::ports::Removed;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{audit_log, audit_log_trims};
use crate::database::values::stored_time;
use crate::stores::orgs;

/// Returns the numbers and times of the oldest lines, in the order in which they were written.
fn oldest(
    connection: &mut AnyConnection,
    org: &OrgId,
    most: i64,
) -> Result<Vec<(i64, NaiveDateTime)>, StorageError> {
    Ok(audit_log::table
        .filter(audit_log::org_id.eq(org.as_str()))
        .order(audit_log::seq)
        .limit(most)
        .select((audit_log::seq, audit_log::at))
        .load(connection)?)
}

/// Whether the oldest line is past its retention period.
pub(super) fn is_any(
    connection: &mut AnyConnection,
    org: &OrgId,
    before: DateTime<Utc>,
) -> Result<bool, StorageError> {
    let first = oldest(connection, org, 1)?;
    Ok(first.iter().any(|(_, at)| *at < stored_time(before)))
}

/// Removes the oldest lines, up to the first one within the retention period. Later lines stay with it, even
/// if a clock change makes them look older.
pub(super) fn remove(
    connection: &mut AnyConnection,
    org: &OrgId,
    before: DateTime<Utc>,
    rows: u32,
) -> Result<Removed, StorageError> {
    if !orgs::lock(connection, org)? {
        return Ok(super::NOTHING);
    }
    let before = stored_time(before);
    // One extra row shows whether there are more.
    let lines = oldest(connection, org, i64::from(rows.max(1)) + 1)?;
    let old = lines.iter().take_while(|(_, at)| *at < before).count();
    let rows = usize::try_from(rows.max(1)).unwrap_or(usize::MAX);
    let Some((last, _)) = lines.iter().take(old.min(rows)).next_back() else {
        return Ok(super::NOTHING);
    };
    // A database trigger rejects the removal of lines that are not older than this mark.
    mark(connection, org, before)?;
    let removed = diesel::delete(audit_log::table)
        .filter(audit_log::org_id.eq(org.as_str()))
        .filter(audit_log::seq.le(last))
        .execute(connection)?;
    Ok(Removed {
        count: u64::try_from(removed).unwrap_or(u64::MAX),
        is_all: old <= rows,
    })
}

/// Records the time up to which the log was removed. It never moves back.
fn mark(
    connection: &mut AnyConnection,
    org: &OrgId,
    before: NaiveDateTime,
) -> Result<(), StorageError> {
    let marked: Option<NaiveDateTime> = audit_log_trims::table
        .find(org.as_str())
        .select(audit_log_trims::trimmed_before)
        .get_result(connection)
        .optional()?;
    match marked {
        Some(marked) if marked >= before => {}
        Some(_) => {
            diesel::update(audit_log_trims::table.find(org.as_str()))
                .set(audit_log_trims::trimmed_before.eq(before))
                .execute(connection)?;
        }
        None => {
            diesel::insert_into(audit_log_trims::table)
                .values((
                    audit_log_trims::org_id.eq(org.as_str()),
                    audit_log_trims::trimmed_before.eq(before),
                ))
                .execute(connection)?;
        }
    }
    Ok(())
}
