//! Claiming a run.

use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::id::{OrgId, RunId, SiteId};
use domain::ports::{Claim, QueueRules, WorkerId};
use domain::run::RunStatus;

use super::jobs::RUN;
use crate::connection::AnyConnection;
use crate::error::Fault;
use crate::runs::options_from_json;
use crate::schema::{jobs, runs};
use crate::values::{known, number, stored_time};

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

pub(super) fn claim(
    connection: &mut AnyConnection,
    worker: &WorkerId,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Option<Claim>, Fault> {
    let Some((job_id, run_id, epoch, attempts)) = lock_oldest(connection, rules, now)? else {
        return Ok(None);
    };
    let (epoch, attempts) = (epoch + 1, attempts + 1);
    let deadline_at = now + rules.deadline;
    diesel::update(jobs::table.find(&job_id))
        .set((
            jobs::epoch.eq(epoch),
            jobs::attempts.eq(attempts),
            jobs::lease_owner.eq(&worker.0),
            jobs::lease_expires_at.eq(stored_time(now + rules.lease)),
            jobs::deadline_at.eq(stored_time(deadline_at)),
        ))
        .execute(connection)?;
    mark_running(connection, &run_id, now)?;
    let (org, site, url, options): (String, String, String, String) = runs::table
        .find(&run_id)
        .select((runs::org_id, runs::site_id, runs::url, runs::options))
        .first(connection)?;
    Ok(Some(Claim {
        run_id: known("run", &run_id, RunId::parse(&run_id))?,
        org_id: known("organization", &org, OrgId::parse(&org))?,
        site_id: known("site", &site, SiteId::parse(&site))?,
        url,
        options: options_from_json(&options)?,
        epoch: number("epoch", epoch)?,
        attempt: number("attempt", attempts)?,
        deadline_at: stored_time(deadline_at).and_utc(),
    }))
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
