//! Wake-up notifications between processes (PostgreSQL `LISTEN`/`NOTIFY`).

use std::time::{Duration, Instant};

use diesel::PgConnection;
use diesel::connection::SimpleConnection;

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::{Error, StorageError};

/// Poll interval of the socket. Polling sends nothing to the server; the driver offers no way to wait for the
/// socket.
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// Notifies every process on a PostgreSQL database, when the transaction commits, that there may be work. On
/// SQLite the process that queues work also runs it and wakes its own workers.
pub(crate) fn call(connection: &mut AnyConnection) -> Result<(), StorageError> {
    if let AnyConnection::Postgres(postgres) = connection {
        postgres.batch_execute("NOTIFY assay_work")?;
    }
    Ok(())
}

/// A dedicated connection on which a PostgreSQL server sends wake-up notifications.
pub struct WakeUps(PgConnection);

impl std::fmt::Debug for WakeUps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WakeUps")
    }
}

impl Database {
    /// Listens for work that other processes queue; returns `None` on SQLite, where there are no other processes.
    /// A notification may be lost with the connection, and none arrives behind a pooler in transaction mode, so the
    /// caller must also poll.
    ///
    /// # Errors
    /// Returns [`Error`] if no connection can be opened.
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
    /// Waits for a notification that there may be work; returns `false` on timeout.
    ///
    /// # Errors
    /// If the connection is lost.
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
            std::thread::sleep(left.min(POLL_INTERVAL));
        }
    }
}
