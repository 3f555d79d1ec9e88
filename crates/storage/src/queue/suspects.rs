//! Suspects: runs that were running when a process died, so any of them may have caused the crash.
//!
//! A suspect is claimed alone: by a process that holds no other run, while no other suspect is running.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use domain::ports::{JobKind, QueueRules, WorkerId};
use domain::run::{INTERRUPTIONS, INTERRUPTIONS_SPAN};

use super::fairness;
use super::lease::is_free;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{jobs, runs};
use crate::database::values::stored_time;

/// Maximum suspects considered in one claim. More than one is needed only if organizations have reached
/// their limit of concurrent runs.
const LOOKED_AT: i64 = 16;

/// Which runs a process may claim.
pub(crate) enum Offer {
    /// None: it holds a suspect, or drains its runs in order to take one.
    Nothing,
    /// One of these suspects, in this order.
    Suspects(Vec<String>),
    /// A run that is not a suspect.
    Others,
}

/// Runs that reached the maximum number of interruptions within the minimum time span.
macro_rules! interrupted_enough {
    ($now:expr) => {
        jobs::interruptions.ge(i64::from(INTERRUPTIONS)).and(exists(
            runs::table
                .filter(runs::id.eq(jobs::subject_id))
                .filter(runs::started_at.le($now - INTERRUPTIONS_SPAN)),
        ))
    };
}

pub(super) use interrupted_enough;

/// Returns which runs a process may claim now.
pub(crate) fn offer(
    connection: &mut AnyConnection,
    worker: &WorkerId,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Offer, StorageError> {
    let now = stored_time(now);
    let suspects = waiting(connection, worker, rules, now)?;
    let held: Vec<(Option<String>, bool)> = jobs::table
        .filter(jobs::kind.eq(JobKind::Run.as_str()))
        .filter(jobs::lease_expires_at.gt(now))
        .select((jobs::lease_process, jobs::suspect))
        .load(connection)?;
    let own = worker.process();
    let is_own = |process: &Option<String>| process.as_deref() == Some(own);
    if held
        .iter()
        .any(|(process, suspect)| *suspect && is_own(process))
    {
        return Ok(Offer::Nothing);
    }
    if suspects.is_empty() || held.iter().any(|(_, suspect)| *suspect) {
        return Ok(Offer::Others);
    }
    if !held.iter().any(|(process, _)| is_own(process)) {
        return Ok(Offer::Suspects(suspects));
    }
    // One of the processes that hold runs drains for the suspect; the others continue.
    let first = held
        .iter()
        .filter_map(|(process, _)| process.as_deref())
        .min();
    Ok(if first == Some(own) {
        Offer::Nothing
    } else {
        Offer::Others
    })
}

/// Suspects without a live lease that this process may claim, the least interrupted first.
fn waiting(
    connection: &mut AnyConnection,
    worker: &WorkerId,
    rules: &QueueRules,
    now: NaiveDateTime,
) -> Result<Vec<String>, StorageError> {
    let taken = diesel::alias!(jobs as taken);
    let hosts_of_others = fairness::hosts_of_others!(taken, worker, rules, now);
    let suspects: Vec<(String, String)> = jobs::table
        .filter(jobs::kind.eq(JobKind::Run.as_str()))
        .filter(is_free!(now))
        .filter(jobs::suspect.eq(true).or(jobs::lease_owner.is_not_null()))
        .filter(jobs::attempts.lt(i64::from(rules.max_attempts)))
        .filter(not(interrupted_enough!(now)))
        .filter(jobs::host.ne_all(hosts_of_others))
        .filter(fairness::is_taken_mode!(rules))
        .order((jobs::interruptions, jobs::queued_at, jobs::id))
        .limit(LOOKED_AT)
        .select((jobs::id, jobs::org_id))
        .load(connection)?;
    let Some(most) = rules.runs_per_organization else {
        return Ok(suspects.into_iter().map(|(job, _)| job).collect());
    };
    let mut allowed = Vec::with_capacity(suspects.len());
    for (job, org) in suspects {
        let under_way: i64 = jobs::table
            .filter(jobs::kind.eq(JobKind::Run.as_str()))
            .filter(jobs::org_id.eq(org))
            .filter(jobs::lease_expires_at.gt(now))
            .count()
            .get_result(connection)?;
        if under_way < i64::from(most) {
            allowed.push(job);
        }
    }
    Ok(allowed)
}
