//! How runs end. The same transaction has already removed the job. However a run ends, the values of its headers
//! are erased.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::FailureCode;
use domain::id::{OrgId, RunId};
use domain::plan::Period;
use domain::ports::{Claim, JobKind};
use domain::run::{RunError, RunProgress, RunStatus};

use super::progress;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{jobs, runs};
use crate::database::values::{storable, stored_time};
use crate::stores::outbox;
use crate::stores::rendered_pages::{self, Counts};
use crate::stores::reports::written;
use crate::stores::usage;

/// Marks the run completed.
pub(crate) fn complete(
    connection: &mut AnyConnection,
    claim: &Claim,
    progress: &RunProgress,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    progress::store(connection, claim, progress)?;
    let completed = diesel::update(runs::table.find(claim.run_id.as_str()))
        .filter(runs::status.eq(RunStatus::Running.as_str()))
        .set((
            runs::status.eq(RunStatus::Completed.as_str()),
            runs::finished_at.eq(stored_time(now)),
            runs::sealed_headers.eq(None::<String>),
        ))
        .execute(connection)?;
    was_running(completed, claim.run_id.as_str())?;
    rendered_pages::settle(connection, claim.run_id.as_str(), Counts::Rendered)
}

/// Marks a run failed, and removes its causes, occurrences, pages and links. The run is not counted if the failure is
/// internal.
pub(crate) fn fail(
    connection: &mut AnyConnection,
    run_id: &str,
    error: &RunError,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    let failed = diesel::update(runs::table.find(run_id))
        .filter(runs::status.eq(RunStatus::Running.as_str()))
        .set((
            runs::status.eq(RunStatus::Failed.as_str()),
            runs::finished_at.eq(stored_time(now)),
            runs::seconds_left.eq(None::<i64>),
            runs::error_code.eq(error.code.as_str()),
            runs::error_message.eq(storable(&error.message)),
            runs::sealed_headers.eq(None::<String>),
        ))
        .execute(connection)?;
    was_running(failed, run_id)?;
    written::remove_all(connection, run_id)?;
    let is_internal = error.code == FailureCode::Internal;
    if is_internal {
        let (org, created_at): (String, NaiveDateTime) = runs::table
            .find(run_id)
            .select((runs::org_id, runs::created_at))
            .get_result(connection)?;
        usage::take_run_back(connection, &org, Period::containing(created_at.and_utc()))?;
    }
    outbox::publish_failed(connection, run_id, error, now)?;
    let counts = if is_internal {
        Counts::Nothing
    } else {
        Counts::Rendered
    };
    rendered_pages::settle(connection, run_id, counts)
}

/// Removes an unfinished run from the queue, marks it cancelled, and removes its causes, occurrences, pages and links.
/// Returns `false` if it has ended, or the organization has no such run.
pub(crate) fn cancel(
    connection: &mut AnyConnection,
    org: &OrgId,
    run: &RunId,
    now: DateTime<Utc>,
) -> Result<bool, StorageError> {
    // As with every other end of a run, the transaction that removes the job ends the run.
    let removed = diesel::delete(jobs::table)
        .filter(jobs::kind.eq(JobKind::Run.as_str()))
        .filter(jobs::subject_id.eq(run.as_str()))
        .filter(jobs::org_id.eq(org.as_str()))
        .execute(connection)?;
    if removed == 0 {
        return Ok(false);
    }
    let under_way = [RunStatus::Queued.as_str(), RunStatus::Running.as_str()];
    let cancelled = diesel::update(runs::table.find(run.as_str()))
        .filter(runs::status.eq_any(under_way))
        .set((
            runs::status.eq(RunStatus::Cancelled.as_str()),
            runs::seconds_left.eq(None::<i64>),
            runs::finished_at.eq(stored_time(now)),
            runs::sealed_headers.eq(None::<String>),
        ))
        .execute(connection)?;
    was_running(cancelled, run.as_str())?;
    written::remove_all(connection, run.as_str())?;
    rendered_pages::settle(connection, run.as_str(), Counts::Rendered)?;
    Ok(true)
}

/// Checks that the job's run was running. Anything else would end a run twice.
fn was_running(changed: usize, run_id: &str) -> Result<(), StorageError> {
    match changed {
        1 => Ok(()),
        _ => Err(StorageError::Failed(format!(
            "{run_id} had a job but was not running"
        ))),
    }
}
