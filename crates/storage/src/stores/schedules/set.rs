//! Setting the schedule of a site.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::schedule::{Frequency, Schedule, ScheduleChange};

use super::ScheduleRow;
use super::start::move_job;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::schedules;
use crate::database::values::stored_time;
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;
use crate::stores::site_rows;

/// Sets the schedule of a site, and returns it. Returns `None` if there is no such site.
pub(super) fn set(
    connection: &mut AnyConnection,
    (org, site): (&OrgId, &SiteId),
    change: &ScheduleChange,
    next_run_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<Option<Schedule>, StorageError> {
    // The lock prevents the removal of the site and the start of its scheduled run meanwhile.
    if !orgs::lock(connection, org)? || !site_rows::is_there(connection, org, site)? {
        return Ok(None);
    }
    let before = find(connection, site)?;
    let is_new = before.is_none();
    let before = before.unwrap_or_else(|| Schedule::none(site.clone()));
    let mut schedule = before.clone();
    schedule.change(change, next_run_at);
    let frequency = schedule.frequency.as_ref();
    let settings = (
        schedules::enabled.eq(schedule.enabled),
        schedules::frequency.eq(frequency.map(Frequency::as_str)),
        schedules::cron.eq(frequency.and_then(Frequency::cron)),
        schedules::timezone.eq(schedule.timezone.as_deref()),
        schedules::next_run_at.eq(schedule.next_run_at.map(stored_time)),
    );
    if is_new {
        diesel::insert_into(schedules::table)
            .values((
                schedules::site_id.eq(site.as_str()),
                schedules::org_id.eq(org.as_str()),
                settings,
            ))
            .execute(connection)?;
    } else {
        diesel::update(schedules::table.find(site.as_str()))
            .set(settings)
            .execute(connection)?;
    }
    let due_at = schedule.next_run_at.filter(|_| schedule.enabled);
    move_job(connection, (org, site), due_at)?;
    if schedule.differs_in_settings(&before) {
        let line = Line {
            event: "schedule.changed",
            subject: site.as_str(),
            detail: schedule.in_words(),
        };
        note(connection, org, now, by, &line)?;
    }
    Ok(Some(schedule))
}

fn find(connection: &mut AnyConnection, site: &SiteId) -> Result<Option<Schedule>, StorageError> {
    let row: Option<ScheduleRow> = schedules::table
        .find(site.as_str())
        .select(ScheduleRow::as_select())
        .get_result(connection)
        .optional()?;
    row.map(|row| row.read(site)).transpose()
}
