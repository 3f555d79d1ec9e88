//! Claiming a run.

use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::id::{OrgId, RunId, SiteId};
use domain::ports::{Claim, QueueRules, WorkerId};
use domain::run::{RunError, RunStatus};

use super::end;
use super::jobs::RUN;
use crate::connection::AnyConnection;
use crate::error::Fault;
use crate::options::options_from_json;
use crate::schema::{jobs, runs};
use crate::secret::{Place, SecretKey, open};
use crate::values::{known, number, stored_time};

/// Runs that one claim ends at most because their rows cannot be read.
const UNREADABLE_AT_MOST: usize = 100;

/// Jobs that may be claimed: nobody holds them, and they have attempts left.
macro_rules! claimable {
    ($rules:expr, $now:expr) => {{
        let now = stored_time($now);
        jobs::table
            .filter(jobs::kind.eq(RUN))
            .filter(jobs::available_at.le(now))
            .filter(
                jobs::lease_expires_at
                    .is_null()
                    .or(jobs::lease_expires_at.le(now)),
            )
            .filter(jobs::attempts.lt(i64::from($rules.max_attempts)))
    }};
}

/// Whether there is anything to claim.
pub(super) fn is_any(
    connection: &mut AnyConnection,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<bool, Fault> {
    Ok(diesel::select(exists(claimable!(rules, now))).get_result(connection)?)
}

/// Claims the run that has waited longest. Runs before it whose rows cannot be read are ended as
/// failed, so that they do not keep the others waiting.
pub(super) fn claim(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    worker: &WorkerId,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Option<Claim>, Fault> {
    for _ in 0..UNREADABLE_AT_MOST {
        let Some((job_id, run_id, epoch, attempts)) = lock_oldest(connection, rules, now)? else {
            return Ok(None);
        };
        let claimed = Claimed {
            epoch: epoch + 1,
            attempt: attempts + 1,
            deadline_at: now + rules.deadline,
        };
        lease(connection, &job_id, worker, &claimed, now + rules.lease)?;
        mark_running(connection, &run_id, now)?;
        let row: RunToDo = runs::table
            .find(&run_id)
            .select(RunToDo::as_select())
            .first(connection)?;
        // Reading asks nothing of the database, so the transaction can go on after an error.
        match claimed.read(key, &run_id, row) {
            Err(Fault::Failed(why)) => {
                end_unreadable(connection, &job_id, &run_id, &why, now)?;
            }
            read => return read.map(Some),
        }
    }
    Ok(None)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = runs)]
struct RunToDo {
    org_id: String,
    site_id: String,
    url: String,
    options: String,
    sealed_headers: Option<String>,
}

/// What a claim makes of a job.
struct Claimed {
    epoch: i64,
    attempt: i64,
    deadline_at: DateTime<Utc>,
}

impl Claimed {
    fn read(&self, key: Option<&SecretKey>, run_id: &str, row: RunToDo) -> Result<Claim, Fault> {
        let org_id = known("organization", &row.org_id, OrgId::parse(&row.org_id))?;
        let site_id = known("site", &row.site_id, SiteId::parse(&row.site_id))?;
        let run = known("run", run_id, RunId::parse(run_id))?;
        let mut options = options_from_json(&row.options)?;
        if !options.headers.is_empty() {
            let sealed = known("run without its headers", run_id, row.sealed_headers)?;
            options.headers = open(key, Place::Run(&org_id, &run), &sealed)?;
        }
        Ok(Claim {
            run_id: run,
            org_id,
            site_id,
            url: row.url,
            options,
            epoch: number("epoch", self.epoch)?,
            attempt: number("attempt", self.attempt)?,
            deadline_at: stored_time(self.deadline_at).and_utc(),
        })
    }
}

fn lease(
    connection: &mut AnyConnection,
    job_id: &str,
    worker: &WorkerId,
    claimed: &Claimed,
    until: DateTime<Utc>,
) -> Result<(), Fault> {
    diesel::update(jobs::table.find(job_id))
        .set((
            jobs::epoch.eq(claimed.epoch),
            jobs::attempts.eq(claimed.attempt),
            jobs::lease_owner.eq(&worker.0),
            jobs::lease_expires_at.eq(stored_time(until)),
            jobs::deadline_at.eq(stored_time(claimed.deadline_at)),
        ))
        .execute(connection)?;
    Ok(())
}

fn end_unreadable(
    connection: &mut AnyConnection,
    job_id: &str,
    run_id: &str,
    why: &str,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    tracing::error!(
        run.id = run_id,
        error = why,
        "a run that cannot be read is ended"
    );
    diesel::delete(jobs::table.find(job_id)).execute(connection)?;
    end::fail(connection, run_id, &RunError::internal(), now)
}

/// Id, run, epoch and attempts of the job that has waited longest, kept to this transaction. On
/// PostgreSQL those that others are just claiming are passed over.
fn lock_oldest(
    connection: &mut AnyConnection,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Option<(String, String, i64, i64)>, Fault> {
    let oldest = claimable!(rules, now)
        .order((jobs::queued_at, jobs::id))
        .limit(1)
        .select((jobs::id, jobs::subject_id, jobs::epoch, jobs::attempts));
    let found = match connection {
        AnyConnection::Sqlite(sqlite) => oldest.first(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => oldest
            .for_update()
            .skip_locked()
            .first(postgres)
            .optional()?,
    };
    Ok(found)
}

/// A run that was running before keeps the time of its first claim.
fn mark_running(
    connection: &mut AnyConnection,
    run_id: &str,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    diesel::update(runs::table.find(run_id))
        .filter(runs::status.eq(RunStatus::Queued.as_str()))
        .set((
            runs::status.eq(RunStatus::Running.as_str()),
            runs::started_at.eq(stored_time(now)),
        ))
        .execute(connection)?;
    Ok(())
}
