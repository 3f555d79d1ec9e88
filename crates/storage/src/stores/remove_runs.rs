//! Removal of runs with their reports, in small batches.

use diesel::prelude::*;
use domain::id::{OrgId, SiteId};
use domain::ports::Removed;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{issues, reports, runs};
use crate::stores::artifacts;
use crate::stores::reports::written;
use crate::stores::stored_bytes;

/// Maximum runs selected for one step.
pub(crate) const RUNS_A_STEP: i64 = 100;

/// Removes about `rows` rows of a site's ended runs, including the latest run.
pub(crate) fn remove_ended(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
    rows: u32,
) -> Result<Removed, StorageError> {
    let ended: Vec<String> = runs::table
        .filter(runs::org_id.eq(org.as_str()))
        .filter(runs::site_id.eq(site.as_str()))
        .filter(runs::finished_at.is_not_null())
        .order((runs::created_at, runs::id))
        .limit(RUNS_A_STEP)
        .select(runs::id)
        .load(connection)?;
    remove_each(connection, ended, rows)
}

/// Removes runs one after the other, until about `rows` rows are removed. A run and its report are hidden from
/// readers before the first row is removed.
pub(crate) fn remove_each(
    connection: &mut AnyConnection,
    of: Vec<String>,
    rows: u32,
) -> Result<Removed, StorageError> {
    let found = of.len();
    let (mut left, mut count) = (i64::from(rows.max(1)), 0);
    for run in of {
        left -= hide(connection, &run)?;
        left -= remove_contents(connection, &run, left)?;
        if left <= 0 {
            break;
        }
        let removed = diesel::delete(runs::table.find(&run)).execute(connection)?;
        count += u64::try_from(removed).unwrap_or_default();
        left -= 1;
    }
    let whole = usize::try_from(count).unwrap_or(usize::MAX);
    Ok(Removed {
        count,
        is_all: whole >= found && i64::try_from(found).is_ok_and(|found| found < RUNS_A_STEP),
    })
}

/// Hides a run: removes its report and its issues, at most one for each check. Returns how many rows were
/// removed.
fn hide(connection: &mut AnyConnection, run: &str) -> Result<i64, StorageError> {
    let report = reports::table
        .filter(reports::run_id.eq(run))
        .select(reports::id);
    let of_report = issues::table.filter(issues::report_id.eq_any(report));
    let mut gone = diesel::delete(of_report).execute(connection)?;
    gone += diesel::delete(reports::table.filter(reports::run_id.eq(run))).execute(connection)?;
    stored_bytes::uncount(connection, run)?;
    artifacts::expire_all(connection, run)?;
    diesel::update(runs::table.find(run))
        .set(runs::hidden.eq(true))
        .execute(connection)?;
    Ok(i64::try_from(gone).unwrap_or(i64::MAX))
}

/// Removes the bulk data of a run: causes, occurrences, pages and links. Returns how many rows were removed; if that is
/// the maximum, there may be more.
fn remove_contents(
    connection: &mut AnyConnection,
    run: &str,
    most: i64,
) -> Result<i64, StorageError> {
    if most <= 0 {
        return Ok(0);
    }
    written::remove_some(connection, run, most)
}
