use api_types::schedule as wire;
use domain::schedule::{Frequency, Schedule};

use super::time;

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
