//! Where schedules are kept, and where their runs are started.

use chrono::{DateTime, Utc};

use super::{NewRun, StartedRun, StoreError};
use crate::audit_log::Actor;
use crate::id::{OrgId, SiteId};
use crate::schedule::{DueSchedule, Schedule, ScheduleChange, SkipReason};

/// What became of a schedule whose time had come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduleOutcome {
    /// Its run was started.
    Started(StartedRun),
    /// It was not; the schedule goes on.
    Skipped {
        /// Why.
        reason: SkipReason,
        /// Whether that is reported: not where the time before was skipped for the same reason.
        is_new: bool,
    },
    /// Another process was faster, or the schedule was changed or removed. Nothing is changed.
    NotDue,
}

/// Where schedules are kept. They are read with [`SiteStore::schedule`](super::SiteStore::schedule).
pub trait ScheduleStore: Send + Sync {
    /// Gives a site a schedule, which takes the place of the one before and keeps its last run, with a
    /// line in the audit log where something became different. `next_run_at` is none for one that is not
    /// enabled. None where there is no such site.
    ///
    /// # Errors
    /// When the database fails.
    fn set_schedule(
        &self,
        org: &OrgId,
        site: &SiteId,
        change: &ScheduleChange,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Schedule>, StoreError>;

    /// The enabled schedule of a site, due or not. None where it has none.
    ///
    /// # Errors
    /// When the database fails, or the schedule cannot be read.
    fn enabled_schedule(
        &self,
        org: &OrgId,
        site: &SiteId,
    ) -> Result<Option<DueSchedule>, StoreError>;

    /// The enabled schedules of all organizations, due or not, at most `limit`, by the ids of their sites
    /// and after one of them. Those that cannot be read are left out and logged.
    ///
    /// # Errors
    /// When the database fails.
    fn enabled_schedules(
        &self,
        after: Option<&SiteId>,
        limit: u32,
    ) -> Result<Vec<DueSchedule>, StoreError>;

    /// Sets when a schedule and its job are due next. False where that was changed meanwhile; then it
    /// stays so.
    ///
    /// # Errors
    /// When the database fails.
    fn repair_future_timestamps(
        &self,
        schedule: &DueSchedule,
        next_run_at: DateTime<Utc>,
    ) -> Result<bool, StoreError>;

    /// Starts the run of a due schedule in one transaction, sets when it is due next, and makes its job
    /// ([`JobKind::Schedule`](super::JobKind::Schedule)) due then. However many processes try, one time
    /// that was due starts one run at most.
    ///
    /// The run is started as [`RunStore::start_run`](super::RunStore::start_run) does it, caps and all. It
    /// is skipped where a run of the site has not ended, a cap holds it back, or `run` is a reason itself;
    /// then there are a line in the audit log and a `schedule.skipped` event, once for each reason until
    /// another one holds the schedule back or a run of it is started.
    ///
    /// # Errors
    /// When the database fails; the schedule is due as before then.
    fn start_scheduled(
        &self,
        due: &DueSchedule,
        run: Result<&NewRun, SkipReason>,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<ScheduleOutcome, StoreError>;
}
