//! What an operator wants to know of a database: connections, state, clock.

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

/// Organizations whose log gets a line in one transaction.
const ORGS_A_STEP: i64 = 200;

/// The connections of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoolState {
    /// Connections at most.
    pub max: u32,
    /// Connections that are open.
    pub open: u32,
    /// Open connections that nobody uses.
    pub idle: u32,
    /// How often somebody had to wait for one.
    pub waits: u64,
    /// How long all of them waited together.
    pub waited: Duration,
    /// How often somebody waited in vain.
    pub timeouts: u64,
}

impl Database {
    /// The connections of this process.
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

    /// What is wrong with the file of an SQLite database: pages that cannot be right, rows that point
    /// nowhere. Reads the whole file. A PostgreSQL server looks after its files itself.
    ///
    /// # Errors
    /// When the database cannot be read.
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

    /// The time by the clock of a PostgreSQL server; none for SQLite, which has the clock of this
    /// machine.
    ///
    /// # Errors
    /// When the database cannot be asked.
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

    /// When the last line of an audit log was written; none where there is none.
    ///
    /// # Errors
    /// When the database cannot be asked.
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

    /// When something happened last: a run was asked for, or a line of an audit log written; none where
    /// nothing ever did.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub fn last_sign_of_life(&self) -> Result<Option<DateTime<Utc>>, Error> {
        let run = self.read(|connection| {
            let last: Option<NaiveDateTime> = runs::table
                .select(max(runs::created_at))
                .get_result(connection)?;
            Ok(last.map(|at| at.and_utc()))
        });
        Ok(run.map_err(store)?.max(self.last_change()?))
    }

    /// Writes a line in the audit log of every organization, about something that concerns all. Works
    /// on the schema of every version.
    ///
    /// # Errors
    /// When the database fails.
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
