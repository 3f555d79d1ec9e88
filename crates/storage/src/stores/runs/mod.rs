//! Runs: started, claimed, looked up, cancelled and ended.

mod claim;
pub(crate) mod end;
pub(crate) mod progress;
mod queue;
pub(crate) mod start;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::id::{OrgId, RunId};
use domain::idempotency::{Idempotent, IdempotentWrite};
use domain::ports::{
    CancelRunError, Cancellation, NewRun, RunPage, RunStore, StartRunError, StartedRun, StoreError,
};
use domain::run::{Run, RunCursor, RunFilter, RunStatus};

use crate::database::Database;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::failpoint::point;
use crate::database::schema::{reports, runs};
use crate::database::values::stored_time;
use crate::stores::idempotency;
use crate::stores::rows::RunRow;
use crate::stores::site_rows;
use start::start_run;

impl RunStore for Database {
    fn start_run(&self, org: &OrgId, run: &NewRun) -> Result<StartedRun, StartRunError> {
        self.write(|connection| start_run(connection, self.secret(), org, run))?
    }

    fn start_run_once(
        &self,
        org: &OrgId,
        run: &NewRun,
        once: &IdempotentWrite<'_, StartedRun>,
    ) -> Result<Idempotent<StartedRun>, StartRunError> {
        self.write(|connection| {
            idempotency::once(connection, org, Some(once), |connection| {
                start_run(connection, self.secret(), org, run)
            })
        })?
    }

    fn run(&self, org: &OrgId, run: &RunId) -> Result<Option<Run>, StoreError> {
        Ok(self.read(|connection| find(connection, org, run))?)
    }

    fn runs(
        &self,
        org: &OrgId,
        filter: &RunFilter,
        after: Option<&RunCursor>,
        limit: u32,
    ) -> Result<Option<RunPage>, StoreError> {
        Ok(self.read(|connection| {
            if let Some(site) = &filter.site_id
                && !site_rows::is_there(connection, org, site)?
            {
                return Ok(None);
            }
            page(connection, org, filter, after, limit).map(Some)
        })?)
    }

    fn cancel_run(
        &self,
        org: &OrgId,
        run: &RunId,
        now: DateTime<Utc>,
    ) -> Result<Option<Cancellation>, StoreError> {
        Ok(self.write(|connection| cancel(connection, org, run, now))?)
    }

    fn cancel_run_once(
        &self,
        org: &OrgId,
        run: &RunId,
        now: DateTime<Utc>,
        once: &IdempotentWrite<'_, Cancellation>,
    ) -> Result<Idempotent<Cancellation>, CancelRunError> {
        self.write(|connection| {
            idempotency::once(connection, org, Some(once), |connection| {
                Ok(Cancellation::accepted(cancel(connection, org, run, now)?))
            })
        })?
    }
}

fn cancel(
    connection: &mut AnyConnection,
    org: &OrgId,
    run: &RunId,
    now: DateTime<Utc>,
) -> Result<Option<Cancellation>, StorageError> {
    let is_cancelled = end::cancel(connection, org, run, now)?;
    point!("cancel-written");
    let Some(run) = find(connection, org, run)? else {
        return Ok(None);
    };
    match run.state.status() {
        RunStatus::Cancelled if is_cancelled => Ok(Some(Cancellation::Done(run))),
        RunStatus::Cancelled => Ok(Some(Cancellation::Before(run))),
        ended @ (RunStatus::Completed | RunStatus::Failed) => {
            Ok(Some(Cancellation::TooLate(ended)))
        }
        RunStatus::Queued | RunStatus::Running => Err(StorageError::Failed(format!(
            "{} has not ended but has no job",
            run.id
        ))),
    }
}

fn find(
    connection: &mut AnyConnection,
    org: &OrgId,
    run: &RunId,
) -> Result<Option<Run>, StorageError> {
    // Clients that wait for a run poll this query, so it bypasses `AnyConnection`: see `on_either`.
    let found: Option<(RunRow, Option<String>)> = on_either!(connection, inner => runs::table
        .left_join(reports::table.on(reports::run_id.eq(runs::id)))
        .filter(runs::id.eq(run.as_str()))
        .filter(runs::org_id.eq(org.as_str()))
        .filter(runs::hidden.eq(false))
        .select((RunRow::as_select(), reports::id.nullable()))
        .get_result(inner)
        .optional()?);
    found
        .map(|(run, report_id)| run.read(report_id.as_deref()))
        .transpose()
}

fn page(
    connection: &mut AnyConnection,
    org: &OrgId,
    filter: &RunFilter,
    after: Option<&RunCursor>,
    limit: u32,
) -> Result<RunPage, StorageError> {
    let mut query = runs::table
        .left_join(reports::table.on(reports::run_id.eq(runs::id)))
        .filter(runs::org_id.eq(org.as_str()))
        .filter(runs::hidden.eq(false))
        .order((runs::created_at.desc(), runs::id.desc()))
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select((RunRow::as_select(), reports::id.nullable()))
        .into_boxed();
    if let Some(site) = &filter.site_id {
        query = query.filter(runs::site_id.eq(site.as_str()));
    }
    if !filter.statuses.is_empty() {
        let names: Vec<_> = filter.statuses.iter().map(|known| known.as_str()).collect();
        query = query.filter(runs::status.eq_any(names));
    }
    if let Some(cursor) = after {
        let created_at = stored_time(cursor.created_at);
        let is_older = runs::created_at.lt(created_at).or(runs::created_at
            .eq(created_at)
            .and(runs::id.lt(cursor.id.as_str())));
        // Implied by the second condition; it bounds the index range scan.
        query = query.filter(runs::created_at.le(created_at).and(is_older));
    }
    let rows: Vec<(RunRow, Option<String>)> = query.load(connection)?;
    let mut runs = rows
        .into_iter()
        .map(|(run, report_id)| run.read(report_id.as_deref()))
        .collect::<Result<Vec<_>, _>>()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = runs.len() > limit;
    runs.truncate(limit);
    let last = runs.last().filter(|_| goes_on);
    Ok(RunPage {
        next: last.map(RunCursor::after),
        runs,
    })
}
