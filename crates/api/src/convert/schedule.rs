use api_types::schedule as wire;
use domain::schedule::{Frequency, Schedule, ScheduleChange, Timetable};

use super::time;
use crate::input::InvalidFields;

/// A time zone that exists, in which a cron expression is validated if that of the request does not exist.
const ANY_ZONE: &str = "UTC";

/// A schedule to set.
pub(crate) fn schedule_change(
    asked: wire::SetScheduleRequest,
    invalid: &mut InvalidFields,
) -> Option<ScheduleChange> {
    let name = match asked.frequency {
        wire::Frequency::Daily => "daily",
        wire::Frequency::Weekly => "weekly",
        wire::Frequency::Monthly => "monthly",
        wire::Frequency::Custom => "custom",
    };
    let frequency = match invalid.has("frequency") {
        // The frequency could not be read, so the cron expression is validated without it.
        true => Ok(asked.cron.map_or(Frequency::Daily, Frequency::Custom)),
        false => Frequency::asked(name, asked.cron),
    };
    let zone = invalid.check(Timetable::new(Frequency::Daily, &asked.timezone));
    let zone = zone.map(|timetable| timetable.timezone());
    let timetable = Timetable::new(invalid.check(frequency)?, zone.unwrap_or(ANY_ZONE));
    let timetable = invalid.check(timetable)?;
    zone.is_some().then_some(ScheduleChange {
        enabled: asked.enabled,
        timetable,
    })
}

/// A schedule.
pub(crate) fn schedule(schedule: &Schedule) -> wire::Schedule {
    let frequency = schedule.frequency.as_ref();
    wire::Schedule {
        site_id: schedule.site_id.to_string(),
        enabled: schedule.enabled,
        frequency: frequency.map(|frequency| match frequency {
            Frequency::Daily => wire::Frequency::Daily,
            Frequency::Weekly => wire::Frequency::Weekly,
            Frequency::Monthly => wire::Frequency::Monthly,
            Frequency::Custom(_) => wire::Frequency::Custom,
        }),
        cron: frequency.and_then(Frequency::cron).map(str::to_owned),
        timezone: schedule.timezone.clone(),
        next_run_at: schedule.next_run_at.map(time),
        last_run_at: schedule.last_run_at.map(time),
        last_run_id: schedule.last_run_id.as_ref().map(ToString::to_string),
    }
}
