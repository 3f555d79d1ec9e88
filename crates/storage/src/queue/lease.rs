//! Operations of a worker under its lease. Every write matches the job and the epoch, and that the job was not
//! handed back, so it changes nothing after the claim is lost.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use domain::id::OrgId;
use domain::ports::{Claim, DeliveryClaim, JobClaim, JobKind, LeaseStatus, WorkerId};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::jobs;
use crate::database::values::stored_time;
use crate::database::wake;

/// A claim on a job of any kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lease<'a> {
    kind: JobKind,
    subject: &'a str,
    org: &'a OrgId,
    epoch: u32,
    /// `None` for kinds whose subjects are queued only once, so their epochs never restart.
    worker: Option<&'a str>,
}

diesel::define_sql_function! {
    /// SQL `COALESCE`.
    fn coalesce(first: Nullable<Text>, second: Nullable<Text>) -> Nullable<Text>;
}

impl<'a> From<&'a JobClaim> for Lease<'a> {
    fn from(claim: &'a JobClaim) -> Self {
        Self {
            kind: claim.kind,
            subject: &claim.subject,
            org: &claim.org_id,
            epoch: claim.epoch,
            worker: Some(&claim.worker.0),
        }
    }
}

impl<'a> From<&'a Claim> for Lease<'a> {
    fn from(claim: &'a Claim) -> Self {
        Self {
            kind: JobKind::Run,
            subject: claim.run_id.as_str(),
            org: &claim.org_id,
            epoch: claim.epoch,
            worker: None,
        }
    }
}

impl<'a> From<&'a DeliveryClaim> for Lease<'a> {
    fn from(claim: &'a DeliveryClaim) -> Self {
        Self {
            kind: JobKind::Delivery,
            subject: claim.id.as_str(),
            org: &claim.event.org_id,
            epoch: claim.epoch,
            worker: None,
        }
    }
}

/// The column values of a job without a lease.
macro_rules! free {
    () => {{
        use $crate::database::schema::jobs;
        (
            jobs::lease_owner.eq(None::<String>),
            jobs::lease_process.eq(None::<String>),
            jobs::lease_expires_at.eq(None::<chrono::NaiveDateTime>),
            jobs::deadline_at.eq(None::<chrono::NaiveDateTime>),
        )
    }};
}
pub(super) use free;

/// Jobs without a lease or with an expired lease.
macro_rules! is_free {
    ($now:expr) => {
        $crate::database::schema::jobs::lease_expires_at
            .is_null()
            .or($crate::database::schema::jobs::lease_expires_at.le($now))
    };
}
pub(crate) use is_free;

/// The job of a claim that is still held.
macro_rules! held {
    ($lease:expr) => {
        jobs::table
            .filter(jobs::kind.eq($lease.kind.as_str()))
            .filter(jobs::subject_id.eq($lease.subject))
            .filter(jobs::org_id.eq($lease.org.as_str()))
            .filter(jobs::epoch.eq(i64::from($lease.epoch)))
            // Also false for a job without a lease.
            .filter(jobs::lease_owner.eq(coalesce($lease.worker, jobs::lease_owner)))
    };
}

const fn held_where(changed: usize) -> LeaseStatus {
    if changed == 0 {
        LeaseStatus::Lost
    } else {
        LeaseStatus::Held
    }
}

/// The values of a job after it was claimed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// The number of the claim.
    pub(crate) epoch: i64,
    /// Failed attempts so far.
    pub(crate) attempts: i64,
    /// Interruptions so far, which do not count as failures.
    pub(crate) interruptions: i64,
    /// Whether its process holds no other job of the kind meanwhile.
    pub(crate) suspect: bool,
    /// When the lease expires.
    pub(crate) until: DateTime<Utc>,
    /// The deadline of the attempt.
    pub(crate) deadline_at: Option<DateTime<Utc>>,
}

/// Leases a job, which the caller has locked, to a worker.
pub(crate) fn take(
    connection: &mut AnyConnection,
    job_id: &str,
    worker: &WorkerId,
    taken: &Taken,
) -> Result<(), StorageError> {
    diesel::update(jobs::table.find(job_id))
        .set((
            jobs::epoch.eq(taken.epoch),
            jobs::attempts.eq(taken.attempts),
            jobs::interruptions.eq(taken.interruptions),
            jobs::suspect.eq(taken.suspect),
            jobs::lease_owner.eq(&worker.0),
            jobs::lease_process.eq(worker.process()),
            jobs::lease_expires_at.eq(stored_time(taken.until)),
            jobs::deadline_at.eq(taken.deadline_at.map(stored_time)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Renews the lease.
pub(crate) fn renew(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
    until: DateTime<Utc>,
) -> Result<LeaseStatus, StorageError> {
    let renewed = diesel::update(held!(lease))
        .set(jobs::lease_expires_at.eq(stored_time(until)))
        .execute(connection)?;
    Ok(held_where(renewed))
}

/// Returns whether the claim is held, without a lock.
pub(crate) fn look(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
) -> Result<LeaseStatus, StorageError> {
    let found: Option<String> = held!(lease)
        .select(jobs::id)
        .get_result(connection)
        .optional()?;
    Ok(held_where(found.iter().count()))
}

/// Locks the job until the transaction ends, so that no other worker can claim or end it.
pub(crate) fn lock(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
) -> Result<LeaseStatus, StorageError> {
    let query = held!(lease).select(jobs::id);
    let found: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => query.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => query.for_update().first(postgres).optional()?,
    };
    Ok(held_where(found.iter().count()))
}

/// Removes the job. The transaction that removes it also ends its subject.
pub(crate) fn end(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
) -> Result<LeaseStatus, StorageError> {
    let removed = diesel::delete(held!(lease)).execute(connection)?;
    Ok(held_where(removed))
}

/// The changes to a job whose claim ends.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GivenBack {
    /// When the job is due again; `None` keeps the time.
    pub(crate) due_at: Option<DateTime<Utc>>,
    /// Added to the failed attempts.
    pub(crate) attempts: i64,
    /// Added to the crashes.
    pub(crate) crashes: i64,
    /// Added to the interruptions.
    pub(crate) interruptions: i64,
    /// Whether the job must be claimed alone.
    pub(crate) suspect: bool,
}

/// Hands the job back.
pub(crate) fn give_back(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
    given: &GivenBack,
) -> Result<LeaseStatus, StorageError> {
    // A `None` leaves the column unchanged.
    let given_back = diesel::update(held!(lease))
        .set((
            given
                .due_at
                .map(|at| jobs::available_at.eq(stored_time(at))),
            jobs::attempts.eq(jobs::attempts + given.attempts),
            jobs::crashes.eq(jobs::crashes + given.crashes),
            jobs::interruptions.eq(jobs::interruptions + given.interruptions),
            jobs::suspect.eq(given.suspect),
            free!(),
        ))
        .execute(connection)?;
    if lease.kind == JobKind::Run {
        wake::call(connection)?;
    }
    Ok(held_where(given_back))
}

/// Hands a job back whose work is done for now. Its attempts start again at zero.
pub(crate) fn postpone(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
    due_at: DateTime<Utc>,
) -> Result<LeaseStatus, StorageError> {
    let postponed = diesel::update(held!(lease))
        .set((
            jobs::available_at.eq(stored_time(due_at)),
            jobs::attempts.eq(0),
            free!(),
        ))
        .execute(connection)?;
    Ok(held_where(postponed))
}

/// Returns when a job is due after its claim ends: at `due_at`, or at its present time if it was rescheduled
/// after it was claimed. Locks the job; returns `None` if the claim is lost.
pub(super) fn due_unless_moved(
    connection: &mut AnyConnection,
    claim: &JobClaim,
    due_at: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, StorageError> {
    let lease = Lease::from(claim);
    if lock(connection, lease)? == LeaseStatus::Lost {
        return Ok(None);
    }
    let at: NaiveDateTime = held!(lease)
        .select(jobs::available_at)
        .get_result(connection)?;
    Ok(Some(match at == stored_time(claim.due_at) {
        true => due_at,
        false => at.and_utc(),
    }))
}

/// Hands all runs back as suspects.
pub(crate) fn release_runs(
    connection: &mut AnyConnection,
    now: DateTime<Utc>,
) -> Result<u64, StorageError> {
    let released = diesel::update(jobs::table)
        .filter(jobs::kind.eq(JobKind::Run.as_str()))
        .filter(jobs::lease_owner.is_not_null())
        .set((
            jobs::suspect.eq(true),
            jobs::interruptions.eq(jobs::interruptions + 1),
            jobs::available_at.eq(stored_time(now)),
            free!(),
        ))
        .execute(connection)?;
    Ok(u64::try_from(released).unwrap_or(u64::MAX))
}

/// Hands back all jobs that are not runs. Their worker died, so the attempts count as failed.
pub(super) fn release_others(connection: &mut AnyConnection) -> Result<u64, StorageError> {
    let kinds = JobKind::ALL
        .into_iter()
        .filter(|kind| *kind != JobKind::Run);
    let released = diesel::update(jobs::table)
        .filter(jobs::kind.eq_any(kinds.map(JobKind::as_str)))
        .filter(jobs::lease_expires_at.is_not_null())
        .set((jobs::attempts.eq(jobs::attempts + 1), free!()))
        .execute(connection)?;
    Ok(u64::try_from(released).unwrap_or(u64::MAX))
}
