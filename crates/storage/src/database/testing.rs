//! Databases for tests of other crates: the real stores, without a migration for each test.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{QueryDsl, RunQueryDsl};
use domain::ports::StoreError;

use crate::database::connection::{AnyConnection, open_copy};
use crate::database::error::{Error, StorageError};
use crate::database::migrations::run_pending;
use crate::database::pool::Pooled;
use crate::database::secret::SecretKey;
use crate::database::url::DatabaseUrl;
use crate::database::{Database, DatabaseOptions};

/// How long a test waits for a connection: fifty writers at once wait for one another.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/sqlite");

/// What a test adds to a database.
#[derive(Debug, Default)]
pub(crate) struct TestState {
    refusal: Mutex<Option<StoreError>>,
    /// Removed with the database.
    _folder: Option<TestFolder>,
}

impl TestState {
    /// The error with which the test has every call end, if there is one.
    pub(crate) fn check(&self) -> Result<(), StorageError> {
        let refusal = self.refusal.lock().unwrap_or_else(PoisonError::into_inner);
        match &*refusal {
            None => Ok(()),
            Some(StoreError::Unavailable(text)) => Err(StorageError::Unavailable(text.clone())),
            Some(StoreError::Failed(text)) => Err(StorageError::Failed(text.clone())),
        }
    }
}

impl Database {
    /// A new SQLite database with the schema of now and a secret key, in a file of its own that is removed with
    /// the last clone. It is a copy of a file that is migrated once, and waits for no disk.
    ///
    /// # Panics
    /// Where the file cannot be made, since the test cannot go on.
    #[must_use]
    #[expect(clippy::panic, reason = "a test cannot go on, and says why")]
    pub fn for_test() -> Self {
        copied().unwrap_or_else(|error| panic!("a database for a test cannot be made: {error}"))
    }

    /// Has every call from now on end with this error and change nothing; none to heal.
    pub fn break_with(&self, error: Option<StoreError>) {
        let mut refusal =
            (self.test_state().refusal.lock()).unwrap_or_else(PoisonError::into_inner);
        *refusal = error;
    }

    /// Counts claims of deliveries from now on, for [`Database::delivery_claims`].
    ///
    /// # Errors
    /// When the database fails.
    pub fn count_delivery_claims(&self) -> Result<(), StoreError> {
        let sql = "CREATE TABLE delivery_claims (epoch BIGINT NOT NULL PRIMARY KEY);
             CREATE TRIGGER delivery_claims AFTER UPDATE OF epoch ON jobs
             WHEN new.kind = 'delivery' AND new.epoch > old.epoch
             BEGIN
                 INSERT INTO delivery_claims SELECT count(*) FROM delivery_claims;
             END";
        Ok(self.write(|connection| Ok(connection.batch_execute(sql)?))?)
    }

    /// How often deliveries of all webhooks were claimed since they are counted.
    ///
    /// # Errors
    /// When the database fails.
    pub fn delivery_claims(&self) -> Result<i64, StoreError> {
        Ok(self.read(|connection| {
            let count = delivery_claims::table.count();
            Ok(count.get_result(connection)?)
        })?)
    }
}

diesel::table! {
    delivery_claims (epoch) {
        epoch -> BigInt,
    }
}

fn copied() -> Result<Database, Error> {
    let template = template()?;
    let folder = TestFolder::new().map_err(|error| unusable(&std::env::temp_dir(), &error))?;
    let path = folder.0.join("assay.db");
    fs::copy(&template, &path).map_err(|error| unusable(&path, &error))?;
    let options = DatabaseOptions {
        connect_timeout: CONNECT_TIMEOUT,
        ..DatabaseOptions::default()
    };
    let state = TestState {
        refusal: Mutex::default(),
        _folder: Some(folder),
    };
    let url = DatabaseUrl::Sqlite(path);
    let database = Database::connect_with(&url, &options, Box::new(WithoutSync), state)?;
    Ok(database.with_secret(SecretKey::new([7; 32])))
}

/// Connections that do not wait until the disk has what is written.
#[derive(Debug)]
struct WithoutSync;

impl r2d2::CustomizeConnection<Pooled, Error> for WithoutSync {
    fn on_acquire(&self, pooled: &mut Pooled) -> Result<(), Error> {
        let set = pooled.connection.batch_execute("PRAGMA synchronous = OFF");
        set.map_err(|error| Error::Migration(error.to_string()))
    }
}

/// The migrated file that tests copy. Processes that make it at once make the same one.
fn template() -> Result<PathBuf, Error> {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    if let Some(path) = TEMPLATE.get() {
        return Ok(path.clone());
    }
    let name = template_name().map_err(|error| unusable(Path::new(MIGRATIONS), &error))?;
    let path = std::env::temp_dir().join(name);
    if !path.exists() {
        let folder = TestFolder::new().map_err(|error| unusable(&path, &error))?;
        let made = folder.0.join("template.db");
        migrate(&made)?;
        fs::rename(&made, &path).map_err(|error| unusable(&path, &error))?;
    }
    Ok(TEMPLATE.get_or_init(|| path).clone())
}

/// Makes a migrated database of one file, with nothing beside it.
fn migrate(path: &Path) -> Result<(), Error> {
    let mut connection = open_copy(path)?;
    run_pending(&mut connection).map_err(|fault| Error::Migration(fault.to_string()))?;
    drop(AnyConnection::Sqlite(connection));
    Ok(())
}

/// Names the template after the migrations: another one makes another template.
fn template_name() -> io::Result<String> {
    let entries = fs::read_dir(MIGRATIONS)?;
    let paths = entries.map(|entry| Ok(entry?.path().join("up.sql")));
    let mut paths: Vec<_> = paths.collect::<io::Result<_>>()?;
    paths.sort();
    let migrations: Vec<_> = paths.iter().map(fs::read).collect::<io::Result<_>>()?;
    let mut hasher = DefaultHasher::new();
    migrations.hash(&mut hasher);
    Ok(format!("assay-test-template-{:016x}.db", hasher.finish()))
}

fn unusable(path: &Path, error: &io::Error) -> Error {
    Error::Open {
        path: path.to_owned(),
        message: error.to_string(),
    }
}

/// A folder that is removed in the end.
#[derive(Debug)]
struct TestFolder(PathBuf);

impl TestFolder {
    fn new() -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("assay-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A process before this one may have had the same number, and been killed.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
