//! Health probes of the database.

use std::path::PathBuf;
use std::time::Duration;

use crate::support::{TestDatabase, new_org};
use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};
use domain::ports::{Health, NotReady, OrgStore};
use storage::{Database, DatabaseOptions, DatabaseUrl};

fn file_of(place: &TestDatabase) -> PathBuf {
    match &place.url {
        DatabaseUrl::Sqlite(file) => file.clone(),
        DatabaseUrl::Postgres(_) => panic!("an SQLite database is required"),
    }
}

/// Returns why a probe fails; the stored result must be the same.
fn found(database: &Database) -> Option<NotReady> {
    let found = database.probe_health().err().map(|failure| failure.reason);
    assert_eq!(database.ready().err(), found);
    found
}

#[test]
fn a_database_that_can_be_written_is_ready() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        assert_eq!(found(&database), None);
        // Any number of times, and by several processes.
        assert_eq!(found(&place.connect()), None);
        assert_eq!(found(&database), None);
    }
}

#[test]
fn a_schema_that_has_to_be_migrated_is_not_ready() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let undo = "DELETE FROM __diesel_schema_migrations WHERE version = '20261122500002'";
        place.execute(undo).unwrap();
        assert_eq!(found(&database), Some(NotReady::MigrationsPending));
    }
}

#[test]
fn the_verdict_is_that_of_the_last_probe() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        assert_eq!(found(&database), None);
        place.execute("DROP TABLE health_probes").unwrap();
        assert_eq!(database.ready(), Ok(()));
        assert_eq!(found(&database), Some(NotReady::DatabaseFailed));
    }
}

#[test]
fn a_file_that_was_moved_is_not_ready_until_it_is_back() {
    let place = TestDatabase::sqlite();
    let (database, file) = (place.migrated(), file_of(&place));
    let away = file.with_extension("away");
    std::fs::rename(&file, &away).unwrap();
    assert_eq!(found(&database), Some(NotReady::DatabaseFileMissing));
    std::fs::rename(&away, &file).unwrap();
    assert_eq!(found(&database), None);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(found(&database), Some(NotReady::DatabaseFileMissing));
}

#[test]
fn a_file_that_was_replaced_is_not_ready() {
    let place = TestDatabase::sqlite();
    let (database, file) = (place.migrated(), file_of(&place));
    let copy = file.with_extension("copy");
    std::fs::copy(&file, &copy).unwrap();
    std::fs::rename(&copy, &file).unwrap();
    assert_eq!(found(&database), Some(NotReady::DatabaseFileReplaced));
}

/// A new connection would create the file again, and the next restart would use it.
#[test]
fn a_file_that_is_gone_is_not_made_again() {
    let place = TestDatabase::sqlite();
    let (database, file) = (place.migrated(), file_of(&place));
    new_org(&database);
    std::fs::remove_file(&file).unwrap();
    // These open connections outside the pool.
    assert!(database.wake_ups().is_err());
    assert!(database.back_up(&file.with_extension("backup")).is_err());
    assert!(!file.exists());
}

#[test]
fn a_file_that_another_process_keeps_locked_is_busy() {
    let place = TestDatabase::sqlite();
    place.migrated();
    let options = DatabaseOptions {
        connect_timeout: Duration::from_millis(50),
        ..DatabaseOptions::default()
    };
    let database = Database::connect(&place.url, &options).unwrap();
    let file = file_of(&place);
    let mut other = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
    other.batch_execute("BEGIN IMMEDIATE").unwrap();
    assert_eq!(found(&database), Some(NotReady::DatabaseBusy));
    other.batch_execute("ROLLBACK").unwrap();
    assert_eq!(found(&database), None);
}

#[test]
fn a_server_that_takes_no_connections_is_unreachable() {
    let place = TestDatabase::postgres();
    // The pool would open further connections beside the test, some of them after it has ended those that exist.
    let options = DatabaseOptions {
        max_connections: 1,
        connect_timeout: Duration::from_millis(200),
    };
    place.migrated();
    let database = Database::connect(&place.url, &options).unwrap();
    assert_eq!(found(&database), None);
    let DatabaseUrl::Postgres(url) = &place.url else {
        panic!("a PostgreSQL database is required");
    };
    let (server, name) = url.rsplit_once('/').unwrap();
    let mut beside = PgConnection::establish(&format!("{server}/postgres")).unwrap();
    // Two batches, because the server runs the statements of a batch in one transaction: connections would still be
    // accepted when the existing one ends. With a timeout, the second returns only after that connection has ended.
    let connections = |beside: &mut PgConnection, allowed: bool| {
        for batch in [
            format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}"),
            format!(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        ] {
            beside.batch_execute(&batch).unwrap();
        }
    };
    connections(&mut beside, false);
    assert_eq!(found(&database), Some(NotReady::DatabaseUnreachable));
    connections(&mut beside, true);
    assert_eq!(found(&database), None);
    assert!(database.orgs().unwrap().is_empty());
}
