//! Retention: how long data is kept, and its removal.

mod audit_lines;
mod choice;
mod depth;
mod old_runs;

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::ports::{QueueDepth, Removed, RetentionStore, StoreError};
use domain::retention::RetentionChoice;

use crate::database::Database;
use crate::stores::{idempotency, outbox};

impl RetentionStore for Database {
    fn retention(&self, org: &OrgId) -> Result<RetentionChoice, StoreError> {
        Ok(self.read(|connection| choice::load(connection, org))?)
    }

    fn set_retention(
        &self,
        org: &OrgId,
        choice: RetentionChoice,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| choice::set(connection, org, choice, at, by))?)
    }

    fn remove_runs(
        &self,
        org: &OrgId,
        ended_before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        // A sweep that finds nothing to remove takes no lock.
        if !self.read(|connection| old_runs::is_any(connection, org, ended_before))? {
            return Ok(NOTHING);
        }
        Ok(self.write(|connection| old_runs::remove(connection, org, ended_before, rows))?)
    }

    fn remove_runs_beyond(
        &self,
        org: &OrgId,
        bytes: u64,
        now: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        if !self.read(|connection| old_runs::is_any_beyond(connection, org, bytes, now))? {
            return Ok(NOTHING);
        }
        Ok(self.write(|connection| old_runs::remove_beyond(connection, org, bytes, now, rows))?)
    }

    fn remove_audit_lines(
        &self,
        org: &OrgId,
        before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        if !self.read(|connection| audit_lines::is_any(connection, org, before))? {
            return Ok(NOTHING);
        }
        Ok(self.write(|connection| audit_lines::remove(connection, org, before, rows))?)
    }

    fn remove_answers(
        &self,
        org: &OrgId,
        now: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        if !self.read(|connection| idempotency::is_any_forgotten(connection, org, now))? {
            return Ok(NOTHING);
        }
        Ok(self.write(|connection| {
            let most = i64::from(rows.max(1));
            let count = idempotency::remove_forgotten(connection, org, now, most)?;
            Ok(Removed {
                count: u64::try_from(count).unwrap_or(u64::MAX),
                is_all: !idempotency::is_any_forgotten(connection, org, now)?,
            })
        })?)
    }

    fn remove_events(
        &self,
        org: &OrgId,
        before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        if !self.read(|connection| outbox::is_any_forgotten(connection, org, before))? {
            return Ok(NOTHING);
        }
        Ok(self.write(|connection| {
            let most = i64::from(rows.max(1));
            let count = outbox::remove_forgotten(connection, org, before, most)?;
            Ok(Removed {
                count: u64::try_from(count).unwrap_or(u64::MAX),
                is_all: !outbox::is_any_forgotten(connection, org, before)?,
            })
        })?)
    }

    fn queue_depth(&self) -> Result<QueueDepth, StoreError> {
        Ok(self.read(depth::load)?)
    }
}

const NOTHING: Removed = Removed {
    count: 0,
    is_all: true,
};
