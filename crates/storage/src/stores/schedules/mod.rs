//! Schedules and the runs that they start.

mod row;
mod set;
mod start;

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::ports::{NewRun, ScheduleOutcome, ScheduleStore, StoreError};
use domain::schedule::{DueSchedule, Schedule, ScheduleChange, SkipReason};

use crate::database::Database;
use crate::stores::orgs;

pub(crate) use row::ScheduleRow;

impl ScheduleStore for Database {
    fn set_schedule(
        &self,
        org: &OrgId,
        site: &SiteId,
        change: &ScheduleChange,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Schedule>, StoreError> {
        Ok(self
            .write(|connection| set::set(connection, (org, site), change, next_run_at, now, by))?)
    }

    fn enabled_schedule(
        &self,
        org: &OrgId,
        site: &SiteId,
    ) -> Result<Option<DueSchedule>, StoreError> {
        Ok(self.read(|connection| start::enabled_of(connection, org, site))?)
    }

    fn enabled_schedules(
        &self,
        after: Option<&SiteId>,
        limit: u32,
    ) -> Result<Vec<DueSchedule>, StoreError> {
        Ok(self.read(|connection| start::enabled(connection, after, limit))?)
    }

    fn repair_future_timestamps(
        &self,
        schedule: &DueSchedule,
        next_run_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            // Locked first, as with every change of a schedule.
            Ok(orgs::lock(connection, &schedule.org_id)?
                && start::take(connection, schedule, Some(next_run_at))?)
        })?)
    }

    fn start_scheduled(
        &self,
        due: &DueSchedule,
        run: Result<&NewRun, SkipReason>,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<ScheduleOutcome, StoreError> {
        let key = self.secret();
        Ok(self.write(|connection| start::start(connection, key, due, run, next_run_at, now))?)
    }
}
