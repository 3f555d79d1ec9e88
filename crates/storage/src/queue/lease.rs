//! What a worker does under its claim. Every write matches the job and the epoch, and that the claim was
//! not given back; so it changes nothing once the claim is lost.

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

/// A claim on a job, of whatever kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lease<'a> {
    kind: JobKind,
    subject: &'a str,
    org: &'a OrgId,
    epoch: u32,
    /// None where the epochs of a subject never start again, as its job is queued once.
    worker: Option<&'a str>,
}

diesel::define_sql_function! {
    /// The first of the two that is not null.
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

/// The columns of a job that nobody has.
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

/// Jobs that nobody has, or whose leases have run out.
macro_rules! is_free {
    ($now:expr) => {
        $crate::database::schema::jobs::lease_expires_at
            .is_null()
            .or($crate::database::schema::jobs::lease_expires_at.le($now))
    };
}
pub(crate) use is_free;

/// The job of a claim that is held.
macro_rules! held {
    ($lease:expr) => {
        jobs::table
            .filter(jobs::kind.eq($lease.kind.as_str()))
            .filter(jobs::subject_id.eq($lease.subject))
            .filter(jobs::org_id.eq($lease.org.as_str()))
            .filter(jobs::epoch.eq(i64::from($lease.epoch)))
            // Not true of a job that nobody has, either.
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

/// What a claim makes of a job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// The number of the claim.
    pub(crate) epoch: i64,
    /// Attempts that failed before.
    pub(crate) attempts: i64,
    /// Interruptions that prove nothing.
    pub(crate) interruptions: i64,
    /// Whether its process has no other job of the kind meanwhile.
    pub(crate) suspect: bool,
    /// When the lease runs out.
    pub(crate) until: DateTime<Utc>,
    /// When the attempt must have ended.
    pub(crate) deadline_at: Option<DateTime<Utc>>,
}

/// Gives a job to a worker, which has locked it.
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

/// Whether the claim is held, without a lock.
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

/// Keeps others from claiming or ending the job until the transaction ends.
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

/// Removes the job: whoever does so ends its subject, in the same transaction.
pub(crate) fn end(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
) -> Result<LeaseStatus, StorageError> {
    let removed = diesel::delete(held!(lease)).execute(connection)?;
    Ok(held_where(removed))
}

/// What changes of a job whose claim ends.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GivenBack {
    /// When it is due again; as before where there is none.
    pub(crate) due_at: Option<DateTime<Utc>>,
    /// What is added to the attempts that failed.
    pub(crate) attempts: i64,
    /// What is added to the crashes.
    pub(crate) crashes: i64,
    /// What is added to the interruptions.
    pub(crate) interruptions: i64,
    /// Whether it is to be claimed alone.
    pub(crate) suspect: bool,
}

/// Gives the job back.
pub(crate) fn give_back(
    connection: &mut AnyConnection,
    lease: Lease<'_>,
    given: &GivenBack,
) -> Result<LeaseStatus, StorageError> {
    // A `None` leaves the column as it is.
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

/// Gives a job back whose work is done for now. Its attempts are counted from the start.
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

/// When a job is to be due whose claim ends: at `due_at`, or as it is where it was moved since it was
/// claimed. The job is locked; none where the claim is lost.
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

/// Gives all runs back as suspects.
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

/// Gives all jobs back that are no runs. Whoever had them died: the attempts count.
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
