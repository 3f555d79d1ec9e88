//! Every violated invariant is detected, and nothing else is reported.

use crate::support::{Ids, TestDatabase, add_person, after, new_org, new_run};
use domain::account::{LinkPurpose, OneTimeLink, Token};
use domain::audit_log::Actor;
use domain::id::{OrgId, RunId};
use domain::ports::{
    AccountStore, Claim, JobQueue, LeaseStatus, NewRun, OrgStore, QueueRules, RunStore, WorkerId,
};
use domain::run::{RequestHeaders, RunError};
use domain::score::DimensionWeights;
use domain::usecase::complete_run;
use storage::{Database, Expected, SecretKey, Violation};
use testkit::{FixedClock, sample};

fn claim(database: &Database, worker: &str, second: i64) -> Claim {
    let worker = WorkerId(worker.to_owned());
    let claimed = database.claim(&worker, &QueueRules::DEFAULT, after(second));
    claimed.unwrap().unwrap()
}

fn with_headers(host: &str) -> NewRun {
    let mut run = new_run(host);
    let headers = [("X-Preview".to_owned(), "sesame".to_owned())];
    run.options.headers = RequestHeaders::parse(headers.into()).unwrap();
    run
}

/// Runs of two organizations: one completed, one failed, one running, one queued.
fn used(place: &TestDatabase) -> Database {
    let database = place.migrated_with(SecretKey::new([1; 32]));
    let (org, other) = (new_org(&database), new_org(&database));
    database.start_run(&org, &new_run("done.example")).unwrap();
    let done = claim(&database, "a", 1);
    let held = complete_run(
        &database,
        &FixedClock::new(after(2)),
        &Ids,
        &DimensionWeights::default(),
        &done,
        &sample::audit_result(),
        &mut || Ok(LeaseStatus::Held),
    );
    assert_eq!(held, Ok(LeaseStatus::Held));
    database
        .start_run(&other, &new_run("failed.example"))
        .unwrap();
    let failed = claim(&database, "a", 3);
    let late = RunError::past_deadline();
    assert_eq!(
        database.fail(&failed, &late, after(4)),
        Ok(LeaseStatus::Held)
    );
    database
        .start_run(&org, &with_headers("held.example"))
        .unwrap();
    claim(&database, "a", 5);
    database
        .start_run(&other, &new_run("waits.example"))
        .unwrap();
    add_people(&database, &org);
    database
}

/// Two people with an account, one of whom has a link for another password.
fn add_people(database: &Database, org: &OrgId) {
    for name in ["ada", "bob"] {
        add_person(database, org, name);
    }
    let members = database.members(org).unwrap();
    let ada = members.iter().find(|member| member.name == "ada").unwrap();
    let account = database.account_of(org, &ada.id).unwrap().unwrap();
    let reset = OneTimeLink {
        purpose: LinkPurpose::PasswordReset,
        org_id: org.clone(),
        member_id: Some(ada.id.clone()),
        account_id: Some(account.id),
        created_at: after(7),
        expires_at: after(600),
    };
    let token = Token::generate(&Ids).hash();
    let by = Actor::CommandLine;
    assert!(database.create_link(&reset, &token, &by).unwrap());
}

fn look(database: &Database) -> Vec<Violation> {
    database
        .violations(&Expected::default(), after(10))
        .unwrap()
}

/// A rule, and SQL that violates it.
const BROKEN: &[(&str, &str)] = &[
    (
        "a run that has not ended has no job",
        "DELETE FROM jobs WHERE lease_owner IS NULL",
    ),
    (
        "an ended or missing run has a job",
        "UPDATE runs SET status = 'cancelled', finished_at = created_at WHERE status = 'queued'",
    ),
    (
        "an ended run has reserved rendered pages",
        "UPDATE runs SET reserved_pages = 0 WHERE status = 'completed'",
    ),
    (
        "the rendered pages of a month are fewer than its runs have reserved",
        "UPDATE runs SET reserved_pages = 5 WHERE status = 'running'",
    ),
    (
        "a queued brief has no job",
        "INSERT INTO action_briefs (action_id, org_id, status, generation, queued_at)
         SELECT id, org_id, 'queued', 1, created_at FROM actions",
    ),
    (
        "a pending delivery has no job, or its job has a different due time",
        "INSERT INTO deliveries (id, org_id, webhook_id, event_id, kind, status, attempts,
                                 next_attempt_at, created_at, epoch)
         SELECT 'dlv_' || id, org_id, 'whk_1', id, kind, 'pending', '[]', created_at, created_at, 0
         FROM events",
    ),
    (
        "an ended delivery has a job",
        "INSERT INTO jobs (id, kind, subject_id, org_id, host, queued_at, available_at, attempts, epoch)
         SELECT 'job_dlv_' || id, 'delivery', 'dlv_' || id, id, 'whk_1', created_at, created_at, 0, 0
         FROM organizations",
    ),
    (
        "an enabled schedule has no job, or its job is due too early",
        "INSERT INTO schedules (site_id, org_id, enabled, frequency, timezone, next_run_at)
         SELECT id, org_id, true, 'daily', 'UTC', created_at FROM sites",
    ),
    (
        "an organization has no retention job",
        "DELETE FROM jobs WHERE kind = 'retention'",
    ),
    (
        "a run is claimed by a worker, but not running",
        "UPDATE runs SET status = 'queued' WHERE status = 'running'",
    ),
    (
        "a completed run does not have exactly one report",
        "DELETE FROM reports",
    ),
    (
        "a run that is not completed has a report",
        "UPDATE runs SET status = 'failed', error_code = 'blocked', error_message = 'x'
         WHERE status = 'completed'",
    ),
    (
        "a report belongs to a different organization or site than its run",
        "UPDATE reports SET site_id = (SELECT site_id FROM runs WHERE status = 'queued')",
    ),
    (
        "an issue belongs to a different organization than its report",
        "UPDATE issues SET org_id = (SELECT org_id FROM runs WHERE status = 'failed')",
    ),
    (
        "an action item belongs to a different organization than its site",
        "UPDATE actions SET org_id = (SELECT org_id FROM runs WHERE status = 'failed')",
    ),
    (
        "an ended run has occurrences of a stale epoch, or without a report",
        "UPDATE occurrences SET epoch = epoch - 1",
    ),
    (
        "an ended run has causes of a stale epoch, or without a report",
        "UPDATE causes SET epoch = epoch - 1",
    ),
    (
        "the cause count of an issue differs from the stored causes",
        "UPDATE issues SET causes_stored = causes_stored + 1",
    ),
    (
        "the occurrence count of a cause differs from the stored occurrences",
        "UPDATE causes SET occurrences_stored = occurrences_stored + 1",
    ),
    (
        "an occurrence has no cause",
        "DELETE FROM causes WHERE position = 1",
    ),
    (
        "an ended run has pages of a stale epoch, or without a report",
        "INSERT INTO pages (run_id, epoch, position, url, audited, issues, issues_legacy)
         SELECT id, 1, 0, 'https://failed.example/', true, 0, 0 FROM runs WHERE status = 'failed'",
    ),
    (
        "a run has occurrences of a future epoch",
        "INSERT INTO occurrences (run_id, epoch, cause_position, ordinal, url, message)
         SELECT id, 9, 0, 0, 'https://held.example/', 'x' FROM runs WHERE status = 'running'",
    ),
    (
        "the occurrence count of an issue differs from the stored occurrences",
        "UPDATE issues SET occurrences_stored = occurrences_stored + 1",
    ),
    (
        "a site has two action items for one check",
        "DROP INDEX actions_check; UPDATE actions SET check_id = 'image-alt'",
    ),
    (
        "two processes audit the same host",
        "UPDATE jobs SET host = 'held.example', lease_owner = 'b', lease_process = 'b',
             lease_expires_at = (SELECT max(lease_expires_at) FROM jobs)
         WHERE lease_owner IS NULL",
    ),
    (
        "the usage of a month is lower than its accepted runs without those that failed with `internal`",
        "UPDATE usage_counters SET runs = runs - 1",
    ),
    (
        "the usage of a month is higher than its accepted runs without those that failed with `internal`",
        "UPDATE usage_counters SET runs = runs + 1",
    ),
    (
        "the stored bytes of an organization differ from the sum of its runs",
        "UPDATE org_storage SET bytes = bytes + 1",
    ),
    (
        "a run has stored bytes without a report, or a report without stored bytes",
        "UPDATE runs SET stored_bytes = 0",
    ),
    (
        "a run reached the crash limit, but has not ended",
        "UPDATE jobs SET crashes = 2",
    ),
    (
        "an ended run has no event",
        "DELETE FROM events WHERE kind = 'run.failed'",
    ),
    (
        "the event of a run has a different outcome than the run",
        "UPDATE events SET kind = 'run.completed' WHERE kind = 'run.failed'",
    ),
    (
        "an account is a member of no organization",
        "UPDATE members SET account_id = NULL WHERE name = 'ada'",
    ),
    (
        "a member has a different address than its account",
        "UPDATE members SET email = 'eve@example.com' WHERE name = 'ada'",
    ),
    (
        "a one-time link belongs to a different organization than its member",
        "UPDATE one_time_links SET org_id = (
             SELECT max(id) FROM organizations WHERE id <> one_time_links.org_id
         )",
    ),
    (
        "a password reset is for a different account than its member has",
        "UPDATE one_time_links SET account_id = (
             SELECT min(id) FROM accounts WHERE id <> one_time_links.account_id
         )",
    ),
];

/// Adds SQL that disables the constraints which prevent the violation.
fn unguarded(place: &TestDatabase, sql: &str) -> String {
    match &place.url {
        storage::DatabaseUrl::Sqlite(_) => {
            format!("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; {sql}")
        }
        storage::DatabaseUrl::Postgres(_) => {
            format!("SET session_replication_role = replica; {sql}")
        }
    }
}

fn every_rule_finds_what_breaks_it(fresh: fn() -> TestDatabase) {
    for (what, sql) in BROKEN {
        let place = fresh();
        let database = used(&place);
        assert_eq!(look(&database), [], "before: {what}");
        if let Err(error) = place.execute(&unguarded(&place, sql)) {
            panic!("{what}: {error}");
        }
        let found = look(&database);
        let broken: Vec<_> = found.iter().map(|one| one.what.as_str()).collect();
        assert!(broken.contains(what), "{what}: {found:?}");
        let named = found.iter().find(|one| one.what == *what).unwrap();
        assert!(!named.places.is_empty() && !named.to_string().is_empty());
    }
}

#[test]
fn every_rule_has_something_that_breaks_it() {
    let untested = |what: &&str| !BROKEN.iter().any(|(broken, _)| broken == what);
    let untested: Vec<_> = Database::rules().filter(untested).collect();
    assert!(untested.is_empty(), "{untested:?}");
}

#[test]
fn every_rule_finds_what_breaks_it_in_sqlite() {
    every_rule_finds_what_breaks_it(TestDatabase::sqlite);
}

#[test]
fn every_rule_finds_what_breaks_it_in_postgresql() {
    every_rule_finds_what_breaks_it(TestDatabase::postgres);
}

#[test]
fn outside_expectations_are_checked_too() {
    for place in TestDatabase::all() {
        let database = used(&place);
        let stranger = RunId::make(&Ids);
        let expected = Expected {
            runs: vec![stranger.clone()],
            at_rest: true,
        };
        let found = database.violations(&expected, after(10)).unwrap();
        let [missing, unfinished] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(missing.places, [stranger.as_str()]);
        assert_eq!(unfinished.what, "a run has not ended");
        assert_eq!(unfinished.places.len(), 2);
        let late = after(3_600 * 24);
        let found = database.violations(&Expected::default(), late).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found
                .iter()
                .all(|one| one.what.contains("past its deadline"))
        );
    }
}
