//! Connections kept open, and the turn of the one writer.

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
    /// The file that every connection has to lead to; none on PostgreSQL.
    pub(crate) file: Option<DatabaseFile>,
}

/// A connection of the pool.
pub(crate) struct Pooled {
    pub(crate) connection: AnyConnection,
    /// Whether it showed that it is of no use any more.
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

    /// Never asked: a connection that broke while it lay idle is noticed by the statement that uses
    /// it, and replaced then. A question before each use would double the cost of short queries.
    fn is_valid(&self, _: &mut Pooled) -> Result<(), Error> {
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        pooled.is_spoilt || is_in_transaction(&mut pooled.connection)
    }
}

/// Lets one at a time write to a SQLite file, so that writers of this process queue here and not in
/// SQLite, which makes them sleep and try again.
#[derive(Debug, Default)]
pub(crate) struct WriterTurn {
    is_taken: Mutex<bool>,
    is_free: Condvar,
}

/// The turn to write; it ends when dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a>(&'a WriterTurn);

impl WriterTurn {
    /// Waits for the turn; none when it did not come in time.
    pub(crate) fn wait(&self, timeout: Duration) -> Option<Turn<'_>> {
        let guard = self.is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut is_taken, _) = self
            .is_free
            .wait_timeout_while(guard, timeout, |is_taken| *is_taken)
            .unwrap_or_else(PoisonError::into_inner);
        if *is_taken {
            return None;
        }
        *is_taken = true;
        Some(Turn(self))
    }
}

impl Drop for Turn<'_> {
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
    fn one_at_a_time_has_the_turn() {
        let writer = WriterTurn::default();
        let turn = writer.wait(Duration::ZERO);
        assert!(turn.is_some());
        assert!(writer.wait(Duration::from_millis(1)).is_none());
        drop(turn);
        assert!(writer.wait(Duration::ZERO).is_some());
    }
}
