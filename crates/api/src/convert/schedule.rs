use api_types::schedule as wire;
use domain::schedule::{Frequency, InvalidSchedule, Schedule, ScheduleChange, Timetable};

use super::time;

/// A schedule to set.
pub(crate) fn schedule_change(
    asked: wire::SetScheduleRequest,
) -> Result<ScheduleChange, InvalidSchedule> {
    let name = match asked.frequency {
        wire::Frequency::Daily => "daily",
        wire::Frequency::Weekly => "weekly",
        wire::Frequency::Monthly => "monthly",
        wire::Frequency::Custom => "custom",
    };
    let frequency = Frequency::asked(name, asked.cron)?;
    Ok(ScheduleChange {
        enabled: asked.enabled,
        timetable: Timetable::new(frequency, &asked.timezone)?,
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
