//! The clock used for leases.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Timestamp;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;

/// The clock used for leases and deadlines.
#[derive(Debug, Clone, Default)]
pub(crate) enum LeaseClock {
    /// The times that callers pass.
    #[default]
    Callers,
    /// The clock of the database. On PostgreSQL this is the server's clock, which all processes share. On SQLite,
    /// which one process owns, it is a monotonic clock that starts at its first use and ignores changes of the
    /// system time.
    Databases(Arc<OnceLock<(DateTime<Utc>, Instant)>>),
}

impl LeaseClock {
    pub(crate) fn of_database() -> Self {
        Self::Databases(Arc::default())
    }

    /// The current time for leases; `now` is the time of the caller's clock.
    pub(crate) fn now(
        &self,
        connection: &mut AnyConnection,
        now: DateTime<Utc>,
    ) -> Result<DateTime<Utc>, StorageError> {
        match (self, connection) {
            (Self::Callers, _) => Ok(now),
            (Self::Databases(_), AnyConnection::Postgres(postgres)) => {
                let shown = sql::<Timestamp>("clock_timestamp() AT TIME ZONE 'UTC'");
                let shown: NaiveDateTime = diesel::select(shown).get_result(postgres)?;
                Ok(shown.and_utc())
            }
            (Self::Databases(began), AnyConnection::Sqlite(_)) => {
                let (shown, instant) = began.get_or_init(|| (now, Instant::now()));
                let passed = TimeDelta::from_std(instant.elapsed()).unwrap_or(TimeDelta::MAX);
                Ok(shown.checked_add_signed(passed).unwrap_or(*shown))
            }
        }
    }
}
