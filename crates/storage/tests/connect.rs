//! Connecting and reconnecting to a database.

use std::time::{Duration, Instant};

use crate::support::{Ids, TestDatabase, after, new_org, noon};
use domain::audit_log::Actor;
use domain::id::KeyId;
use domain::key::{KeyHash, Role};
use domain::ports::{KeyStore, NewKey, OrgStore, StoreError};
use storage::{Database, DatabaseOptions, DatabaseUrl, Error};

fn options() -> DatabaseOptions {
    DatabaseOptions {
        max_connections: 4,
        connect_timeout: Duration::from_secs(2),
    }
}

fn refusal(url: &DatabaseUrl) -> Error {
    match Database::connect(url, &options()) {
        Ok(database) => panic!("{database:?}"),
        Err(error) => error,
    }
}

/// The server's database with another user, host or parameter.
fn changed(place: &TestDatabase, from: &str, to: &str) -> DatabaseUrl {
    let DatabaseUrl::Postgres(url) = &place.url else {
        panic!("{:?}", place.url);
    };
    assert!(url.contains(from), "{:?}", place.url);
    DatabaseUrl::Postgres(url.replacen(from, to, 1))
}

#[cfg(unix)]
#[test]
fn a_new_file_is_readable_only_by_its_owner() {
    use std::os::unix::fs::PermissionsExt;

    let place = TestDatabase::sqlite();
    new_org(&place.migrated());
    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{entry:?}");
    }
}

#[test]
fn a_missing_folder_is_named() {
    let place = TestDatabase::sqlite();
    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    let missing = path.parent().unwrap().join("missing");
    let error = refusal(&DatabaseUrl::Sqlite(missing.join("assay.db")));
    assert!(
        error.to_string().contains(missing.to_str().unwrap()),
        "{error}"
    );
    assert!(!missing.exists());
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let place = TestDatabase::sqlite();
    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    std::fs::write(
        path,
        "This is a letter, and by far long enough to be looked at.".repeat(20),
    )
    .unwrap();
    let error = refusal(&place.url);
    assert!(error.to_string().contains("not a database"), "{error}");
}

#[test]
fn an_unreachable_server_is_reported_at_once() {
    let started = Instant::now();
    let url = "postgres://nobody:secret@127.0.0.1:1/nowhere"
        .parse()
        .unwrap();
    let error = refusal(&url);
    assert!(matches!(error, Error::Unreachable(_)), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("secret"));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_url_that_libpq_cannot_read_is_not_repeated() {
    for url in [
        "postgres://u:se%zzcret@h/d",
        "postgres://u:p:secret@h/d",
        "postgres://u:x@secret@127.0.0.1:1/d",
    ] {
        let error = refusal(&url.parse().unwrap());
        let text = format!("{error} {error:?}");
        assert!(
            !text.contains("secret") && !text.contains("zzcret"),
            "{text}"
        );
    }
}

#[test]
fn tls_that_is_not_built_in_names_the_feature() {
    if cfg!(feature = "postgres-tls") {
        return;
    }
    let url = "postgres://u@127.0.0.1:1/d?sslmode=require"
        .parse()
        .unwrap();
    let error = refusal(&url);
    assert!(matches!(error, Error::NoTls(_)), "{error:?}");
    assert!(error.to_string().contains("postgres-tls"), "{error}");
}

#[test]
fn a_missing_database_and_a_missing_user_are_told_apart() {
    let place = TestDatabase::postgres();
    let error = refusal(&changed(&place, "/assay_", "/missing_"));
    assert!(matches!(error, Error::NoDatabase(_)), "{error:?}");
    let error = refusal(&changed(
        &place,
        "://",
        "://nobody_of_that_name:x@127.0.0.1,",
    ));
    assert!(!matches!(error, Error::NoDatabase(_)), "{error:?}");
}

#[test]
fn connections_that_the_server_closed_are_replaced() {
    let place = TestDatabase::postgres();
    let database = Database::connect(&place.url, &options()).unwrap();
    database.migrate().unwrap();
    let close_all = || {
        place
            .execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            .unwrap();
    };
    let use_all = |work: &(dyn Fn() + Sync)| {
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(work);
            }
        });
    };
    use_all(&|| assert!(database.has_organizations().is_ok()));
    close_all();
    use_all(&|| assert!(database.has_organizations().is_ok()));
    close_all();
    use_all(&|| drop(new_org(&database)));
    assert_eq!(database.orgs().unwrap().len(), 16);
}

#[test]
fn writers_wait_for_a_writer_in_another_process() {
    use diesel::Connection;
    use diesel::connection::SimpleConnection;

    let place = TestDatabase::sqlite();
    let database = place.migrated();
    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    let mut elsewhere = diesel::SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    elsewhere.batch_execute("BEGIN IMMEDIATE").unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| new_org(&database));
        // Readers see the last committed state meanwhile.
        assert!(!database.has_organizations().unwrap());
        elsewhere.batch_execute("COMMIT").unwrap();
        writer.join().unwrap();
    });
    assert!(database.has_organizations().unwrap());
}

#[test]
fn writers_wait_only_once_for_a_stuck_writer_in_another_process() {
    use diesel::Connection;
    use diesel::connection::SimpleConnection;

    let place = TestDatabase::sqlite();
    place.migrated();
    let patience = DatabaseOptions {
        connect_timeout: Duration::from_millis(500),
        ..options()
    };
    let database = Database::connect(&place.url, &patience).unwrap();
    let org = new_org(&database);
    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    let mut elsewhere = diesel::SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    elsewhere.batch_execute("BEGIN IMMEDIATE").unwrap();
    let started = Instant::now();
    std::thread::scope(|scope| {
        // One of them waits for the file, the others for the write permit.
        for _ in 0..3 {
            scope.spawn(|| {
                let answer = database.set_plan(&org, "free", noon(), &Actor::System);
                assert!(
                    matches!(answer, Err(StoreError::Unavailable(_))),
                    "{answer:?}"
                );
            });
        }
    });
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[test]
fn recording_the_last_use_of_a_key_waits_for_no_writer() {
    use diesel::Connection;
    use diesel::connection::SimpleConnection;

    let place = TestDatabase::sqlite();
    let database = place.migrated();
    let org = new_org(&database);
    let key = NewKey {
        id: KeyId::make(&Ids),
        name: "CI".to_owned(),
        prefix: "assay_0".to_owned(),
        hash: KeyHash::stored("0".repeat(64)),
        role: Role::Member,
        created_at: noon(),
        expires_at: None,
    };
    database.create_key(&org, &key, &Actor::System).unwrap();
    let last_use = || database.keys(&org).unwrap()[0].last_used_at;
    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    let mut elsewhere = diesel::SqliteConnection::establish(path.to_str().unwrap()).unwrap();
    elsewhere.batch_execute("BEGIN IMMEDIATE").unwrap();
    let started = Instant::now();
    assert_eq!(database.touch_key(&org, &key.id, after(1)), Ok(()));
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!(last_use(), None);
    elsewhere.batch_execute("COMMIT").unwrap();
    assert_eq!(database.touch_key(&org, &key.id, after(2)), Ok(()));
    assert_eq!(last_use(), Some(after(2)));
}

#[test]
fn a_database_that_went_away_is_unavailable() {
    let place = TestDatabase::postgres();
    let database = Database::connect(&place.url, &options()).unwrap();
    database.migrate().unwrap();
    let url = place.url.clone();
    drop(place);
    let started = Instant::now();
    let answer = database.has_organizations();
    assert!(
        matches!(answer, Err(StoreError::Unavailable(_))),
        "{url}: {answer:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(5));
}
