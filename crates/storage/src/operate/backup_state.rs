//! The state of the backups of a database, and the lease of the process that makes one.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use domain::backup::{BackupState, FailedBackup, GoodBackup, Verification, shorten_reason};
use domain::ports::{LeaseStatus, StoreError, WorkerId};

use crate::database::Database;
use crate::database::error::StorageError;
use crate::database::schema::backup_state;
use crate::database::values::{known, number, storable, stored_time};

/// The id of the only row.
const ONLY: i64 = 1;

/// The column values without a lease.
macro_rules! free {
    () => {
        (
            backup_state::lease_owner.eq(None::<String>),
            backup_state::lease_expires_at.eq(None::<NaiveDateTime>),
        )
    };
}
#[derive(Queryable, Selectable)]
#[diesel(table_name = backup_state)]
struct StateRow {
    good_at: Option<NaiveDateTime>,
    good_name: Option<String>,
    good_bytes: Option<i64>,
    good_verification: Option<String>,
    failed_at: Option<NaiveDateTime>,
    failure: Option<String>,
    failures: i64,
}

impl Database {
    /// Returns the state of the backups of this database.
    ///
    /// # Errors
    /// If the database fails, or has the schema of a version without this state.
    pub fn backup_state(&self) -> Result<BackupState, StoreError> {
        Ok(self.read(|connection| {
            let row: StateRow = backup_state::table
                .find(ONLY)
                .select(StateRow::as_select())
                .first(connection)?;
            row.try_into()
        })?)
    }

    /// Claims the lease for making a backup, among all processes on the database. Returns `false` if another worker holds
    /// it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn claim_backup(
        &self,
        worker: &WorkerId,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let claimed = self.write(|connection| {
            let now = self.lease_time(connection, now)?;
            let free = backup_state::table.find(ONLY).filter(
                backup_state::lease_owner
                    .is_null()
                    .or(backup_state::lease_expires_at.le(stored_time(now))),
            );
            let claimed = diesel::update(free)
                .set((
                    backup_state::lease_owner.eq(&worker.0),
                    backup_state::lease_expires_at.eq(stored_time(now + lease)),
                ))
                .execute(connection)?;
            Ok(claimed)
        })?;
        Ok(claimed == 1)
    }

    /// Renews the lease of a worker.
    ///
    /// # Errors
    /// If the database fails.
    pub fn renew_backup(
        &self,
        worker: &WorkerId,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        let renewed = self.write(|connection| {
            let until = self.lease_time(connection, now)? + lease;
            let held = backup_state::table
                .find(ONLY)
                .filter(backup_state::lease_owner.eq(&worker.0));
            let renewed = diesel::update(held)
                .set(backup_state::lease_expires_at.eq(stored_time(until)))
                .execute(connection)?;
            Ok(renewed)
        })?;
        Ok(status(renewed))
    }

    /// Ends the lease of a worker without a result, as after an interruption.
    ///
    /// # Errors
    /// If the database fails.
    pub fn release_backup(&self, worker: &WorkerId) -> Result<LeaseStatus, StoreError> {
        let released = self.write(|connection| {
            let held = backup_state::table
                .find(ONLY)
                .filter(backup_state::lease_owner.eq(&worker.0));
            Ok(diesel::update(held).set(free!()).execute(connection)?)
        })?;
        Ok(status(released))
    }

    /// Ends the lease of any worker. Only for a process that starts and is the only one on the database.
    ///
    /// # Errors
    /// If the database fails.
    pub fn release_any_backup(&self) -> Result<(), StoreError> {
        Ok(self.write(|connection| {
            diesel::update(backup_state::table.find(ONLY))
                .set(free!())
                .execute(connection)?;
            Ok(())
        })?)
    }

    /// Records a good backup, and ends the lease of the worker. Earlier failures are forgotten.
    ///
    /// # Errors
    /// If the database fails.
    pub fn record_good_backup(
        &self,
        worker: &WorkerId,
        good: &GoodBackup,
    ) -> Result<LeaseStatus, StoreError> {
        let recorded = self.write(|connection| {
            let held = backup_state::table
                .find(ONLY)
                .filter(backup_state::lease_owner.eq(&worker.0));
            let recorded = diesel::update(held)
                .set((
                    backup_state::good_at.eq(stored_time(good.at)),
                    backup_state::good_name.eq(storable(&good.name)),
                    backup_state::good_bytes.eq(i64::try_from(good.size_bytes).unwrap_or(i64::MAX)),
                    backup_state::good_verification.eq(good.verification.as_str()),
                    backup_state::failed_at.eq(None::<NaiveDateTime>),
                    backup_state::failure.eq(None::<String>),
                    backup_state::failures.eq(0),
                    free!(),
                ))
                .execute(connection)?;
            Ok(recorded)
        })?;
        Ok(status(recorded))
    }

    /// Records a failure, and ends the lease of the worker. The reason is shortened.
    ///
    /// # Errors
    /// If the database fails.
    pub fn record_failed_backup(
        &self,
        worker: &WorkerId,
        reason: &str,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        let recorded = self.write(|connection| {
            let held = backup_state::table
                .find(ONLY)
                .filter(backup_state::lease_owner.eq(&worker.0));
            let recorded = diesel::update(held)
                .set((
                    backup_state::failed_at.eq(stored_time(now)),
                    backup_state::failure.eq(storable(&shorten_reason(reason))),
                    backup_state::failures.eq(backup_state::failures + 1),
                    free!(),
                ))
                .execute(connection)?;
            Ok(recorded)
        })?;
        Ok(status(recorded))
    }
}

const fn status(rows: usize) -> LeaseStatus {
    match rows {
        0 => LeaseStatus::Lost,
        _ => LeaseStatus::Held,
    }
}

impl TryFrom<StateRow> for BackupState {
    type Error = StorageError;

    fn try_from(row: StateRow) -> Result<Self, StorageError> {
        let good = match (
            row.good_at,
            row.good_name,
            row.good_bytes,
            row.good_verification,
        ) {
            (Some(at), Some(name), Some(bytes), Some(verification)) => Some(GoodBackup {
                at: at.and_utc(),
                name,
                size_bytes: number("size", bytes)?,
                verification: known(
                    "verification",
                    &verification,
                    Verification::named(&verification),
                )?,
            }),
            _ => None,
        };
        let count = number("failures", row.failures)?;
        let failure = row.failed_at.map(|at| FailedBackup {
            at: at.and_utc(),
            reason: row.failure.unwrap_or_default(),
            count,
        });
        Ok(Self { good, failure })
    }
}
