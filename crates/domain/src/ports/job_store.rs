//! Background work: which worker does which job, until when.
//!
//! A job is one row for each subject of a kind: a run, a brief, a schedule. A worker claims a job under a
//! lease and an epoch. The lease says how long the claim holds without a heartbeat; the epoch rises with
//! every claim, and every later write of the worker must match it. So a worker that was paused or cut off
//! for longer than its lease cannot overwrite the work of the one that took over.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};

use super::StoreError;
use crate::id::OrgId;
use crate::named_enum::named_enum;

named_enum! {
    /// A kind of background work.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum JobKind {
        /// Audits a site. The subject is the run. [`JobQueue`](super::JobQueue) has its rules.
        Run = "run",
        /// Writes the brief of an action item, which is the subject.
        Brief = "brief",
        /// Sends an event to a webhook. The subject is the delivery.
        /// [`WebhookStore`](super::WebhookStore) has its rules.
        Delivery = "delivery",
        /// Starts the run of a schedule. The subject is the site; the job is due when the schedule is.
        Schedule = "schedule",
        /// Deletes data past its retention period. The subject is the organization; the job is due again
        /// after each sweep.
        Retention = "retention",
    }
}

impl JobKind {
    /// Those whose jobs [`JobStore::claim_job`] gives out in the order in which they become due.
    pub const IN_DUE_ORDER: [Self; 3] = [Self::Brief, Self::Schedule, Self::Retention];
}

/// Names a worker among all processes on one database: the name of its process, and after a hyphen
/// its own within it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WorkerId(pub String);

impl WorkerId {
    /// The name of its process. Workers of one process share the limits for each host.
    ///
    /// ```
    /// use domain::ports::WorkerId;
    ///
    /// assert_eq!(WorkerId("01J-2".to_owned()).process(), "01J");
    /// assert_eq!(WorkerId("alone".to_owned()).process(), "alone");
    /// ```
    #[must_use]
    pub fn process(&self) -> &str {
        self.0
            .rsplit_once('-')
            .map_or(&self.0, |(process, _)| process)
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a claim is held, and so whether a write under it took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "work goes on only while the claim is held"]
pub enum LeaseStatus {
    /// It did; the claim holds.
    Held,
    /// It did not: the job was given back, claimed by another worker, ended, cancelled or removed.
    /// The worker drops its work.
    Lost,
}

/// A job that a worker may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobClaim {
    /// What kind of work it is.
    pub kind: JobKind,
    /// The id of what it is about.
    pub subject: String,
    /// The organization it belongs to.
    pub org_id: OrgId,
    /// The worker that has it.
    pub worker: WorkerId,
    /// The number of this claim; every write must match it and the worker. A subject whose job ended and
    /// was queued again counts from the start.
    pub epoch: u32,
    /// Since when it was due.
    pub due_at: DateTime<Utc>,
    /// Which attempt this is, from 1. A claim that failed ([`JobStore::retry_job`]) counts, and one
    /// whose lease ran out; a claim that ended otherwise starts the count again.
    pub attempt: u32,
}

/// The longest wait between two attempts at a job.
pub const LONGEST_BACKOFF: TimeDelta = TimeDelta::seconds(60);

/// How long a job waits after an attempt that failed: 1 s, 2 s, 4 s and so on, at most
/// [`LONGEST_BACKOFF`].
///
/// ```
/// use domain::ports::backoff;
///
/// let seconds = [1, 2, 3, 6, 7, 100].map(|attempt| backoff(attempt).num_seconds());
/// assert_eq!(seconds, [1, 2, 4, 32, 60, 60]);
/// ```
#[must_use]
pub const fn backoff(attempt: u32) -> TimeDelta {
    match attempt {
        0 | 1 => TimeDelta::seconds(1),
        2..=6 => TimeDelta::seconds(1 << (attempt - 1)),
        _ => LONGEST_BACKOFF,
    }
}

/// The jobs of all kinds. Jobs are queued, moved and removed by the methods that change their subjects,
/// in the same transaction.
///
/// `now` decides which jobs are due. Leases may be judged by another clock, that of the database: then
/// the clocks of the processes may differ and jump.
pub trait JobStore: Send + Sync {
    /// Claims the job of a kind that has been due longest, or one whose lease has run out. No job is
    /// claimed twice at the same epoch, however many workers ask at once. Runs and deliveries have
    /// claims of their own.
    ///
    /// # Errors
    /// When the database fails.
    fn claim_job(
        &self,
        kind: JobKind,
        worker: &WorkerId,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<Option<JobClaim>, StoreError>;

    /// Whether a job of one of the kinds [`JobKind::IN_DUE_ORDER`] may be claimed, without a write. Runs and
    /// deliveries may be due and still wait, for example for their hosts.
    ///
    /// # Errors
    /// When the database fails.
    fn has_due_jobs(&self, now: DateTime<Utc>) -> Result<bool, StoreError>;

    /// Renews the lease.
    ///
    /// # Errors
    /// When the database fails.
    fn renew_job(
        &self,
        claim: &JobClaim,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Removes a job that is done.
    ///
    /// # Errors
    /// When the database fails.
    fn end_job(&self, claim: &JobClaim) -> Result<LeaseStatus, StoreError>;

    /// Ends a claim whose work is done for now; the job is due again at `due_at`, or at once where
    /// [`JobStore::expedite_job`] came in between.
    ///
    /// # Errors
    /// When the database fails.
    fn postpone_job(
        &self,
        claim: &JobClaim,
        due_at: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Ends a claim whose work failed; the job is due again after the [`backoff`] of the attempt, or at once
    /// where [`JobStore::expedite_job`] came in between.
    ///
    /// # Errors
    /// When the database fails.
    fn retry_job(&self, claim: &JobClaim, now: DateTime<Utc>) -> Result<LeaseStatus, StoreError>;

    /// Makes a job due at `now` that is due later, or that a worker has: what it does may not count what
    /// happened just now.
    ///
    /// # Errors
    /// When the database fails.
    fn expedite_job(
        &self,
        kind: JobKind,
        subject: &str,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError>;

    /// Makes the jobs of a kind due at `now` that are due after `latest`, as a clock that was far ahead
    /// left them. Of schedules these are the jobs that are due later than their schedules. Returns how many there
    /// were.
    ///
    /// # Errors
    /// When the database fails.
    fn repair_job_times(
        &self,
        kind: JobKind,
        latest: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError>;

    /// Ends the leases of all jobs that are no runs: for the process that starts and knows that it is
    /// alone on the database. The attempts count, as those of workers that died. Returns how many there were.
    ///
    /// # Errors
    /// When the database fails.
    fn release_jobs(&self) -> Result<u64, StoreError>;
}
