//! Removal of runs, with their reports, past their retention period or beyond the storage limit.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::ports::Removed;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{reports, runs};
use crate::database::values::stored_time;
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;
use crate::stores::remove_runs::{RUNS_A_STEP, remove_each};
use crate::stores::stored_bytes;

/// Maximum clock skew between processes.
const CLOCKS_APART: TimeDelta = TimeDelta::days(1);
/// The audit log event for runs removed because of the storage limit.
const REMOVED_FOR_STORAGE: &str = "runs.removed_for_storage";

diesel::alias!(
    runs as later_runs: LaterRuns,
    reports as own_reports: OwnReports,
    reports as other_reports: OtherReports,
    reports as later_reports: LaterReports,
);

/// Runs of an organization that ended before a time, oldest first. Two runs of each site are excluded: the one
/// that was started last, and the one with the latest report.
macro_rules! old_runs {
    ($org:expr, $before:expr) => {{
        let before = stored_time($before);
        let later_run = later_runs
            .filter(later_runs.field(runs::org_id).eq(runs::org_id))
            .filter(later_runs.field(runs::site_id).eq(runs::site_id))
            .filter(later_runs.field(runs::hidden).eq(false))
            .filter(
                later_runs
                    .field(runs::created_at)
                    .gt(runs::created_at)
                    .or(later_runs
                        .field(runs::created_at)
                        .eq(runs::created_at)
                        .and(later_runs.field(runs::id).gt(runs::id))),
            );
        let own_report = own_reports.filter(own_reports.field(reports::run_id).eq(runs::id));
        let later_report = other_reports
            .inner_join(
                later_reports.on(later_reports
                    .field(reports::org_id)
                    .eq(other_reports.field(reports::org_id))
                    .and(
                        later_reports
                            .field(reports::site_id)
                            .eq(other_reports.field(reports::site_id)),
                    )),
            )
            .filter(other_reports.field(reports::run_id).eq(runs::id))
            .filter(
                later_reports
                    .field(reports::created_at)
                    .gt(other_reports.field(reports::created_at))
                    .or(later_reports
                        .field(reports::created_at)
                        .eq(other_reports.field(reports::created_at))
                        .and(
                            later_reports
                                .field(reports::run_id)
                                .gt(other_reports.field(reports::run_id)),
                        )),
            );
        runs::table
            .filter(runs::org_id.eq($org.as_str()))
            .filter(runs::hidden.eq(false))
            // Implied by the next condition; it bounds the index range scan.
            .filter(runs::created_at.lt(before))
            .filter(runs::finished_at.lt(before))
            .filter(exists(later_run))
            .filter(not(exists(own_report)).or(exists(later_report)))
            .order((runs::created_at, runs::id))
            .select(runs::id)
    }};
}

/// Whether there is anything to remove.
pub(super) fn is_any(
    connection: &mut AnyConnection,
    org: &OrgId,
    before: DateTime<Utc>,
) -> Result<bool, StorageError> {
    let first: Option<String> = old_runs!(org, before).first(connection).optional()?;
    Ok(first.is_some() || !hidden(connection, org)?.is_empty())
}

/// Removes about `rows` rows.
pub(super) fn remove(
    connection: &mut AnyConnection,
    org: &OrgId,
    before: DateTime<Utc>,
    rows: u32,
) -> Result<Removed, StorageError> {
    let begun = hidden(connection, org)?;
    if !begun.is_empty() {
        let removed = remove_each(connection, begun, rows)?;
        return Ok(Removed {
            is_all: false,
            ..removed
        });
    }
    let old: Vec<String> = old_runs!(org, before).limit(RUNS_A_STEP).load(connection)?;
    remove_each(connection, old, rows)
}

/// Returns the oldest removable runs that use storage, with their sizes: as many as bring an organization below
/// a number of bytes.
pub(super) fn beyond(
    connection: &mut AnyConnection,
    org: &OrgId,
    bytes: u64,
    now: DateTime<Utc>,
) -> Result<Vec<String>, StorageError> {
    let used = stored_bytes::load(connection, org)?;
    if used <= bytes {
        return Ok(Vec::new());
    }
    // Also runs that ended by a clock that was slightly ahead.
    let before = now.checked_add_signed(CLOCKS_APART).unwrap_or(now);
    let oldest: Vec<(String, i64)> = old_runs!(org, before)
        .filter(runs::stored_bytes.gt(0))
        .limit(RUNS_A_STEP)
        .select((runs::id, runs::stored_bytes))
        .load(connection)?;
    let mut left = used;
    let mut chosen = Vec::new();
    for (run, takes) in oldest {
        if left <= bytes {
            break;
        }
        left = left.saturating_sub(u64::try_from(takes).unwrap_or_default());
        chosen.push(run);
    }
    Ok(chosen)
}

/// Whether runs must be removed because of the storage limit, or a removal is incomplete.
pub(super) fn is_any_beyond(
    connection: &mut AnyConnection,
    org: &OrgId,
    bytes: u64,
    now: DateTime<Utc>,
) -> Result<bool, StorageError> {
    Ok(!beyond(connection, org, bytes, now)?.is_empty() || !hidden(connection, org)?.is_empty())
}

/// Removes about `rows` rows of the oldest runs of an organization that exceeds its storage limit.
pub(super) fn remove_beyond(
    connection: &mut AnyConnection,
    org: &OrgId,
    bytes: u64,
    now: DateTime<Utc>,
    rows: u32,
) -> Result<Removed, StorageError> {
    let begun = hidden(connection, org)?;
    if !begun.is_empty() {
        let removed = remove_each(connection, begun, rows)?;
        return Ok(Removed {
            is_all: false,
            ..removed
        });
    }
    // The lock prevents two processes from choosing twice as many runs.
    if !orgs::lock(connection, org)? {
        return Ok(super::NOTHING);
    }
    let before = stored_bytes::load(connection, org)?;
    let chosen = beyond(connection, org, bytes, now)?;
    let removed = remove_each(connection, chosen, rows)?;
    let freed = before.saturating_sub(stored_bytes::load(connection, org)?);
    if freed > 0 {
        let line = Line {
            event: REMOVED_FOR_STORAGE,
            subject: org.as_str(),
            detail: format!("{freed} of {before} bytes, because the plan allows {bytes}"),
        };
        note(connection, org, now, &Actor::System, &line)?;
    }
    Ok(Removed {
        is_all: !is_any_beyond(connection, org, bytes, now)?,
        ..removed
    })
}

/// Runs that are hidden because their removal has begun and is incomplete.
fn hidden(connection: &mut AnyConnection, org: &OrgId) -> Result<Vec<String>, StorageError> {
    Ok(runs::table
        .filter(runs::org_id.eq(org.as_str()))
        // The same condition as the partial index.
        .filter(runs::hidden)
        .order(runs::id)
        .limit(RUNS_A_STEP)
        .select(runs::id)
        .load(connection)?)
}
