//! The database as a whole.

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
use pool::{Manager, Pooled, WriterTurn};
use secret::SecretKey;
use url::DatabaseUrl;
use waits::Waits;

/// How often a transaction that the database gave up for another one is tried.
const TRIES_AFTER_CONFLICT: u32 = 5;

/// How connections are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseOptions {
    /// Connections at most. Eight by default: queries are short, so eight serve far more callers at
    /// once, and several processes stay below the hundred that a PostgreSQL server usually allows.
    pub max_connections: u32,
    /// How long a caller waits for a connection; a writer to SQLite also for its turn and for the
    /// writer of another process, all together. Four seconds by default, so that a call is answered
    /// within five while the database is away or busy.
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

/// A database, and all stores on it. Clones share their connections.
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
    /// The file that was opened, on SQLite.
    file: Option<DatabaseFile>,
    /// The turn of the one writer, on SQLite.
    writer: Option<WriterTurn>,
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

/// Failures to open a connection reach the callers who wait for one.
#[derive(Debug)]
struct ToldToCallers;

impl r2d2::HandleError<Error> for ToldToCallers {
    fn handle_error(&self, error: Error) {
        tracing::debug!(error = %error, "database connection not opened");
    }
}

impl Database {
    /// Opens a database. A missing SQLite file is created, readable by its owner alone; its folder
    /// is not.
    ///
    /// # Errors
    /// [`Error`] says why not, and what to do.
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
        // The pool would try again and again, whatever the reason.
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
            .error_handler(Box::new(ToldToCallers))
            .connection_customizer(customizer)
            .build_unchecked(manager);
        let writer = matches!(url, DatabaseUrl::Sqlite(_)).then(WriterTurn::default);
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

    /// The same database, but leases and deadlines are judged by its own clock and not by the times
    /// that callers give: on PostgreSQL the server's, which all processes share; on SQLite one that
    /// goes on evenly. So neither clocks that differ nor clocks that jump give a run to two workers.
    #[must_use]
    pub fn with_own_clock(self) -> Self {
        Self {
            lease_clock: LeaseClock::of_database(),
            ..self
        }
    }

    /// Now, for leases; `now` is what the caller's clock shows.
    pub(crate) fn lease_time(
        &self,
        connection: &mut AnyConnection,
        now: DateTime<Utc>,
    ) -> Result<DateTime<Utc>, StorageError> {
        self.lease_clock.now(connection, now)
    }

    /// The same database with the key for what is stored encrypted: the values of request headers.
    /// Without it headers can neither be stored nor read, and all else can.
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

    /// Tells whether the database is a file of SQLite, which one process alone may serve.
    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        self.inner.writer.is_some()
    }

    /// Runs statements that read. They may run again on another connection where one was lost.
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

    /// Runs a transaction that may write. It runs again where the connection was lost before it
    /// began, or the database gave it up for another.
    pub(crate) fn write<T>(
        &self,
        mut work: impl FnMut(&mut AnyConnection) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let started = Instant::now();
        // Before the connection: who waits keeps none from those who read.
        let _turn = self.writer_turn()?;
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

    /// Runs a transaction that may write, unless that would mean to wait for another writer or for a
    /// connection; then answers none. On PostgreSQL, where writers wait for the same row alone, it is
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

    /// A connection beside the pool, for what takes long.
    pub(crate) fn open_another(&self) -> Result<AnyConnection, Error> {
        self.check_file()?;
        open(&self.inner.url, self.inner.options.connect_timeout)
    }

    /// Refuses to go on where the path of an SQLite database no longer leads to the file that was opened.
    pub(crate) fn check_file(&self) -> Result<(), Error> {
        self.inner.file.as_ref().map_or(Ok(()), DatabaseFile::check)
    }

    /// Tells whether an SQLite database can grow; a PostgreSQL server says so itself.
    pub(crate) fn can_grow(&self) -> bool {
        self.inner.file.as_ref().is_none_or(DatabaseFile::can_grow)
    }

    /// What the last probe of the database found.
    pub(crate) fn last_probe(&self) -> &LastProbe {
        &self.inner.health
    }

    pub(crate) fn writer_turn(
        &self,
    ) -> Result<Option<crate::database::pool::Turn<'_>>, StorageError> {
        let Some(writer) = &self.inner.writer else {
            return Ok(None);
        };
        match writer.wait(self.inner.options.connect_timeout) {
            Some(turn) => Ok(Some(turn)),
            None => Err(StorageError::Unavailable(
                "too many wait to write".to_owned(),
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

    /// Connections at most, what the pool says of itself, and how often it let somebody wait.
    pub(crate) fn pool_parts(&self) -> (u32, r2d2::State, &Waits) {
        let inner = &self.inner;
        (inner.pool.max_size(), inner.pool.state(), &inner.waits)
    }

    /// How long a call that began then may still wait.
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
