//! Inspection for operators: connections, integrity and clock of a database.

use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamp};
use domain::audit_log::{Actor, AuditNote};
use domain::id::OrgId;

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::{Error, StorageError};
use crate::database::schema::{audit_log, organizations, runs};
use crate::database::values::known;
use crate::stores::audit_log::{Line, note};

/// Organizations that get an audit log line in one transaction.
const ORGS_A_STEP: i64 = 200;

/// The state of a process's connection pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolState {
    /// Maximum number of connections.
    pub max: u32,
    /// Open connections.
    pub open: u32,
    /// Idle connections.
    pub idle: u32,
    /// How often a caller had to wait for a connection.
    pub waits: u64,
    /// Total wait time of all callers.
    pub waited: Duration,
    /// How often a wait ended in a timeout.
    pub timeouts: u64,
}

impl Database {
    /// Returns the state of this process's connection pool.
    #[must_use]
    pub fn pool(&self) -> PoolState {
        let (max, state, waits) = self.pool_parts();
        PoolState {
            max,
            open: state.connections,
            idle: state.idle_connections,
            waits: waits.count(),
            waited: waits.waited(),
            timeouts: waits.timeouts(),
        }
    }

    /// Checks the integrity of an SQLite file and returns the problems: corrupt pages, and rows that reference
    /// missing rows. Reads the whole file. Returns nothing on PostgreSQL, whose server checks its own files.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn complaints(&self) -> Result<Vec<String>, Error> {
        let mut connection = self.open_another()?;
        let AnyConnection::Sqlite(sqlite) = &mut connection else {
            return Ok(Vec::new());
        };
        let failed = |error: diesel::result::Error| Error::Store(StorageError::from(error).into());
        let pages: Vec<PageComplaint> = diesel::sql_query("PRAGMA quick_check(5)")
            .load(sqlite)
            .map_err(failed)?;
        let rows: Vec<RowComplaint> =
            diesel::sql_query("SELECT DISTINCT \"table\" AS name FROM pragma_foreign_key_check")
                .load(sqlite)
                .map_err(failed)?;
        let pages = pages.into_iter().map(|found| found.quick_check);
        let rows = rows
            .into_iter()
            .map(|found| format!("rows of {} reference missing rows", found.name));
        Ok(pages.filter(|text| text != "ok").chain(rows).collect())
    }

    /// Returns the time of a PostgreSQL server's clock; `None` on SQLite, which uses the clock of this machine.
    ///
    /// # Errors
    /// If the query fails.
    pub fn server_time(&self) -> Result<Option<DateTime<Utc>>, Error> {
        let time = self.read(|connection| {
            let AnyConnection::Postgres(postgres) = connection else {
                return Ok(None);
            };
            let clock: Clock =
                diesel::sql_query("SELECT clock_timestamp() AT TIME ZONE 'UTC' AS at")
                    .get_result(postgres)?;
            Ok(Some(clock.at.and_utc()))
        });
        time.map_err(store)
    }

    /// Returns the time of the latest audit log line; `None` if there is no line.
    ///
    /// # Errors
    /// If the query fails.
    pub fn last_change(&self) -> Result<Option<DateTime<Utc>>, Error> {
        let last = self.read(|connection| {
            let last: Option<NaiveDateTime> = audit_log::table
                .order(audit_log::seq.desc())
                .select(audit_log::at)
                .first(connection)
                .optional()?;
            Ok(last.map(|at| at.and_utc()))
        });
        last.map_err(store)
    }

    /// Returns the time of the latest activity: a run that was requested, or an audit log line. `None` if there
    /// was none.
    ///
    /// # Errors
    /// If the query fails.
    pub fn last_sign_of_life(&self) -> Result<Option<DateTime<Utc>>, Error> {
        let run = self.read(|connection| {
            let last: Option<NaiveDateTime> = runs::table
                .select(max(runs::created_at))
                .get_result(connection)?;
            Ok(last.map(|at| at.and_utc()))
        });
        Ok(run.map_err(store)?.max(self.last_change()?))
    }

    /// Adds a line to the audit log of every organization. Works with the schema of every version.
    ///
    /// # Errors
    /// If the database fails.
    pub fn note_everywhere(
        &self,
        at: DateTime<Utc>,
        by: &Actor,
        what: &AuditNote,
    ) -> Result<(), Error> {
        let mut last = String::new();
        loop {
            let after = last.clone();
            let noted: Vec<String> = self
                .write(|connection| {
                    let orgs: Vec<String> = organizations::table
                        .filter(organizations::id.gt(&after))
                        .order(organizations::id)
                        .limit(ORGS_A_STEP)
                        .select(organizations::id)
                        .load(connection)?;
                    for org in &orgs {
                        let line = Line {
                            event: what.event,
                            subject: &what.subject,
                            detail: what.detail.clone(),
                        };
                        let org = known("organization", org, OrgId::parse(org))?;
                        note(connection, &org, at, by, &line)?;
                    }
                    Ok(orgs)
                })
                .map_err(store)?;
            match noted.into_iter().next_back() {
                Some(id) => last = id,
                None => return Ok(()),
            }
        }
    }
}

fn store(fault: StorageError) -> Error {
    Error::Store(fault.into())
}

#[derive(QueryableByName)]
struct PageComplaint {
    #[diesel(sql_type = Text)]
    quick_check: String,
}

#[derive(QueryableByName)]
struct RowComplaint {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Clock {
    #[diesel(sql_type = Timestamp)]
    at: NaiveDateTime,
}
