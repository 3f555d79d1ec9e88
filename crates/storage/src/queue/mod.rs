//! The queue: one for all kinds of background work, in the table `jobs`.
//!
//! [`lease`] is what every kind does with a claim, [`due`] claims jobs in the order in which they become
//! due, and [`fairness`], [`suspects`] and [`reap`] are what runs have on top.

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

/// The time, by both clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    /// That of the caller, which users see and jobs become due by.
    pub(crate) shown: DateTime<Utc>,
    /// That which leases are judged by.
    pub(crate) lease: DateTime<Utc>,
}

impl Database {
    /// The time by both clocks, where the caller's is `now`.
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
        // A worker that finds nothing to do takes no lock.
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
