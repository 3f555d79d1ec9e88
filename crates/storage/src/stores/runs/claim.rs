//! Claiming a run.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::id::{OrgId, RunId, SiteId};
use domain::ports::{Claim, JobKind, QueueRules, WorkerId};
use domain::run::{RunError, RunStatus};

use super::end;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::key_check::is_ours;
use crate::database::schema::{jobs, runs};
use crate::database::secret::{SealContext, SecretKey, open};
use crate::database::values::{known, number, stored_time};
use crate::queue::Now;
use crate::queue::fairness;
use crate::queue::lease::{self, Taken, is_free};
use crate::queue::suspects::{self, Offer};
use crate::stores::options::options_from_json;

/// Maximum unreadable runs that one claim ends.
const UNREADABLE_AT_MOST: usize = 100;

/// Claims the next run in fair order. Runs before it whose rows cannot be read are ended as failed, so that they
/// do not block the queue. If the key of the process is not the key of the database, the claim fails at the first
/// run with headers.
pub(super) fn claim(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    worker: &WorkerId,
    rules: &QueueRules,
    now: Now,
) -> Result<Option<Claim>, StorageError> {
    let number = fairness::next_ticket(connection)?;
    for _ in 0..UNREADABLE_AT_MOST {
        let Some(job) = lock_next(connection, worker, rules, now.lease)? else {
            return Ok(None);
        };
        let claimed = Claimed {
            epoch: job.epoch + 1,
            attempt: job.attempts + 1,
            alone: job.is_suspect(),
            crashes: job.crashes,
            interruptions: job.interruptions + i64::from(job.was_held()),
            deadline_at: now.lease + rules.deadline,
        };
        let (job_id, run_id) = (job.id, job.subject_id);
        let taken = Taken {
            epoch: claimed.epoch,
            attempts: job.attempts,
            interruptions: claimed.interruptions,
            suspect: claimed.alone,
            until: now.lease + rules.lease,
            deadline_at: Some(claimed.deadline_at),
        };
        lease::take(connection, &job_id, worker, &taken)?;
        fairness::note(connection, &job.org_id, number)?;
        mark_running(connection, &run_id, now.shown)?;
        let row: RunToDo = runs::table
            .find(&run_id)
            .select(RunToDo::as_select())
            .get_result(connection)?;
        // The conversion runs no query, so the transaction can continue after an error.
        let why = match claimed.read(key, &run_id, row) {
            Err(StorageError::Failed(why)) => why,
            // If the key is wrong and the row is intact, other processes can read it.
            Err(StorageError::Sealed(why)) if is_ours(connection, key)? => why.to_owned(),
            read => return read.map(Some),
        };
        end_unreadable(connection, &job_id, &run_id, &why, now.shown)?;
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

/// A claimed job and its lease.
struct Claimed {
    epoch: i64,
    attempt: i64,
    alone: bool,
    crashes: i64,
    interruptions: i64,
    deadline_at: DateTime<Utc>,
}

impl Claimed {
    fn read(
        &self,
        key: Option<&SecretKey>,
        run_id: &str,
        row: RunToDo,
    ) -> Result<Claim, StorageError> {
        let org_id = known("organization", &row.org_id, OrgId::parse(&row.org_id))?;
        let site_id = known("site", &row.site_id, SiteId::parse(&row.site_id))?;
        let run = known("run", run_id, RunId::parse(run_id))?;
        let mut options = options_from_json(&row.options)?;
        if !options.headers.is_empty() {
            let sealed = known("run without its headers", run_id, row.sealed_headers)?;
            options.headers = open(key, SealContext::Run(&org_id, &run), &sealed)?;
        }
        Ok(Claim {
            run_id: run,
            org_id,
            site_id,
            url: row.url,
            options,
            epoch: number("epoch", self.epoch)?,
            attempt: number("attempt", self.attempt)?,
            alone: self.alone,
            crashes: number("number of crashes", self.crashes)?,
            deadline_at: stored_time(self.deadline_at).and_utc(),
        })
    }
}

fn end_unreadable(
    connection: &mut AnyConnection,
    job_id: &str,
    run_id: &str,
    why: &str,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    tracing::error!(run.id = run_id, error = why, "unreadable run ended");
    diesel::delete(jobs::table.find(job_id)).execute(connection)?;
    end::fail(connection, run_id, &RunError::internal(), now)
}

/// A claimable job.
#[derive(Queryable, Selectable)]
#[diesel(table_name = jobs)]
struct Waiting {
    id: String,
    subject_id: String,
    org_id: String,
    epoch: i64,
    attempts: i64,
    lease_owner: Option<String>,
    suspect: bool,
    crashes: i64,
    interruptions: i64,
}

impl Waiting {
    /// Whether the previous worker did not hand it back: its lease expired.
    const fn was_held(&self) -> bool {
        self.lease_owner.is_some()
    }

    const fn is_suspect(&self) -> bool {
        self.suspect || self.was_held()
    }
}

/// Returns the next job in fair order, locked until the transaction ends. PostgreSQL skips jobs that other
/// transactions are ending.
fn lock_next(
    connection: &mut AnyConnection,
    worker: &WorkerId,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Option<Waiting>, StorageError> {
    match suspects::offer(connection, worker, rules, now)? {
        Offer::Nothing => return Ok(None),
        Offer::Suspects(suspects) => {
            for job in suspects {
                if let Some(job) = lock(connection, &job, now)? {
                    return Ok(Some(job));
                }
            }
        }
        Offer::Others => {}
    }
    for org in fairness::next(connection, worker, rules, now)? {
        if let Some(job) = lock_oldest(connection, &org, worker, rules, now)? {
            return Ok(Some(job));
        }
    }
    Ok(None)
}

/// Locks a job without a live lease until the transaction ends; `None` if another transaction is ending it, or
/// its lease was renewed meanwhile.
fn lock(
    connection: &mut AnyConnection,
    job: &str,
    now: DateTime<Utc>,
) -> Result<Option<Waiting>, StorageError> {
    let now = stored_time(now);
    let free = jobs::table.filter(jobs::id.eq(job)).filter(is_free!(now));
    let found = match connection {
        AnyConnection::Sqlite(sqlite) => free.select(Waiting::as_select()).get_result(sqlite),
        AnyConnection::Postgres(postgres) => free
            .select(Waiting::as_select())
            .for_update()
            .skip_locked()
            .get_result(postgres),
    };
    Ok(found.optional()?)
}

/// The longest-waiting job of an organization that has no live lease, is not a suspect, has attempts left, and
/// whose host no other process audits.
macro_rules! oldest {
    ($org:expr, $worker:expr, $rules:expr, $now:expr) => {{
        let taken = diesel::alias!(jobs as taken);
        let hosts_of_others = fairness::hosts_of_others!(taken, $worker, $rules, $now);
        jobs::table
            .filter(jobs::kind.eq(JobKind::Run.as_str()))
            .filter(jobs::org_id.eq($org))
            .filter(jobs::lease_owner.is_null())
            .filter(jobs::suspect.eq(false))
            .filter(jobs::attempts.lt(i64::from($rules.max_attempts)))
            .filter(jobs::host.ne_all(hosts_of_others))
            .filter(fairness::is_taken_mode!($rules))
            .order((jobs::queued_at, jobs::id))
            .limit(1)
            .select(Waiting::as_select())
    }};
}

fn lock_oldest(
    connection: &mut AnyConnection,
    org: &str,
    worker: &WorkerId,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Option<Waiting>, StorageError> {
    let now = stored_time(now);
    let found = match connection {
        AnyConnection::Sqlite(sqlite) => oldest!(org, worker, rules, now).first(sqlite),
        AnyConnection::Postgres(postgres) => oldest!(org, worker, rules, now)
            .for_update()
            .skip_locked()
            .first(postgres),
    };
    Ok(found.optional()?)
}

/// A run that was already running keeps the time of its first claim.
fn mark_running(
    connection: &mut AnyConnection,
    run_id: &str,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    diesel::update(runs::table.find(run_id))
        .filter(runs::status.eq(RunStatus::Queued.as_str()))
        .set((
            runs::status.eq(RunStatus::Running.as_str()),
            runs::started_at.eq(stored_time(now)),
        ))
        .execute(connection)?;
    Ok(())
}
