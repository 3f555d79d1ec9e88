//! Job kinds that are claimed in the order in which jobs become due.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::id::OrgId;
use domain::ports::{JobClaim, JobKind, WorkerId};

use super::Now;
use super::lease::{self, Taken};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{jobs, schedules};
use crate::database::values::{known, number, stored_time};

/// A claimable job.
#[derive(Queryable, Selectable)]
#[diesel(table_name = jobs)]
pub(crate) struct DueJob {
    pub(crate) id: String,
    pub(crate) subject_id: String,
    org_id: String,
    epoch: i64,
    attempts: i64,
    available_at: NaiveDateTime,
    lease_owner: Option<String>,
}

/// The claimable jobs of a kind.
macro_rules! due {
    ($kind:expr, $now:expr) => {
        $crate::database::schema::jobs::table
            .filter($crate::database::schema::jobs::kind.eq($kind.as_str()))
            .filter(
                $crate::database::schema::jobs::available_at
                    .le($crate::database::values::stored_time($now.shown)),
            )
            .filter($crate::queue::lease::is_free!(
                $crate::database::values::stored_time($now.lease)
            ))
    };
}
pub(crate) use due;

/// Whether a job of a kind is claimable.
pub(crate) fn is_any(
    connection: &mut AnyConnection,
    kind: JobKind,
    now: Now,
) -> Result<bool, StorageError> {
    Ok(diesel::select(exists(due!(kind, now))).get_result(connection)?)
}

/// Claims the job of a kind that has been due longest.
pub(super) fn claim(
    connection: &mut AnyConnection,
    kind: JobKind,
    (worker, lease): (&WorkerId, TimeDelta),
    now: Now,
) -> Result<Option<JobClaim>, StorageError> {
    let first = due!(kind, now)
        .order((jobs::available_at, jobs::id))
        .limit(1);
    // PostgreSQL skips jobs that other workers are claiming (`SKIP LOCKED`).
    let found: Option<DueJob> = match connection {
        AnyConnection::Sqlite(sqlite) => {
            let job = first.select(DueJob::as_select()).first(sqlite);
            job.optional()?
        }
        AnyConnection::Postgres(postgres) => first
            .select(DueJob::as_select())
            .for_update()
            .skip_locked()
            .first(postgres)
            .optional()?,
    };
    found
        .map(|job| job.take(connection, kind, (worker, lease), now))
        .transpose()
}

impl DueJob {
    /// Leases the job to a worker.
    pub(crate) fn take(
        self,
        connection: &mut AnyConnection,
        kind: JobKind,
        (worker, lease): (&WorkerId, TimeDelta),
        now: Now,
    ) -> Result<JobClaim, StorageError> {
        // The lease expired: the attempt of the previous worker counts as failed.
        let lost = i64::from(self.lease_owner.is_some());
        let taken = Taken {
            epoch: self.epoch + 1,
            attempts: self.attempts + lost,
            interruptions: 0,
            suspect: false,
            until: now.lease + lease,
            deadline_at: None,
        };
        lease::take(connection, &self.id, worker, &taken)?;
        Ok(JobClaim {
            kind,
            subject: self.subject_id,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            worker: worker.clone(),
            epoch: number("epoch", taken.epoch)?,
            due_at: self.available_at.and_utc(),
            attempt: number("attempt", taken.attempts + 1)?,
        })
    }
}

/// Makes a job due at `now` if it is due later or leased.
pub(crate) fn expedite(
    connection: &mut AnyConnection,
    kind: JobKind,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    let waiting = jobs::table
        .filter(jobs::kind.eq(kind.as_str()))
        .filter(jobs::subject_id.eq(subject))
        .filter(
            jobs::available_at
                .gt(stored_time(now))
                .or(jobs::lease_owner.is_not_null()),
        );
    diesel::update(waiting)
        .set(jobs::available_at.eq(stored_time(now)))
        .execute(connection)?;
    Ok(())
}

/// Makes jobs due at `now` that are due after `latest`.
pub(crate) fn repair_times(
    connection: &mut AnyConnection,
    kind: JobKind,
    latest: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<u64, StorageError> {
    let too_late = jobs::table
        .filter(jobs::kind.eq(kind.as_str()))
        .filter(jobs::available_at.gt(stored_time(latest)));
    let set = jobs::available_at.eq(stored_time(now));
    let repaired = if kind == JobKind::Schedule {
        let is_earlier = schedules::table
            .filter(schedules::site_id.eq(jobs::subject_id))
            .filter(schedules::next_run_at.lt(jobs::available_at.nullable()));
        let later_than_it = too_late.filter(exists(is_earlier));
        diesel::update(later_than_it).set(set).execute(connection)?
    } else {
        diesel::update(too_late).set(set).execute(connection)?
    };
    Ok(u64::try_from(repaired).unwrap_or(u64::MAX))
}
