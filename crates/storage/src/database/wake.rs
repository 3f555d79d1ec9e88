//! Waking the workers of other processes.

use std::time::{Duration, Instant};

use diesel::PgConnection;
use diesel::connection::SimpleConnection;

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::{Error, StorageError};

/// How often the socket is looked at. That asks nothing of the server; the driver does not tell what
/// to wait for.
const GLANCE: Duration = Duration::from_millis(25);

/// Tells every process on a PostgreSQL database that there may be work, once the transaction is
/// committed. On SQLite the process that queues work is the one that does it, and wakes its workers
/// itself.
pub(crate) fn call(connection: &mut AnyConnection) -> Result<(), StorageError> {
    if let AnyConnection::Postgres(postgres) = connection {
        postgres.batch_execute("NOTIFY assay_work")?;
    }
    Ok(())
}

/// A connection of its own on which a PostgreSQL server tells that there may be work.
pub struct WakeUps(PgConnection);

impl std::fmt::Debug for WakeUps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WakeUps")
    }
}

impl Database {
    /// Listens for work that other processes queue; none on SQLite, where there are no others. A word
    /// may get lost with the connection, and behind a pooler that changes connections none arrives: who
    /// listens looks by himself as well, now and then.
    ///
    /// # Errors
    /// [`Error`] says why there is no connection.
    pub fn wake_ups(&self) -> Result<Option<WakeUps>, Error> {
        match self.open_another()? {
            AnyConnection::Sqlite(_) => Ok(None),
            AnyConnection::Postgres(mut postgres) => {
                let listening = postgres.batch_execute("LISTEN assay_work");
                listening.map_err(|error| Error::Store(StorageError::from(error).into()))?;
                Ok(Some(WakeUps(postgres)))
            }
        }
    }
}

impl WakeUps {
    /// Waits until the server tells that there may be work; false when it did not in time.
    ///
    /// # Errors
    /// When the connection is lost.
    pub fn wait(&mut self, most: Duration) -> Result<bool, Error> {
        let end = Instant::now() + most;
        loop {
            let mut called = false;
            for told in self.0.notifications_iter() {
                told.map_err(|error| Error::Store(StorageError::from(error).into()))?;
                called = true;
            }
            let left = end.saturating_duration_since(Instant::now());
            if called || left.is_zero() {
                return Ok(called);
            }
            std::thread::sleep(left.min(GLANCE));
        }
    }
}
