//! The queue: one for all kinds of background jobs, in the table `jobs`.
//!
//! [`lease`] has the operations on a claim that every kind shares, and [`due`] claims jobs in the order in which
//! they become due. [`fairness`], [`suspects`] and [`reap`] are for runs only.

pub(crate) mod due;
pub(crate) mod fairness;
pub(crate) mod job;
pub(crate) mod lease;
pub(crate) mod reap;
pub(crate) mod suspects;

use chrono::{DateTime, TimeDelta, Utc};
use domain::ports::{JobClaim, JobKind, JobStore, LeaseStatus, StoreError, WorkerId, backoff};

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::failpoint::point;
use lease::GivenBack;

/// The current time of both clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    /// The caller's clock: shown to users, and used for due times.
    pub(crate) shown: DateTime<Utc>,
    /// The clock of leases and deadlines.
    pub(crate) lease: DateTime<Utc>,
}

impl Database {
    /// Returns the current time of both clocks; `now` is the time of the caller's clock.
    pub(crate) fn now(
        &self,
        connection: &mut AnyConnection,
        now: DateTime<Utc>,
    ) -> Result<Now, StorageError> {
        Ok(Now {
            shown: now,
            lease: self.lease_time(connection, now)?,
        })
    }
}

impl JobStore for Database {
    fn claim_job(
        &self,
        kind: JobKind,
        worker: &WorkerId,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<Option<JobClaim>, StoreError> {
        // A worker that finds no job takes no lock.
        let is_any = self.read(|connection| {
            let now = self.now(connection, now)?;
            due::is_any(connection, kind, now)
        })?;
        if !is_any {
            return Ok(None);
        }
        let claimed = self.write(|connection| {
            let now = self.now(connection, now)?;
            let claimed = due::claim(connection, kind, (worker, lease), now)?;
            point!("job-claim-written");
            Ok(claimed)
        })?;
        point!("job-claim-done");
        Ok(claimed)
    }

    fn has_due_jobs(&self, now: DateTime<Utc>) -> Result<bool, StoreError> {
        Ok(self.read(|connection| {
            let now = self.now(connection, now)?;
            for kind in JobKind::IN_DUE_ORDER {
                if due::is_any(connection, kind, now)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })?)
    }

    fn renew_job(
        &self,
        claim: &JobClaim,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| {
            let until = self.lease_time(connection, now)? + lease;
            lease::renew(connection, claim.into(), until)
        })?)
    }

    fn end_job(&self, claim: &JobClaim) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| lease::end(connection, claim.into()))?)
    }

    fn postpone_job(
        &self,
        claim: &JobClaim,
        due_at: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(
            |connection| match lease::due_unless_moved(connection, claim, due_at)? {
                Some(due_at) => lease::postpone(connection, claim.into(), due_at),
                None => Ok(LeaseStatus::Lost),
            },
        )?)
    }

    fn retry_job(&self, claim: &JobClaim, now: DateTime<Utc>) -> Result<LeaseStatus, StoreError> {
        let due_at = now + backoff(claim.attempt);
        Ok(self.write(|connection| {
            let Some(due_at) = lease::due_unless_moved(connection, claim, due_at)? else {
                return Ok(LeaseStatus::Lost);
            };
            let given = GivenBack {
                due_at: Some(due_at),
                attempts: 1,
                ..GivenBack::default()
            };
            lease::give_back(connection, claim.into(), &given)
        })?)
    }

    fn expedite_job(
        &self,
        kind: JobKind,
        subject: &str,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        Ok(self.write(|connection| due::expedite(connection, kind, subject, now))?)
    }

    fn repair_job_times(
        &self,
        kind: JobKind,
        latest: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError> {
        Ok(self.write(|connection| due::repair_times(connection, kind, latest, now))?)
    }

    fn release_jobs(&self) -> Result<u64, StoreError> {
        Ok(self.write(lease::release_others)?)
    }
}
