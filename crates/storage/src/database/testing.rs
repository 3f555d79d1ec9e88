//! Test databases for other crates: the real stores, without running the migrations in each test.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{QueryDsl, QueryableByName, RunQueryDsl};
use domain::ports::StoreError;

use crate::database::connection::{AnyConnection, on_either, open_copy};
use crate::database::error::{Error, StorageError};
use crate::database::migrations::run_pending;
use crate::database::pool::Pooled;
use crate::database::secret::SecretKey;
use crate::database::url::DatabaseUrl;
use crate::database::{Database, DatabaseOptions};

/// Connection timeout in tests; long, because fifty concurrent writers wait for each other.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/sqlite");

/// Test state added to a database.
#[derive(Debug, Default)]
pub(crate) struct TestState {
    refusal: Mutex<Option<StoreError>>,
    /// Removed when the database is dropped.
    _folder: Option<TestFolder>,
}

impl TestState {
    /// Returns the error that the test injects into every call, if there is one.
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
    /// Creates an SQLite database with the current schema and a secret key, in its own file, which is removed with
    /// the last clone. It copies a file that is migrated once, and does not sync to disk.
    ///
    /// # Panics
    /// If the file cannot be created, because the test cannot continue.
    #[must_use]
    #[expect(clippy::panic, reason = "a test cannot continue without its database")]
    pub fn for_test() -> Self {
        copied().unwrap_or_else(|error| panic!("a test database cannot be created: {error}"))
    }

    /// Makes every following call fail with this error and change nothing; `None` restores normal behavior.
    pub fn break_with(&self, error: Option<StoreError>) {
        let mut refusal =
            (self.test_state().refusal.lock()).unwrap_or_else(PoisonError::into_inner);
        *refusal = error;
    }

    /// Starts to count delivery claims, for [`Database::delivery_claims`].
    ///
    /// # Errors
    /// If the database fails.
    pub fn count_delivery_claims(&self) -> Result<(), StoreError> {
        let sql = "CREATE TABLE delivery_claims (epoch BIGINT NOT NULL PRIMARY KEY);
             CREATE TRIGGER delivery_claims AFTER UPDATE OF epoch ON jobs
             WHEN new.kind = 'delivery' AND new.epoch > old.epoch
             BEGIN
                 INSERT INTO delivery_claims SELECT count(*) FROM delivery_claims;
             END";
        Ok(self.write(|connection| Ok(connection.batch_execute(sql)?))?)
    }

    /// Returns how often deliveries of all webhooks were claimed since counting started.
    ///
    /// # Errors
    /// If the database fails.
    pub fn delivery_claims(&self) -> Result<i64, StoreError> {
        Ok(self.read(|connection| {
            let count = delivery_claims::table.count();
            Ok(count.get_result(connection)?)
        })?)
    }

    /// Returns all rows of all tables, a line each, in a fixed order. Tests compare two of them to see that nothing
    /// changed. Left out is when sessions were last used, which every page may note.
    ///
    /// # Errors
    /// If the database fails.
    pub fn rows(&self) -> Result<Vec<String>, StoreError> {
        let columns = "SELECT m.name || ' ' || group_concat('quote(\"' || c.name || '\")', ' || '' '' || ') AS line
             FROM sqlite_schema m JOIN pragma_table_info(m.name) c
             WHERE m.type = 'table' AND NOT (m.name = 'sessions' AND c.name = 'last_seen_at')
             GROUP BY m.name ORDER BY m.name";
        Ok(self.read(|connection| {
            let mut rows = Vec::new();
            for table in lines(connection, columns)? {
                let (name, values) = table.split_once(' ').unwrap_or((&table, "''"));
                let query =
                    format!("SELECT '{name}: ' || {values} AS line FROM \"{name}\" ORDER BY 1");
                rows.extend(lines(connection, &query)?);
            }
            Ok(rows)
        })?)
    }
}

/// A line of text.
#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

fn lines(connection: &mut AnyConnection, query: &str) -> Result<Vec<String>, StorageError> {
    let query = diesel::sql_query(query);
    let lines: Vec<Line> = on_either!(connection, inner => query.load(inner))?;
    Ok(lines.into_iter().map(|line| line.line).collect())
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

/// Opens connections that do not sync writes to disk.
#[derive(Debug)]
struct WithoutSync;

impl r2d2::CustomizeConnection<Pooled, Error> for WithoutSync {
    fn on_acquire(&self, pooled: &mut Pooled) -> Result<(), Error> {
        let set = pooled.connection.batch_execute("PRAGMA synchronous = OFF");
        set.map_err(|error| Error::Migration(error.to_string()))
    }
}

/// Returns the migrated file that tests copy. Processes that create it at once create the same file.
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

/// Creates a migrated database that is a single file.
fn migrate(path: &Path) -> Result<(), Error> {
    let mut connection = open_copy(path)?;
    run_pending(&mut connection).map_err(|fault| Error::Migration(fault.to_string()))?;
    drop(AnyConnection::Sqlite(connection));
    Ok(())
}

/// Returns a template name derived from the migrations, so a new migration makes a new template.
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

/// A temporary folder that is removed on drop.
#[derive(Debug)]
struct TestFolder(PathBuf);

impl TestFolder {
    fn new() -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("assay-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // An earlier process with the same id may have been killed before it removed its folder.
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
