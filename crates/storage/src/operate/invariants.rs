//! Database invariants: they are true at every moment, also after a kill, a lost connection or a full disk.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamp};
use domain::id::RunId;

use crate::database::Database;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::{Error, StorageError};
use crate::database::schema::runs;
use crate::database::values::stored_time;

/// A violated invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The violated rule.
    pub what: String,
    /// Where it is violated; the first few places.
    pub places: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.places.join(", "))
    }
}

/// Expectations from outside the database.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    /// Runs whose creation was confirmed to a client.
    pub runs: Vec<RunId>,
    /// Whether no run may be queued or running.
    pub at_rest: bool,
}

/// How long after its deadline a run may still be running: the time until the reaper ends it.
const NOTICE: TimeDelta = TimeDelta::minutes(1);

/// Maximum places listed for each violation.
const NAMED: usize = 5;

/// Rules on the rows: each query returns the violations. It counts rows by group, not by one query for each row.
/// $1 is the time.
const RULES: &[(&str, &str)] = &[
    (
        "a run that has not ended has no job",
        "SELECT runs.id AS place FROM runs
         LEFT JOIN jobs ON jobs.kind = 'run' AND jobs.subject_id = runs.id
         WHERE runs.status IN ('queued', 'running') AND jobs.id IS NULL",
    ),
    (
        "an ended or missing run has a job",
        "SELECT jobs.subject_id AS place FROM jobs
         LEFT JOIN runs ON runs.id = jobs.subject_id AND runs.org_id = jobs.org_id
         WHERE jobs.kind = 'run' AND coalesce(runs.status, 'none') NOT IN ('queued', 'running')",
    ),
    (
        "a run is claimed by a worker, but not running",
        "SELECT runs.id AS place FROM runs JOIN jobs ON jobs.subject_id = runs.id AND jobs.kind = 'run'
         WHERE jobs.lease_owner IS NOT NULL AND runs.status <> 'running'",
    ),
    (
        "a queued brief has no job",
        "SELECT action_briefs.action_id AS place FROM action_briefs
         LEFT JOIN jobs ON jobs.kind = 'brief' AND jobs.subject_id = action_briefs.action_id
         WHERE action_briefs.status IN ('queued', 'generating') AND jobs.id IS NULL",
    ),
    (
        "a pending delivery has no job, or its job has a different due time",
        "SELECT deliveries.id AS place FROM deliveries
         LEFT JOIN jobs ON jobs.kind = 'delivery' AND jobs.subject_id = deliveries.id
         WHERE deliveries.status = 'pending'
               AND (jobs.id IS NULL OR jobs.available_at <> deliveries.next_attempt_at)",
    ),
    (
        "an ended delivery has a job",
        "SELECT jobs.subject_id AS place FROM jobs
         LEFT JOIN deliveries ON deliveries.id = jobs.subject_id
         WHERE jobs.kind = 'delivery' AND coalesce(deliveries.status, 'none') <> 'pending'",
    ),
    (
        // It may be due later after an attempt that failed.
        "an enabled schedule has no job, or its job is due too early",
        "SELECT schedules.site_id AS place FROM schedules
         LEFT JOIN jobs ON jobs.kind = 'schedule' AND jobs.subject_id = schedules.site_id
         WHERE schedules.enabled AND schedules.next_run_at IS NOT NULL
               AND (jobs.id IS NULL OR jobs.available_at < schedules.next_run_at)",
    ),
    (
        "an organization has no retention job",
        "SELECT organizations.id AS place FROM organizations
         LEFT JOIN jobs ON jobs.kind = 'retention' AND jobs.subject_id = organizations.id
         WHERE jobs.id IS NULL",
    ),
    (
        "a completed run does not have exactly one report",
        "SELECT runs.id AS place FROM runs LEFT JOIN reports ON reports.run_id = runs.id
         WHERE runs.status = 'completed' AND NOT runs.hidden GROUP BY runs.id HAVING count(reports.id) <> 1",
    ),
    (
        "a run that is not completed has a report",
        "SELECT runs.id AS place FROM runs JOIN reports ON reports.run_id = runs.id
         WHERE runs.status <> 'completed'",
    ),
    (
        "a report belongs to a different organization or site than its run",
        "SELECT reports.id AS place FROM reports JOIN runs ON runs.id = reports.run_id
         WHERE reports.org_id <> runs.org_id OR reports.site_id <> runs.site_id",
    ),
    (
        "an issue belongs to a different organization than its report",
        "SELECT issues.id AS place FROM issues JOIN reports ON reports.id = issues.report_id
         WHERE issues.org_id <> reports.org_id",
    ),
    (
        "an action item belongs to a different organization than its site",
        "SELECT actions.id AS place FROM actions JOIN sites ON sites.id = actions.site_id
         WHERE actions.org_id <> sites.org_id",
    ),
    (
        "an ended run has occurrences of a stale epoch, or without a report",
        "SELECT DISTINCT occurrences.run_id AS place FROM occurrences
         JOIN runs ON runs.id = occurrences.run_id
         LEFT JOIN reports ON reports.run_id = occurrences.run_id
                              AND reports.epoch = occurrences.epoch
         WHERE runs.status NOT IN ('queued', 'running') AND NOT runs.hidden AND reports.id IS NULL",
    ),
    (
        "an ended run has pages of a stale epoch, or without a report",
        "SELECT DISTINCT pages.run_id AS place FROM pages
         JOIN runs ON runs.id = pages.run_id
         LEFT JOIN reports ON reports.run_id = pages.run_id AND reports.epoch = pages.epoch
         WHERE runs.status NOT IN ('queued', 'running') AND NOT runs.hidden AND reports.id IS NULL",
    ),
    (
        "an ended run has causes of a stale epoch, or without a report",
        "SELECT DISTINCT causes.run_id AS place FROM causes
         JOIN runs ON runs.id = causes.run_id
         LEFT JOIN reports ON reports.run_id = causes.run_id AND reports.epoch = causes.epoch
         WHERE runs.status NOT IN ('queued', 'running') AND NOT runs.hidden AND reports.id IS NULL",
    ),
    (
        "a run has occurrences of a future epoch",
        "SELECT DISTINCT occurrences.run_id AS place FROM occurrences
         JOIN jobs ON jobs.subject_id = occurrences.run_id AND jobs.kind = 'run'
         WHERE occurrences.epoch > jobs.epoch",
    ),
    (
        "the occurrence count of an issue differs from the stored occurrences",
        "SELECT issues.id AS place FROM issues JOIN reports ON reports.id = issues.report_id
         LEFT JOIN (
             SELECT causes.run_id, causes.epoch, causes.issue_position, count(*) AS stored
             FROM occurrences
             JOIN causes ON causes.run_id = occurrences.run_id AND causes.epoch = occurrences.epoch
                            AND causes.position = occurrences.cause_position
             GROUP BY causes.run_id, causes.epoch, causes.issue_position
         ) AS counted ON counted.run_id = reports.run_id AND counted.epoch = reports.epoch
                         AND counted.issue_position = issues.position
         WHERE issues.occurrences_stored <> coalesce(counted.stored, 0)",
    ),
    (
        "the cause count of an issue differs from the stored causes",
        "SELECT issues.id AS place FROM issues JOIN reports ON reports.id = issues.report_id
         LEFT JOIN (
             SELECT run_id, epoch, issue_position, count(*) AS stored FROM causes
             GROUP BY run_id, epoch, issue_position
         ) AS counted ON counted.run_id = reports.run_id AND counted.epoch = reports.epoch
                         AND counted.issue_position = issues.position
         WHERE issues.causes_stored <> coalesce(counted.stored, 0)",
    ),
    (
        "the occurrence count of a cause differs from the stored occurrences",
        "SELECT causes.fingerprint AS place FROM causes
         JOIN reports ON reports.run_id = causes.run_id AND reports.epoch = causes.epoch
         LEFT JOIN (
             SELECT run_id, epoch, cause_position, count(*) AS stored FROM occurrences
             GROUP BY run_id, epoch, cause_position
         ) AS counted ON counted.run_id = causes.run_id AND counted.epoch = causes.epoch
                         AND counted.cause_position = causes.position
         WHERE causes.occurrences_stored <> coalesce(counted.stored, 0)",
    ),
    (
        "an occurrence has no cause",
        "SELECT DISTINCT occurrences.run_id AS place FROM occurrences
         JOIN reports ON reports.run_id = occurrences.run_id
                         AND reports.epoch = occurrences.epoch
         LEFT JOIN causes ON causes.run_id = occurrences.run_id
                             AND causes.epoch = occurrences.epoch
                             AND causes.position = occurrences.cause_position
         WHERE causes.run_id IS NULL",
    ),
    (
        "a site has two action items for one check",
        "SELECT site_id || ' ' || check_id AS place FROM actions
         WHERE check_id IS NOT NULL GROUP BY site_id, check_id HAVING count(*) > 1",
    ),
    (
        "two processes audit the same host",
        "SELECT host AS place FROM jobs WHERE kind = 'run' AND lease_expires_at > $1
         GROUP BY host HAVING count(DISTINCT lease_process) > 1",
    ),
    (
        "the usage of a month is lower than its accepted runs without those that failed with `internal`",
        "SELECT owed.org_id || ' ' || owed.period AS place FROM (
             SELECT org_id, substr(CAST(created_at AS TEXT), 1, 7) AS period, count(*) AS runs
             FROM runs WHERE error_code IS NULL OR error_code <> 'internal' GROUP BY 1, 2
         ) AS owed
         LEFT JOIN usage_counters ON usage_counters.org_id = owed.org_id
                                     AND usage_counters.period = owed.period
         WHERE coalesce(usage_counters.runs, 0) < owed.runs",
    ),
    (
        "an ended run has reserved rendered pages",
        "SELECT id AS place FROM runs
         WHERE reserved_pages IS NOT NULL AND status NOT IN ('queued', 'running')",
    ),
    (
        "the rendered pages of a month are fewer than its runs have reserved",
        "SELECT owed.org_id || ' ' || owed.period AS place FROM (
             SELECT org_id, substr(CAST(created_at AS TEXT), 1, 7) AS period, sum(reserved_pages) AS pages
             FROM runs WHERE reserved_pages > 0 AND status IN ('queued', 'running') GROUP BY 1, 2
         ) AS owed
         LEFT JOIN usage_counters ON usage_counters.org_id = owed.org_id
                                     AND usage_counters.period = owed.period
         WHERE coalesce(usage_counters.rendered_pages, 0) < owed.pages",
    ),
    (
        // Runs that were removed, with their site, for what they take or for their age, stay counted;
        // the newest month has none that were removed for their age, unless runs are kept for less than
        // a month.
        "the usage of a month is higher than its accepted runs without those that failed with `internal`",
        "SELECT usage_counters.org_id || ' ' || usage_counters.period AS place FROM usage_counters
         LEFT JOIN (
             SELECT org_id, substr(CAST(created_at AS TEXT), 1, 7) AS period, count(*) AS runs
             FROM runs WHERE error_code IS NULL OR error_code <> 'internal' GROUP BY 1, 2
         ) AS owed ON owed.org_id = usage_counters.org_id AND owed.period = usage_counters.period
         WHERE usage_counters.runs > coalesce(owed.runs, 0) AND usage_counters.period = (
             SELECT max(newest.period) FROM usage_counters AS newest
             WHERE newest.org_id = usage_counters.org_id
         ) AND NOT EXISTS (
             SELECT 1 FROM audit_log WHERE audit_log.org_id = usage_counters.org_id
                      AND audit_log.event IN ('site.deleted', 'runs.removed_for_storage')
         )",
    ),
    (
        "the stored bytes of an organization differ from the sum of its runs",
        "SELECT organizations.id AS place FROM organizations
         LEFT JOIN org_storage ON org_storage.org_id = organizations.id
         WHERE coalesce(org_storage.bytes, 0) <> coalesce(
             (SELECT sum(runs.stored_bytes) FROM runs WHERE runs.org_id = organizations.id), 0
         )",
    ),
    (
        "a run has stored bytes without a report, or a report without stored bytes",
        "SELECT runs.id AS place FROM runs LEFT JOIN reports ON reports.run_id = runs.id
         WHERE (runs.stored_bytes > 0) <> (reports.id IS NOT NULL)",
    ),
    (
        "a run reached the crash limit, but has not ended",
        "SELECT subject_id AS place FROM jobs WHERE kind = 'run' AND crashes >= 2",
    ),
    (
        // Events are kept for a time, and there are none of runs that ended before there were events.
        "an ended run has no event",
        "SELECT runs.id AS place FROM runs
         LEFT JOIN events ON events.id = 'evt_' || substr(runs.id, 5)
         WHERE runs.status IN ('completed', 'failed') AND events.id IS NULL
               AND runs.finished_at >= (SELECT min(created_at) FROM events)",
    ),
    (
        "the event of a run has a different outcome than the run",
        "SELECT events.id AS place FROM events JOIN runs ON events.id = 'evt_' || substr(runs.id, 5)
         WHERE events.kind <> 'run.' || runs.status",
    ),
    (
        "an account is a member of no organization",
        "SELECT accounts.id AS place FROM accounts
         LEFT JOIN members ON members.account_id = accounts.id WHERE members.id IS NULL",
    ),
    (
        "a member has a different address than its account",
        "SELECT members.id AS place FROM members
         JOIN accounts ON accounts.id = members.account_id WHERE members.email <> accounts.email",
    ),
    (
        "a one-time link belongs to a different organization than its member",
        "SELECT members.id AS place FROM one_time_links
         JOIN members ON members.id = one_time_links.member_id
         WHERE members.org_id <> one_time_links.org_id",
    ),
    (
        "a password reset is for a different account than its member has",
        "SELECT members.id AS place FROM one_time_links
         JOIN members ON members.id = one_time_links.member_id
         WHERE one_time_links.account_id <> coalesce(members.account_id, 'none')",
    ),
];

/// How PostgreSQL runs the rules. They read every row, which takes longer than an ordinary statement may. Right after
/// many rows were written the planner has no statistics yet, expects a few rows, and would compare every row of one
/// table with every row of another.
const POSTGRESQL_PLANS: &str = "SET statement_timeout = 0; SET enable_nestloop = off";

/// Queries beside the rules. $1 is a time.
const PAST_DEADLINE: &str =
    "SELECT subject_id AS place FROM jobs WHERE kind = 'run' AND deadline_at < $1";
const UNFINISHED: &str =
    "SELECT id || ' is ' || status AS place FROM runs WHERE status IN ('queued', 'running')";
const SQLITE_INTEGRITY: &str =
    "SELECT integrity_check AS place FROM pragma_integrity_check WHERE integrity_check <> 'ok'";
const SQLITE_KEYS: &str =
    "SELECT \"table\" || ' row ' || coalesce(rowid, '?') AS place FROM pragma_foreign_key_check";
const POSTGRESQL_INTEGRITY: &str = "SELECT CAST(CAST(indexrelid AS regclass) AS TEXT) AS place
     FROM pg_index WHERE NOT indisvalid OR NOT indisready";

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Text)]
    place: String,
}

impl Database {
    /// Returns the names of the rules, as in [`Violation::what`].
    #[cfg(feature = "testing")]
    pub fn rules() -> impl Iterator<Item = &'static str> {
        RULES.iter().map(|(what, _)| *what)
    }

    /// Returns the violated invariants at a time. Reads every row; for tests, and for use after faults.
    ///
    /// # Errors
    /// If the database fails.
    pub fn violations(
        &self,
        expected: &Expected,
        now: DateTime<Utc>,
    ) -> Result<Vec<Violation>, Error> {
        let mut connection = self.open_another()?;
        if let AnyConnection::Postgres(server) = &mut connection {
            server
                .batch_execute(POSTGRESQL_PLANS)
                .map_err(|error| Error::Store(StorageError::from(error).into()))?;
        }
        look(&mut connection, expected, now).map_err(|fault| Error::Store(fault.into()))
    }
}

fn look(
    connection: &mut AnyConnection,
    expected: &Expected,
    now: DateTime<Utc>,
) -> Result<Vec<Violation>, StorageError> {
    let mut found = Vec::new();
    let missing = missing(connection, &expected.runs)?;
    add(
        &mut found,
        "a run that was returned to a client is missing",
        missing,
    );
    for (what, sql) in RULES {
        add(&mut found, what, places(connection, sql, now)?);
    }
    let late = places(connection, PAST_DEADLINE, now - NOTICE)?;
    add(&mut found, "a run continues past its deadline", late);
    if expected.at_rest {
        let unfinished = places(connection, UNFINISHED, now)?;
        add(&mut found, "a run has not ended", unfinished);
    }
    for (what, sql) in integrity(connection) {
        add(&mut found, what, places(connection, sql, now)?);
    }
    Ok(found)
}

/// The integrity checks of each database.
fn integrity(connection: &AnyConnection) -> Vec<(&'static str, &'static str)> {
    match connection {
        AnyConnection::Sqlite(_) => vec![
            ("the file is damaged", SQLITE_INTEGRITY),
            ("a row references a missing row", SQLITE_KEYS),
        ],
        AnyConnection::Postgres(_) => vec![("an index is invalid", POSTGRESQL_INTEGRITY)],
    }
}

fn add(found: &mut Vec<Violation>, what: &str, mut places: Vec<String>) {
    if places.is_empty() {
        return;
    }
    let more = places.len().saturating_sub(NAMED);
    places.truncate(NAMED);
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    found.push(Violation {
        what: what.to_owned(),
        places,
    });
}

fn places(
    connection: &mut AnyConnection,
    sql: &str,
    now: DateTime<Utc>,
) -> Result<Vec<String>, StorageError> {
    let found: Vec<Found> = match sql.contains("$1") {
        true => {
            let asked = diesel::sql_query(sql).bind::<Timestamp, _>(stored_time(now));
            on_either!(connection, inner => asked.load(inner))?
        }
        false => on_either!(connection, inner => diesel::sql_query(sql).load(inner))?,
    };
    Ok(found.into_iter().map(|found| found.place).collect())
}

fn missing(connection: &mut AnyConnection, runs: &[RunId]) -> Result<Vec<String>, StorageError> {
    let mut missing = Vec::new();
    for run in runs {
        let there = runs::table.find(run.as_str()).count();
        if there.get_result::<i64>(connection)? == 0 {
            missing.push(run.as_str().to_owned());
        }
    }
    Ok(missing)
}
