//! The database: connections, transactions and options.

pub(crate) mod connection;
pub(crate) mod error;
pub(crate) mod failpoint;
pub(crate) mod file;
pub(crate) mod key_check;
pub(crate) mod last_probe;
pub(crate) mod lease_clock;
pub(crate) mod migrations;
pub(crate) mod pool;
pub(crate) mod schema;
pub(crate) mod secret;
mod system_roots;
#[cfg(feature = "testing")]
pub(crate) mod testing;
pub(crate) mod url;
pub(crate) mod values;
pub(crate) mod waits;
pub(crate) mod wake;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

use connection::{AnyConnection, Transaction, in_transaction, open};
use error::{Error, StorageError};
use file::DatabaseFile;
use last_probe::LastProbe;
use lease_clock::LeaseClock;
use pool::{Manager, Pooled, WriterLock};
use secret::SecretKey;
use url::DatabaseUrl;
use waits::Waits;

/// Maximum attempts of a transaction that the database aborts because of a conflict with another one.
const TRIES_AFTER_CONFLICT: u32 = 5;

/// Options of the connection pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseOptions {
    /// Maximum number of connections. The default is eight: queries are short, so eight connections serve many
    /// more concurrent callers, and several processes stay below a PostgreSQL server's usual limit of 100.
    pub max_connections: u32,
    /// Connection timeout: how long a caller waits for a connection. For a writer to SQLite it is the total that
    /// also includes waiting for the write lock of this process and of other processes. The default is four
    /// seconds, so a request gets a response within five seconds while the database is down or busy.
    pub connect_timeout: Duration,
}

impl Default for DatabaseOptions {
    fn default() -> Self {
        Self {
            max_connections: 8,
            connect_timeout: Duration::from_secs(4),
        }
    }
}

/// A database with all its stores. Clones share the connection pool.
#[derive(Clone)]
pub struct Database {
    inner: Arc<Inner>,
    secret: Option<Arc<SecretKey>>,
    lease_clock: LeaseClock,
}

struct Inner {
    url: DatabaseUrl,
    options: DatabaseOptions,
    pool: r2d2::Pool<Manager>,
    /// The file that was opened; SQLite only.
    file: Option<DatabaseFile>,
    /// The lock that serializes writers of this process; SQLite only.
    writer: Option<WriterLock>,
    waits: Waits,
    health: LastProbe,
    #[cfg(feature = "testing")]
    test: testing::TestState,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Database({})", self.inner.url)
    }
}

/// Logs failures to open a connection; the pool returns them to the callers that wait.
#[derive(Debug)]
struct LogConnectionErrors;

impl r2d2::HandleError<Error> for LogConnectionErrors {
    fn handle_error(&self, error: Error) {
        tracing::debug!(error = %error, "database connection not opened");
    }
}

impl Database {
    /// Opens a database. A missing SQLite file is created, readable only by its owner; its folder is not
    /// created.
    ///
    /// # Errors
    /// Returns [`Error`] with the reason and what to do about it.
    pub fn connect(url: &DatabaseUrl, options: &DatabaseOptions) -> Result<Self, Error> {
        Self::connect_with(
            url,
            options,
            Box::new(r2d2::NopConnectionCustomizer),
            #[cfg(feature = "testing")]
            Default::default(),
        )
    }

    pub(crate) fn connect_with(
        url: &DatabaseUrl,
        options: &DatabaseOptions,
        customizer: Box<dyn r2d2::CustomizeConnection<Pooled, Error>>,
        #[cfg(feature = "testing")] test: testing::TestState,
    ) -> Result<Self, Error> {
        // The pool would retry after any error, so the first connection is opened without it.
        let first = open(url, options.connect_timeout)?;
        let file = match url {
            DatabaseUrl::Sqlite(path) => Some(DatabaseFile::opened(path)?),
            DatabaseUrl::Postgres(_) => None,
        };
        drop(first);
        let manager = Manager {
            url: url.clone(),
            connect_timeout: options.connect_timeout,
            file: file.clone(),
        };
        let pool = r2d2::Pool::builder()
            .max_size(options.max_connections.max(1))
            .min_idle(Some(1))
            .connection_timeout(options.connect_timeout)
            .test_on_check_out(false)
            .error_handler(Box::new(LogConnectionErrors))
            .connection_customizer(customizer)
            .build_unchecked(manager);
        let writer = matches!(url, DatabaseUrl::Sqlite(_)).then(WriterLock::default);
        let inner = Inner {
            url: url.clone(),
            options: *options,
            pool,
            file,
            writer,
            waits: Waits::default(),
            health: LastProbe::default(),
            #[cfg(feature = "testing")]
            test,
        };
        Ok(Self {
            inner: Arc::new(inner),
            secret: None,
            lease_clock: LeaseClock::default(),
        })
    }

    /// Returns the same database, with leases and deadlines that use the clock of the database instead of the
    /// times that callers pass: the server's clock on PostgreSQL, which all processes share, and a monotonic clock
    /// on SQLite. Clock skew and clock jumps therefore cannot give a run to two workers.
    #[must_use]
    pub fn with_own_clock(self) -> Self {
        Self {
            lease_clock: LeaseClock::of_database(),
            ..self
        }
    }

    /// Returns the current time for leases; `now` is the time of the caller's clock.
    pub(crate) fn lease_time(
        &self,
        connection: &mut AnyConnection,
        now: DateTime<Utc>,
    ) -> Result<DateTime<Utc>, StorageError> {
        self.lease_clock.now(connection, now)
    }

    /// Returns the same database with the key that encrypts request headers and webhook secrets. Without it
    /// these can be neither stored nor read; everything else works.
    #[must_use]
    pub fn with_secret(self, key: SecretKey) -> Self {
        Self {
            secret: Some(Arc::new(key)),
            ..self
        }
    }

    pub(crate) fn secret(&self) -> Option<&SecretKey> {
        self.secret.as_deref()
    }

    /// Returns whether the database is an SQLite file, which only one process may serve.
    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        self.inner.writer.is_some()
    }

    pub(crate) fn url(&self) -> &DatabaseUrl {
        &self.inner.url
    }

    pub(crate) fn options(&self) -> &DatabaseOptions {
        &self.inner.options
    }

    /// Runs a read-only query. It may run again on another connection if the connection is lost.
    pub(crate) fn read<T>(
        &self,
        mut work: impl FnMut(&mut AnyConnection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let started = Instant::now();
        let mut tries_left = self.inner.options.max_connections;
        loop {
            let mut pooled = self.checkout(started)?;
            match work(&mut pooled.connection) {
                Err(StorageError::Lost(_)) if tries_left > 0 => {
                    pooled.is_spoilt = true;
                    tries_left -= 1;
                }
                result => return self.checked(&mut pooled, result),
            }
        }
    }

    /// Runs a transaction that may write. It runs again if the connection is lost before it begins, or if the
    /// database aborts it because of a conflict.
    pub(crate) fn write<T>(
        &self,
        mut work: impl FnMut(&mut AnyConnection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let started = Instant::now();
        // Before the connection, so that a waiting writer does not block readers.
        let _turn = self.lock_writer()?;
        let mut stale_left = self.inner.options.max_connections;
        let mut conflicts_left = TRIES_AFTER_CONFLICT;
        loop {
            let mut pooled = self.checkout(started)?;
            match in_transaction(&mut pooled.connection, self.left(started), &mut work) {
                Err(Transaction::NotBegun(StorageError::Lost(_))) if stale_left > 0 => {
                    pooled.is_spoilt = true;
                    stale_left -= 1;
                }
                Err(Transaction::Failed(StorageError::Conflict(_))) if conflicts_left > 0 => {
                    conflicts_left -= 1;
                }
                Err(Transaction::NotBegun(fault) | Transaction::Failed(fault)) => {
                    return self.checked(&mut pooled, Err(fault));
                }
                Ok(done) => return Ok(done),
            }
        }
    }

    /// Runs a transaction that may write, unless it would have to wait for another writer or for a connection;
    /// returns `None` then. On PostgreSQL, where writers wait only for the same row, it is the same as
    /// [`Self::write`].
    pub(crate) fn write_if_free<T>(
        &self,
        work: impl FnMut(&mut AnyConnection) -> Result<T, StorageError>,
    ) -> Result<Option<T>, StorageError> {
        let Some(writer) = &self.inner.writer else {
            return self.write(work).map(Some);
        };
        #[cfg(feature = "testing")]
        self.inner.test.check()?;
        let Some(_turn) = writer.wait(Duration::ZERO) else {
            return Ok(None);
        };
        let Some(mut pooled) = self.inner.pool.try_get() else {
            return Ok(None);
        };
        match in_transaction(&mut pooled.connection, Duration::ZERO, work) {
            Ok(done) => Ok(Some(done)),
            Err(Transaction::NotBegun(StorageError::Unavailable(_))) => Ok(None),
            Err(Transaction::NotBegun(fault) | Transaction::Failed(fault)) => {
                self.checked(&mut pooled, Err(fault))
            }
        }
    }

    /// Opens a connection outside the pool, for long operations.
    pub(crate) fn open_another(&self) -> Result<AnyConnection, Error> {
        self.check_file()?;
        open(&self.inner.url, self.inner.options.connect_timeout)
    }

    /// Returns an error if the path of an SQLite database no longer leads to the file that was opened.
    pub(crate) fn check_file(&self) -> Result<(), Error> {
        self.inner.file.as_ref().map_or(Ok(()), DatabaseFile::check)
    }

    /// Returns whether an SQLite database can grow. Always `true` on PostgreSQL, whose server reports a full disk.
    pub(crate) fn can_grow(&self) -> bool {
        self.inner.file.as_ref().is_none_or(DatabaseFile::can_grow)
    }

    /// The result of the last health probe.
    pub(crate) fn last_probe(&self) -> &LastProbe {
        &self.inner.health
    }

    pub(crate) fn lock_writer(
        &self,
    ) -> Result<Option<crate::database::pool::WriterGuard<'_>>, StorageError> {
        let Some(writer) = &self.inner.writer else {
            return Ok(None);
        };
        match writer.wait(self.inner.options.connect_timeout) {
            Some(turn) => Ok(Some(turn)),
            None => Err(StorageError::Unavailable(
                "too many writers are waiting".to_owned(),
            )),
        }
    }

    pub(crate) fn checkout(
        &self,
        started: Instant,
    ) -> Result<r2d2::PooledConnection<Manager>, StorageError> {
        #[cfg(feature = "testing")]
        self.inner.test.check()?;
        if let Some(connection) = self.inner.pool.try_get() {
            return Ok(connection);
        }
        let began = Instant::now();
        let connection = self.inner.pool.get_timeout(self.left(started));
        self.inner.waits.add(began, connection.is_err());
        connection.map_err(|error| StorageError::Unavailable(error.to_string()))
    }

    #[cfg(feature = "testing")]
    pub(crate) fn test_state(&self) -> &testing::TestState {
        &self.inner.test
    }

    /// The maximum number of connections, the pool's own state, and the wait counters.
    pub(crate) fn pool_parts(&self) -> (u32, r2d2::State, &Waits) {
        let inner = &self.inner;
        (inner.pool.max_size(), inner.pool.state(), &inner.waits)
    }

    /// Returns the remaining wait time of a call that began at `started`.
    pub(crate) fn left(&self, started: Instant) -> Duration {
        let whole = self.inner.options.connect_timeout;
        whole.saturating_sub(started.elapsed())
    }

    fn checked<T>(
        &self,
        pooled: &mut Pooled,
        result: Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        if let Err(fault) = &result {
            pooled.is_spoilt = fault.spoils_connection();
        }
        result
    }
}
