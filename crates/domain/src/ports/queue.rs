//! The queue of runs: who works on what, until when.
//!
//! A worker claims a run under a lease and an epoch. The lease says how long the claim stands
//! without a heartbeat; the epoch rises with every claim, and every later write of the worker must
//! match it. So a worker that was paused or cut off for longer than its lease cannot write over the
//! work of the one that took over.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};

use super::{IdSource, StoreError};
use crate::action::RunCoverage;
use crate::id::{IssueId, OrgId, ReportId, RunId, SiteId};
use crate::report::{Occurrence, PageVisit, ReportPair};
use crate::run::{RunError, RunOptions, RunProgress};

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

/// The times and bounds of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueRules {
    /// How long a claim stands without a heartbeat.
    pub lease: TimeDelta,
    /// How long one attempt at a run may take.
    pub deadline: TimeDelta,
    /// How often a run is attempted; after that it fails with `internal`.
    pub max_attempts: u32,
    /// Runs of one organization under way at once, in all processes together; none is no bound.
    pub runs_per_organization: Option<u32>,
}

impl QueueRules {
    /// A lease of 30 seconds, a deadline of ten minutes, three attempts, no bound for organizations.
    pub const DEFAULT: Self = Self {
        lease: TimeDelta::seconds(30),
        deadline: TimeDelta::minutes(10),
        max_attempts: 3,
        runs_per_organization: None,
    };
}

/// A run that a worker may work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The run.
    pub run_id: RunId,
    /// Whose run it is.
    pub org_id: OrgId,
    /// Its site.
    pub site_id: SiteId,
    /// The start URL.
    pub url: String,
    /// How to audit.
    pub options: RunOptions,
    /// The number of this claim; every write must match it.
    pub epoch: u32,
    /// Which attempt this is, from 1. Work that was handed back costs none.
    pub attempt: u32,
    /// When this attempt must have ended.
    pub deadline_at: DateTime<Utc>,
}

/// Whether a claim is held, and so whether a write under it took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "work goes on only while the claim is held"]
pub enum Held {
    /// It did; the claim stands.
    Yes,
    /// It did not: the run was given back, claimed by another worker, ended, cancelled or removed.
    /// The worker drops its work.
    Lost,
}

/// An occurrence to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOccurrence {
    /// The issue's place in the current report of [`CompletedRun::reports`], from 0.
    pub issue: u32,
    /// The occurrence's place in its issue, from 0.
    pub ordinal: u32,
    /// The occurrence itself.
    pub occurrence: Occurrence,
}

/// A page to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    /// Its place in the list of the report, from 0.
    pub position: u32,
    /// What became of it. Where its redirects lead is not stored.
    pub visit: PageVisit,
}

/// What a completed run brought.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletedRun {
    /// The id of the report.
    pub report_id: ReportId,
    /// The report. Its occurrences were written by [`JobQueue::write_occurrences`] before and are
    /// not written again.
    pub reports: ReportPair,
    /// One id for each issue of `reports.current`, in its order.
    pub issue_ids: Vec<IssueId>,
    /// What it looked at; for the action items.
    pub coverage: RunCoverage,
    /// How far the run came in the end.
    pub progress: RunProgress,
}

/// What [`JobQueue::reap`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reaped {
    /// Runs that failed with `deadline_exceeded`.
    pub past_deadline: u64,
    /// Runs that failed with `internal` after their last attempt.
    pub given_up: u64,
}

/// The queue of runs.
///
/// The times given to it are what runs are shown with. What leases and deadlines are judged by may be
/// another clock, that of the database: then the clocks of the processes may differ and jump.
pub trait JobQueue: Send + Sync {
    /// Claims a run: a queued one, or one whose lease has run out and that has attempts left. It
    /// becomes `running`; its first claim sets when it started. No run is claimed twice at the same
    /// epoch, however many ask at once.
    ///
    /// Organizations take turns: the next run is one of the organization whose last claim is longest
    /// ago, and of its runs the one that has waited longest. Passed over are organizations that have
    /// as many runs under way as [`QueueRules::runs_per_organization`] allows, and runs of hosts that
    /// another process is just auditing.
    ///
    /// # Errors
    /// When the database fails.
    fn claim(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Option<Claim>, StoreError>;

    /// Tells whether [`JobQueue::claim`] would find a run, without a write.
    ///
    /// # Errors
    /// When the database fails.
    fn has_work(
        &self,
        worker: &WorkerId,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Whether a claim is held, without a write.
    ///
    /// # Errors
    /// When the database fails.
    fn holds(&self, claim: &Claim) -> Result<Held, StoreError>;

    /// Renews the lease and stores the progress.
    ///
    /// # Errors
    /// When the database fails.
    fn heartbeat(
        &self,
        claim: &Claim,
        progress: &RunProgress,
        rules: &QueueRules,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError>;

    /// Stores occurrences under run and epoch, unseen until the run completes. Occurrences of
    /// earlier epochs of this run are removed.
    ///
    /// # Errors
    /// When the database fails.
    fn write_occurrences(&self, claim: &Claim, batch: &[NewOccurrence])
    -> Result<Held, StoreError>;

    /// Stores pages under run and epoch, unseen until the run completes. Pages of earlier epochs of
    /// this run are removed.
    ///
    /// # Errors
    /// When the database fails.
    fn write_pages(&self, claim: &Claim, batch: &[NewPage]) -> Result<Held, StoreError>;

    /// Completes a run in one transaction: report, issues, action items reconciled as
    /// [`ActionStore`] says, run, end of the job. `ids` are for new items and their comments.
    ///
    /// [`ActionStore`]: super::ActionStore
    ///
    /// # Errors
    /// When the database fails; the run is then as before.
    fn complete(
        &self,
        claim: &Claim,
        completed: &CompletedRun,
        ids: &dyn IdSource,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError>;

    /// Ends a run without a report, and removes its occurrences and pages. A run that fails with `internal`
    /// is taken out of the usage of the month it was started in.
    ///
    /// # Errors
    /// When the database fails; the run is then as before.
    fn fail(&self, claim: &Claim, error: &RunError, now: DateTime<Utc>)
    -> Result<Held, StoreError>;

    /// Gives a run back, to be claimed by anyone at once; the attempt does not count. It stays
    /// `running`.
    ///
    /// # Errors
    /// When the database fails.
    fn hand_back(&self, claim: &Claim, now: DateTime<Utc>) -> Result<Held, StoreError>;

    /// Gives back the runs of all workers, as [`JobQueue::hand_back`] does but with the attempt
    /// counted: for the process that starts and knows that it is alone on the database. Answers how
    /// many there were.
    ///
    /// # Errors
    /// When the database fails.
    fn release_all(&self, now: DateTime<Utc>) -> Result<u64, StoreError>;

    /// Ends what can no longer end by itself: runs past their deadline, and runs that nobody holds
    /// after their last attempt.
    ///
    /// # Errors
    /// When the database fails.
    fn reap(&self, rules: &QueueRules, now: DateTime<Utc>) -> Result<Reaped, StoreError>;
}
