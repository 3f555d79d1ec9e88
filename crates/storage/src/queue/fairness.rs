//! Fairness between organizations and hosts: which run is claimed next.
//!
//! Claims of runs are serialized, because each depends on what the previous one changes: which organization
//! is next, how many runs it has running, and which process audits a host. A claim takes a few milliseconds, so
//! one database handles hundreds a second.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text, Timestamp};
use domain::ports::{JobKind, QueueRules, RunModes, WorkerId};
use domain::run::Mode;

use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{counters, organization_claims};
use crate::database::values::stored_time;

/// The name of no mode.
const NO_MODE: &str = "none";

/// The name of the claim counter.
const CLAIMS: &str = "claims";

/// Maximum organizations considered in one claim. More than one is needed only if all runs of the first one
/// are being cancelled or ended.
const ORGANIZATIONS: i64 = 8;

/// Organizations with a claimable run, the one that waited longest first. $1 is the kind of job, $2 the time, $3
/// the process that shares its hosts, $4 the maximum attempts, $5 and $6 the modes of runs that are left to others, $7
/// the maximum concurrent runs of an organization, $8 how many to return. SQLite numbers them as they first occur.
///
/// `waiting` returns each organization with a job once, by a loose index scan: the cost for an organization
/// does not depend on how many jobs it has.
const NEXT: &str = "
WITH RECURSIVE waiting (org_id) AS (
    SELECT min(jobs.org_id) FROM jobs WHERE jobs.kind = $1
    UNION ALL
    SELECT (SELECT min(jobs.org_id) FROM jobs WHERE jobs.kind = $1 AND jobs.org_id > waiting.org_id)
    FROM waiting
    WHERE waiting.org_id IS NOT NULL
)
SELECT candidate.org_id
FROM (
    SELECT waiting.org_id, coalesce(organization_claims.last_claim, 0) AS last_claim, (
        SELECT jobs.queued_at
        FROM jobs
        WHERE jobs.kind = $1 AND jobs.org_id = waiting.org_id
              AND jobs.lease_owner IS NULL AND NOT jobs.suspect
              AND jobs.host NOT IN (
                  SELECT taken.host FROM jobs AS taken
                  WHERE taken.kind = $1 AND taken.lease_expires_at > $2
                        AND (taken.lease_process IS NULL OR taken.lease_process <> $3)
              )
              AND jobs.attempts < $4
              AND jobs.mode <> $5 AND jobs.mode <> $6
        ORDER BY jobs.queued_at, jobs.id
        LIMIT 1
    ) AS queued_at
    FROM waiting
    LEFT JOIN organization_claims ON organization_claims.org_id = waiting.org_id
    WHERE (
        SELECT count(*) FROM jobs AS held
        WHERE held.kind = $1 AND held.lease_expires_at > $2 AND held.org_id = waiting.org_id
    ) < $7
) AS candidate
WHERE candidate.queued_at IS NOT NULL
ORDER BY candidate.last_claim, candidate.queued_at, candidate.org_id
LIMIT $8";

#[derive(QueryableByName)]
struct Candidate {
    #[diesel(sql_type = Text)]
    org_id: String,
}

/// Returns the first few organizations with a run that this worker may claim, in fair order.
pub(crate) fn next(
    connection: &mut AnyConnection,
    worker: &WorkerId,
    rules: &QueueRules,
    now: DateTime<Utc>,
) -> Result<Vec<String>, StorageError> {
    let most = rules.runs_per_organization.map_or(i64::MAX, i64::from);
    let [one, other] = left_out(rules);
    let asked = diesel::sql_query(NEXT)
        .bind::<Text, _>(JobKind::Run.as_str())
        .bind::<Timestamp, _>(stored_time(now))
        .bind::<Text, _>(sharer(worker, rules))
        .bind::<BigInt, _>(i64::from(rules.max_attempts))
        .bind::<Text, _>(one)
        .bind::<Text, _>(other)
        .bind::<BigInt, _>(most)
        .bind::<BigInt, _>(ORGANIZATIONS);
    let found: Vec<Candidate> = on_either!(connection, inner => asked.load(inner))?;
    Ok(found.into_iter().map(|found| found.org_id).collect())
}

/// Returns the process whose runs do not block a host for this worker. It is the worker's own process, because
/// its runs share one rate limit, or the empty name, which matches no process.
pub(crate) fn sharer<'a>(worker: &'a WorkerId, rules: &QueueRules) -> &'a str {
    if rules.isolated_runs {
        ""
    } else {
        worker.process()
    }
}

/// The modes of the runs that this process leaves to others. Where there are fewer than two, one is repeated or no mode.
pub(crate) const fn left_out(rules: &QueueRules) -> [&'static str; 2] {
    let (auto, rendered) = (Mode::Auto.as_str(), Mode::Rendered.as_str());
    match rules.modes {
        RunModes::All => [NO_MODE; 2],
        RunModes::NotRendered => [rendered; 2],
        RunModes::Static => [auto, rendered],
    }
}

/// Condition: the process takes runs of this job's mode. The same as in [`NEXT`].
macro_rules! is_taken_mode {
    ($rules:expr) => {{
        let [one, other] = $crate::queue::fairness::left_out($rules);
        jobs::mode.ne(one).and(jobs::mode.ne(other))
    }};
}
pub(crate) use is_taken_mode;

/// Subquery, on an alias of `jobs`, for the hosts that other processes audit. The same condition as in [`NEXT`].
macro_rules! hosts_of_others {
    ($taken:ident, $worker:expr, $rules:expr, $now:expr) => {{
        let process = $taken.field(jobs::lease_process);
        let is_of_another = process
            .is_null()
            .or(process.ne($crate::queue::fairness::sharer($worker, $rules)));
        $taken
            .filter($taken.field(jobs::kind).eq(JobKind::Run.as_str()))
            .filter($taken.field(jobs::lease_expires_at).gt($now))
            .filter(is_of_another)
            .select($taken.field(jobs::host))
    }};
}
pub(crate) use hosts_of_others;

/// Locks the claim counter until the transaction ends, and returns the number of this claim.
pub(crate) fn next_ticket(connection: &mut AnyConnection) -> Result<i64, StorageError> {
    diesel::update(counters::table.find(CLAIMS))
        .set(counters::value.eq(counters::value + 1))
        .execute(connection)?;
    let number = counters::table.find(CLAIMS).select(counters::value);
    Ok(number.get_result(connection)?)
}

/// Records that an organization had its turn.
pub(crate) fn note(
    connection: &mut AnyConnection,
    org: &str,
    number: i64,
) -> Result<(), StorageError> {
    let noted = diesel::update(organization_claims::table.find(org))
        .set(organization_claims::last_claim.eq(number))
        .execute(connection)?;
    if noted == 0 {
        diesel::insert_into(organization_claims::table)
            .values((
                organization_claims::org_id.eq(org),
                organization_claims::last_claim.eq(number),
            ))
            .execute(connection)?;
    }
    Ok(())
}
