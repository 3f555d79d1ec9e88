//! What is known of the backups of a database, on both databases.

use chrono::TimeDelta;
use domain::backup::{BackupState, GoodBackup, MAX_REASON_CHARS, Verification};
use domain::ports::{LeaseStatus, WorkerId};
use storage::{Database, DatabaseOptions};
use testkit::{TestPostgres, sample};

fn on_both(test: fn(&Database)) {
    test(&Database::for_test());
    let migrate = |url: &str| {
        let url = url.parse().unwrap();
        let database = Database::connect(&url, &DatabaseOptions::default()).unwrap();
        database.migrate().unwrap();
        database
    };
    let place = TestPostgres::migrated(|url| drop(migrate(url)));
    test(&migrate(place.url()));
}

const LEASE: TimeDelta = TimeDelta::minutes(15);

fn worker(name: &str) -> WorkerId {
    WorkerId(name.to_owned())
}

fn good() -> GoodBackup {
    GoodBackup {
        at: sample::noon(),
        name: "assay-backup-20261126-032000Z.db".to_owned(),
        size_bytes: 7_000_000_000,
        verification: Verification::Read,
    }
}

#[test]
fn one_worker_at_a_time_makes_a_backup() {
    on_both(|database| {
        let (one, two, now) = (worker("a-backup"), worker("b-backup"), sample::noon());
        assert!(database.claim_backup(&one, LEASE, now).unwrap());
        assert!(!database.claim_backup(&two, LEASE, now).unwrap());
        assert_eq!(
            database.renew_backup(&one, LEASE, now),
            Ok(LeaseStatus::Held)
        );
        assert_eq!(
            database.renew_backup(&two, LEASE, now),
            Ok(LeaseStatus::Lost)
        );
        assert_eq!(
            database.record_good_backup(&two, &good()),
            Ok(LeaseStatus::Lost)
        );
        assert_eq!(
            database.record_failed_backup(&two, "x", now),
            Ok(LeaseStatus::Lost)
        );
        assert_eq!(database.release_backup(&two), Ok(LeaseStatus::Lost));
        assert_eq!(database.backup_state(), Ok(BackupState::default()));
        assert_eq!(database.release_backup(&one), Ok(LeaseStatus::Held));
        assert!(database.claim_backup(&two, LEASE, now).unwrap());
        database.release_any_backup().unwrap();
        assert!(database.claim_backup(&one, LEASE, now).unwrap());
    });
}

#[test]
fn one_of_many_workers_gets_the_lease() {
    on_both(|database| {
        let claimed = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|number| {
                    scope.spawn(move || {
                        let one = worker(&format!("{number}-backup"));
                        database.claim_backup(&one, LEASE, sample::noon()).unwrap()
                    })
                })
                .collect();
            let results = threads.into_iter().map(|thread| thread.join().unwrap());
            results.filter(|claimed| *claimed).count()
        });
        assert_eq!(claimed, 1);
    });
}

#[test]
fn the_outcomes_of_backups_are_recorded() {
    on_both(|database| {
        let (one, now) = (worker("a-backup"), sample::noon());
        for failures in 1..=2 {
            assert!(database.claim_backup(&one, LEASE, now).unwrap());
            let reason = format!("the store\nis full {}", "x".repeat(MAX_REASON_CHARS));
            let recorded = database.record_failed_backup(&one, &reason, now);
            assert_eq!(recorded, Ok(LeaseStatus::Held));
            let state = database.backup_state().unwrap();
            let failure = state.failure.unwrap();
            assert_eq!(
                (state.good, failure.count, failure.at),
                (None, failures, now)
            );
            assert!(failure.reason.starts_with("the store is full xxx"));
            assert_eq!(failure.reason.chars().count(), MAX_REASON_CHARS);
        }
        assert!(database.claim_backup(&one, LEASE, now).unwrap());
        assert_eq!(
            database.record_good_backup(&one, &good()),
            Ok(LeaseStatus::Held)
        );
        let state = database.backup_state().unwrap();
        assert_eq!((state.good, state.failure), (Some(good()), None));
        // A later failure does not hide the last good one.
        assert!(database.claim_backup(&one, LEASE, now).unwrap());
        let recorded = database.record_failed_backup(&one, "gone", now);
        assert_eq!(recorded, Ok(LeaseStatus::Held));
        let state = database.backup_state().unwrap();
        assert_eq!(state.good, Some(good()));
        assert_eq!(state.failure.unwrap().count, 1);
    });
}

#[test]
fn a_temporary_database_is_empty_and_dropped_with_its_value() {
    let place = TestPostgres::database();
    let url = place.url().parse().unwrap();
    let database = Database::connect(&url, &DatabaseOptions::default()).unwrap();
    let temporary = database.create_temporary().unwrap().unwrap();
    let name = temporary.connection_string().without_password().to_owned();
    assert!(name.contains("assay_verify_"), "{name}");
    // No migration was ever run there.
    assert!(temporary.contents().is_err());
    // One that an earlier process left is replaced.
    std::mem::forget(temporary);
    let again = database.create_temporary().unwrap().unwrap();
    let url = again
        .connection_string()
        .without_password()
        .parse()
        .unwrap();
    let options = DatabaseOptions {
        max_connections: 1,
        ..DatabaseOptions::default()
    };
    let inside = Database::connect(&url, &options).unwrap();
    inside.migrate().unwrap();
    let contents = again.contents().unwrap();
    assert!(contents.tables > 20 && contents.rows > 0, "{contents:?}");
    drop(again);
    assert!(Database::connect(&url, &options).is_err());
    assert!(Database::for_test().create_temporary().unwrap().is_none());
}
