//! What an operator wants to know of a database.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails where it cannot go on"
)]

mod support;

use chrono::TimeDelta;
use domain::audit_log::{Actor, AuditNote};
use domain::ports::{OrgStore, RunStore};
use domain::run::RequestHeaders;
use storage::{Error, SecretKey};
use support::{TestDatabase, after, new_org, new_run, noon};

#[test]
fn the_pool_tells_what_is_used() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        database.orgs().unwrap();
        let pool = database.pool();
        assert_eq!(pool.max, 8);
        assert!(pool.open >= 1 && pool.idle <= pool.open, "{pool:?}");
        assert_eq!(pool.timeouts, 0);
    }
}

#[test]
fn a_line_is_written_in_every_log() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let orgs: Vec<_> = (0..3).map(|_| new_org(&database)).collect();
        let note = AuditNote {
            event: "backup.made",
            subject: "a.db".to_owned(),
            detail: "12 bytes".to_owned(),
        };
        let by = Actor::CommandLine;
        database.note_everywhere(after(5), &by, &note).unwrap();
        for org in &orgs {
            let log = database.audit_log(org).unwrap();
            let last = log.last().unwrap();
            assert_eq!((last.event.as_str(), last.at), ("backup.made", after(5)));
            assert_eq!(log.len(), 2);
        }
        assert_eq!(database.last_change().unwrap(), Some(after(5)));
    }
}

#[test]
fn a_whole_database_gives_no_cause_for_complaint() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        new_org(&database);
        assert_eq!(database.complaints().unwrap(), Vec::<String>::new());
    }
}

#[test]
fn rows_that_point_nowhere_are_told() {
    let place = TestDatabase::sqlite();
    let database = place.migrated();
    place
        .execute(
            "PRAGMA foreign_keys = OFF;
             INSERT INTO usage_counters (org_id, period, runs) VALUES ('org_gone', '2026-11', 1)",
        )
        .unwrap();
    let complaints = database.complaints().unwrap();
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(
        complaints
            .iter()
            .all(|text| text.contains("usage_counters"))
    );
}

#[test]
fn a_server_has_a_clock_of_its_own() {
    let sqlite = TestDatabase::sqlite();
    assert_eq!(sqlite.migrated().server_time().unwrap(), None);
    let postgres = TestDatabase::postgres();
    let database = postgres.migrated();
    let first = database.server_time().unwrap().unwrap();
    let second = database.server_time().unwrap().unwrap();
    assert!(first <= second && second - first < TimeDelta::minutes(1));
    assert!(first > noon() - TimeDelta::days(3_650));
}

#[test]
fn it_is_told_whether_the_secret_key_fits() {
    for place in TestDatabase::all() {
        let key = |byte| SecretKey::new([byte; 32]);
        let database = place.migrated_with(key(1));
        let org = new_org(&database);
        assert_eq!(database.secret_fits().unwrap(), None);
        let mut run = new_run("example.com");
        let headers = [("X-Preview".to_owned(), "sesame".to_owned())];
        run.options.headers = RequestHeaders::parse(headers.into()).unwrap();
        database.start_run(&org, &run).unwrap();
        assert_eq!(database.secret_fits().unwrap(), Some(true));
        let with = |key: Option<SecretKey>| match key {
            Some(key) => place.connect().with_secret(key),
            None => place.connect(),
        };
        assert_eq!(with(Some(key(2))).secret_fits().unwrap(), Some(false));
        assert_eq!(with(None).secret_fits().unwrap(), Some(false));
    }
}

#[test]
fn the_state_of_a_schema_is_told() {
    for place in TestDatabase::all() {
        let database = place.connect();
        assert!(matches!(database.schema_state(), Err(Error::Store(_))));
        database.migrate().unwrap();
        assert_eq!(database.schema_state().unwrap(), Default::default());
        place
            .execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')")
            .unwrap();
        let state = database.schema_state().unwrap();
        assert_eq!(state.unknown, ["20991231000000"]);
        assert!(state.pending.is_empty());
    }
}
