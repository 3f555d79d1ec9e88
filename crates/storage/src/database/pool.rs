//! The connection pool, and the lock that serializes SQLite writers.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::database::connection::{AnyConnection, is_in_transaction, open};
use crate::database::error::Error;
use crate::database::file::DatabaseFile;
use crate::database::url::DatabaseUrl;

/// Opens connections for the pool.
#[derive(Debug)]
pub(crate) struct Manager {
    pub(crate) url: DatabaseUrl,
    pub(crate) connect_timeout: Duration,
    /// The file that every connection must lead to; `None` on PostgreSQL.
    pub(crate) file: Option<DatabaseFile>,
}

/// A pooled connection.
pub(crate) struct Pooled {
    pub(crate) connection: AnyConnection,
    /// Whether the connection failed and must not be used again.
    pub(crate) is_spoilt: bool,
}

impl r2d2::ManageConnection for Manager {
    type Connection = Pooled;
    type Error = Error;

    fn connect(&self) -> Result<Pooled, Error> {
        if let Some(file) = &self.file {
            file.check()?;
        }
        Ok(Pooled {
            connection: open(&self.url, self.connect_timeout)?,
            is_spoilt: false,
        })
    }

    /// Connections are not validated before use. The statement that uses a broken idle connection reports it,
    /// and the pool then replaces it. A validation query before each use would double the cost of short queries.
    fn is_valid(&self, _: &mut Pooled) -> Result<(), Error> {
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        pooled.is_spoilt || is_in_transaction(&mut pooled.connection)
    }
}

/// Serializes writers to an SQLite file. Writers of this process queue here instead of in SQLite, which
/// sleeps and polls.
#[derive(Debug, Default)]
pub(crate) struct WriterLock {
    is_taken: Mutex<bool>,
    is_free: Condvar,
}

/// The permit to write; it is released on drop.
#[derive(Debug)]
pub(crate) struct WriterGuard<'a>(&'a WriterLock);

impl WriterLock {
    /// Waits for the permit; returns `None` on timeout.
    pub(crate) fn wait(&self, timeout: Duration) -> Option<WriterGuard<'_>> {
        let guard = self.is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut is_taken, _) = self
            .is_free
            .wait_timeout_while(guard, timeout, |is_taken| *is_taken)
            .unwrap_or_else(PoisonError::into_inner);
        if *is_taken {
            return None;
        }
        *is_taken = true;
        Some(WriterGuard(self))
    }
}

impl Drop for WriterGuard<'_> {
    fn drop(&mut self) {
        let lock = self.0.is_taken.lock();
        *lock.unwrap_or_else(PoisonError::into_inner) = false;
        self.0.is_free.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_writer_holds_the_permit() {
        let writer = WriterLock::default();
        let turn = writer.wait(Duration::ZERO);
        assert!(turn.is_some());
        assert!(writer.wait(Duration::from_millis(1)).is_none());
        drop(turn);
        assert!(writer.wait(Duration::ZERO).is_some());
    }
}
