//! Rows of schedules.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::id::{RunId, SiteId};
use domain::schedule::{Frequency, Schedule};

use crate::database::error::StorageError;
use crate::database::schema::schedules;
use crate::database::values::known;

#[derive(Queryable, Selectable)]
#[diesel(table_name = schedules)]
pub(crate) struct ScheduleRow {
    enabled: bool,
    frequency: Option<String>,
    cron: Option<String>,
    timezone: Option<String>,
    next_run_at: Option<NaiveDateTime>,
    last_run_at: Option<NaiveDateTime>,
    last_run_id: Option<String>,
}

impl ScheduleRow {
    pub(crate) fn read(self, site: &SiteId) -> Result<Schedule, StorageError> {
        let cron = self.cron;
        let frequency = self
            .frequency
            .map(|name| known("frequency", &name, Frequency::stored(&name, cron)))
            .transpose()?;
        let last_run_id = self
            .last_run_id
            .map(|id| known("run", &id, RunId::parse(&id)))
            .transpose()?;
        Ok(Schedule {
            site_id: site.clone(),
            enabled: self.enabled,
            frequency,
            timezone: self.timezone,
            next_run_at: self.next_run_at.map(|time| time.and_utc()),
            last_run_at: self.last_run_at.map(|time| time.and_utc()),
            last_run_id,
        })
    }
}
