//! Deletion of data past its retention period.

use chrono::{DateTime, Utc};

use super::StoreError;
use crate::audit_log::Actor;
use crate::id::OrgId;
use crate::retention::RetentionChoice;

/// What one step of removing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// How many were removed whole.
    pub count: u64,
    /// Whether nothing more is to be removed.
    pub is_all: bool,
}

/// What waits in the queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueDepth {
    /// Runs that nobody works on.
    pub waiting: u64,
    /// When the run that has waited longest was queued.
    pub oldest_waiting: Option<DateTime<Utc>>,
    /// Runs that a worker has.
    pub running: u64,
    /// Briefs that nobody writes yet.
    pub briefs_waiting: u64,
}

/// Deletion of data past its retention period.
///
/// Removing goes in steps, each a transaction that removes about as many rows as it is allowed, so that
/// nobody waits long for it. Of processes that remove at once each does a part.
pub trait RetentionStore: Send + Sync {
    /// What an organization chose for itself. Nothing where there is no such organization.
    ///
    /// # Errors
    /// When the database fails.
    fn retention(&self, org: &OrgId) -> Result<RetentionChoice, StoreError>;

    /// Stores what an organization chose, and a line in the audit log. False where there is no such
    /// organization.
    ///
    /// # Errors
    /// When the database fails.
    fn set_retention(
        &self,
        org: &OrgId,
        choice: RetentionChoice,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// Removes runs of an organization that ended before a moment, oldest first, each with its report,
    /// occurrences and pages. Of each site two are kept, however old: the run that was started last,
    /// and the one whose report is the latest. Runs that have not ended, action items, and the usage
    /// of the months stay as they are.
    ///
    /// The pages and occurrences of a run with many of them go in earlier steps than its report.
    ///
    /// # Errors
    /// When the database fails.
    fn remove_runs(
        &self,
        org: &OrgId,
        ended_before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError>;

    /// Removes the oldest runs with a report until an organization's runs take at most so many bytes
    /// ([`Usage::storage_bytes`](crate::plan::Usage::storage_bytes)), each with its report, and notes in
    /// the audit log how many. What [`RetentionStore::remove_runs`] keeps of each site stays, also where
    /// that takes more. The bytes of a run no longer count from the moment it is out of mode.
    ///
    /// # Errors
    /// When the database fails.
    fn remove_runs_beyond(
        &self,
        org: &OrgId,
        bytes: u64,
        now: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError>;

    /// Removes the lines of an organization's audit log that were written before a moment.
    ///
    /// # Errors
    /// When the database fails.
    fn remove_audit_lines(
        &self,
        org: &OrgId,
        before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError>;

    /// Removes the answers of an organization's calls with an `Idempotency-Key` that are forgotten by
    /// now.
    ///
    /// # Errors
    /// When the database fails.
    fn remove_answers(
        &self,
        org: &OrgId,
        now: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError>;

    /// Removes events of an organization that happened before a moment and have no delivery that waits,
    /// with their deliveries.
    ///
    /// # Errors
    /// When the database fails.
    fn remove_events(
        &self,
        org: &OrgId,
        before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError>;

    /// What waits in the queues of all organizations.
    ///
    /// # Errors
    /// When the database fails.
    fn queue_depth(&self) -> Result<QueueDepth, StoreError>;
}
