//! The reaper: ends runs that cannot end on their own.

use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::ports::{JobKind, QueueRules};
use domain::run::{INTERRUPTIONS, INTERRUPTIONS_SPAN, RunError};

use super::lease::is_free;
use super::suspects::interrupted_enough;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{jobs, runs};
use crate::database::values::stored_time;

/// Why the reaper ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The worker renews the lease, but the attempt has passed its deadline.
    PastDeadline,
    /// No worker holds the run, and it has no attempts left or was interrupted too often.
    GivenUp,
}

impl Verdict {
    pub(crate) fn error(self) -> RunError {
        match self {
            Self::PastDeadline => RunError::past_deadline(),
            Self::GivenUp => RunError::internal(),
        }
    }
}

/// A job as it was when it was evaluated.
#[derive(Debug, Clone)]
pub(crate) struct ReapCandidate {
    pub(crate) run_id: String,
    epoch: i64,
}

/// Leased jobs whose attempt has passed its deadline.
macro_rules! past_deadline {
    ($now:expr) => {
        jobs::table
            .filter(jobs::kind.eq(JobKind::Run.as_str()))
            .filter(jobs::lease_expires_at.gt($now))
            .filter(jobs::deadline_at.lt($now))
    };
}

/// Claimed jobs without a live lease that have no attempts left, or were interrupted too often.
macro_rules! given_up {
    ($rules:expr, $now:expr) => {
        jobs::table
            .filter(jobs::kind.eq(JobKind::Run.as_str()))
            .filter(is_free!($now))
            .filter(jobs::epoch.gt(0))
            .filter(
                jobs::attempts
                    .ge(i64::from($rules.max_attempts))
                    .or(interrupted_enough!($now)),
            )
    };
}

/// Returns the jobs to end. Usually there are none; then nothing is locked.
pub(crate) fn candidates(
    connection: &mut AnyConnection,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Vec<(ReapCandidate, Verdict)>, StorageError> {
    let now = stored_time(now);
    let columns = (jobs::subject_id, jobs::epoch);
    let late: Vec<(String, i64)> = past_deadline!(now).select(columns).load(connection)?;
    let lost: Vec<(String, i64)> = given_up!(rules, now).select(columns).load(connection)?;
    let candidate =
        |verdict| move |(run_id, epoch): (String, i64)| (ReapCandidate { run_id, epoch }, verdict);
    Ok((late.into_iter().map(candidate(Verdict::PastDeadline)))
        .chain(lost.into_iter().map(candidate(Verdict::GivenUp)))
        .collect())
}

/// Removes the job if the verdict is still true. The caller that removes it ends the run.
pub(crate) fn take(
    connection: &mut AnyConnection,
    job: &ReapCandidate,
    verdict: Verdict,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<bool, StorageError> {
    let now = stored_time(now);
    let is_it = jobs::subject_id
        .eq(&job.run_id)
        .and(jobs::epoch.eq(job.epoch));
    let removed = match verdict {
        Verdict::PastDeadline => {
            diesel::delete(past_deadline!(now).filter(is_it)).execute(connection)?
        }
        Verdict::GivenUp => {
            diesel::delete(given_up!(rules, now).filter(is_it)).execute(connection)?
        }
    };
    Ok(removed > 0)
}
