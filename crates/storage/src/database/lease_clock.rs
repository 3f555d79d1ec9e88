//! The clock that leases are judged by.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Timestamp;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;

/// Which clock leases and deadlines are judged by.
#[derive(Debug, Clone, Default)]
pub(crate) enum LeaseClock {
    /// The times that callers give.
    #[default]
    Callers,
    /// The database's: that of the server on PostgreSQL, which is the same for all processes. On SQLite,
    /// which one process owns, a clock that began when it was asked first and goes on evenly, whatever
    /// becomes of the time of day.
    Databases(Arc<OnceLock<(DateTime<Utc>, Instant)>>),
}

impl LeaseClock {
    pub(crate) fn of_database() -> Self {
        Self::Databases(Arc::default())
    }

    /// Now, for leases; `now` is what the caller's clock shows.
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
