//! Backups of a PostgreSQL database, with the programs of the installed server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failed expectation ends the test"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use backup::{
    BackupFailure, BackupFile, FileKind, Identities, Made, Maker, PostgresTools, Recipients,
    Source, list, new_identity,
};
use domain::audit_log::Actor;
use domain::backup::Verification;
use domain::ports::OrgStore;
use object_storage::FolderStore;
use storage::{Database, DatabaseOptions};
use testkit::{SequentialIds, TestDatabase, TestPostgres, sample};

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn folder(name: &str) -> Folder {
    let folder = std::env::temp_dir().join(format!("assay-{name}-{}", std::process::id()));
    drop(std::fs::remove_dir_all(&folder));
    Folder(folder)
}

fn connect(url: &str) -> Database {
    Database::connect(&url.parse().unwrap(), &DatabaseOptions::default()).unwrap()
}

fn place() -> TestDatabase {
    TestPostgres::migrated(|url| {
        connect(url).migrate().unwrap();
    })
}

/// The programs of Debian's postgresql-client, which the test server needs too.
fn tools() -> PostgresTools {
    PostgresTools::default()
}

fn make(
    database: &Database,
    tools: &PostgresTools,
    folder: &Path,
    recipients: &Recipients,
) -> Result<Made, BackupFailure> {
    let maker = Maker {
        source: Source { database, tools },
        store: &FolderStore::new(&folder.join("store")),
        recipients,
        work_folder: folder.join("work"),
    };
    maker.make(sample::noon(), &mut || true)
}

#[test]
fn a_dump_is_restored_into_a_temporary_database_and_again_by_its_owner() {
    let (place, folder) = (place(), folder("pg-backup"));
    let database = connect(place.url());
    let ids = SequentialIds::default();
    for _ in 0..20 {
        let org = sample::new_org(&ids);
        database.create_org(&org, &Actor::System).unwrap();
    }
    let (text, public) = new_identity();
    let recipients = Recipients::parse(&[public]).unwrap();
    let made = make(&database, &tools(), &folder.0, &recipients).unwrap();
    assert_eq!(made.good.verification, Verification::Restored);
    assert!(made.contents.unwrap().rows >= 20, "{made:?}");
    // The temporary database is gone.
    let again = database.create_temporary().unwrap().unwrap();
    assert!(again.contents().is_err());

    let store = FolderStore::new(&folder.0.join("store"));
    let stored = list(&store).unwrap();
    let identities = Identities::read(text.as_bytes()).unwrap();
    let dump = folder.0.join("assay.dump");
    let mut file = std::fs::File::create(&dump).unwrap();
    let read = BackupFile::Stored(&store, &stored[0].name)
        .read(Some(&identities), &mut file)
        .unwrap();
    assert_eq!(read.kind, FileKind::PostgresDump);
    let url = again.connection_string();
    let mut restore = Command::new(tools().pg_restore);
    restore.arg("--no-owner").arg("--exit-on-error");
    restore.arg(format!("--dbname={}", url.without_password()));
    if let Some(password) = url.password() {
        restore.env("PGPASSWORD", password);
    }
    let restored = restore.arg(&dump).output().unwrap();
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(connect(url.without_password()).orgs().unwrap().len(), 20);
}

#[test]
fn a_role_that_may_not_create_databases_gets_a_dump_that_was_read() {
    let (place, folder) = (place(), folder("pg-read"));
    let role = format!("assay_plain_{}", std::process::id());
    let sql = format!(
        "CREATE ROLE {role} LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {role}"
    );
    let done = Command::new("psql")
        .args(["--no-psqlrc", "--set=ON_ERROR_STOP=1", "--command", &sql])
        .arg(format!("--dbname={}", place.url()))
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let separator = if place.url().contains('?') { '&' } else { '?' };
    let database = connect(&format!("{}{separator}user={role}", place.url()));
    let made = make(&database, &tools(), &folder.0, &Recipients::default()).unwrap();
    assert_eq!(
        (made.good.verification, made.contents),
        (Verification::Read, None)
    );
}

#[test]
fn a_dump_that_fails_is_no_backup_and_says_why() {
    let (place, folder) = (place(), folder("pg-failure"));
    let database = connect(place.url());
    let missing = PostgresTools {
        pg_dump: folder.0.join("pg_dump").into(),
        pg_restore: folder.0.join("pg_restore").into(),
    };
    let failure = make(&database, &missing, &folder.0, &Recipients::default()).unwrap_err();
    let text = failure.to_string();
    assert!(text.contains("pg_dump cannot be started"), "{text}");
    // A dump that ends in the middle with an error.
    let failing = PostgresTools {
        pg_dump: "false".into(),
        ..tools()
    };
    let failure = make(&database, &failing, &folder.0, &Recipients::default()).unwrap_err();
    assert!(failure.to_string().contains("pg_dump failed"), "{failure}");
    // A restore that fails.
    let unreadable = PostgresTools {
        pg_restore: "false".into(),
        ..tools()
    };
    let failure = make(&database, &unreadable, &folder.0, &Recipients::default()).unwrap_err();
    assert!(
        matches!(failure, BackupFailure::Verification(_)),
        "{failure:?}"
    );
    let store = FolderStore::new(&folder.0.join("store"));
    assert_eq!(list(&store).unwrap(), []);
}
