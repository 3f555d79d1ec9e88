//! What a clock that was wrong put too far ahead.

use chrono::{DateTime, Utc};

use crate::id::SiteId;
use crate::ports::{Clock, ScheduleStore, StoreError, WebhookStore};
use crate::schedule::{DueSchedule, Timetable};
use crate::webhook::RetryDelays;

/// Schedules looked at in one step.
const AT_ONCE: u32 = 500;

/// What was brought forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RepairedTimestamps {
    /// Schedules.
    pub schedules: u64,
    /// Deliveries of events.
    pub deliveries: u64,
}

/// Brings forward what only a clock that was far ahead can have put where it is. A schedule that is due later
/// than the second time of its timetable from now is due at the first: a clock that went back by less than
/// it is from one time to the next changes nothing, so that no time comes twice. A delivery that waits for
/// longer than any waits is due now.
///
/// # Errors
/// When the database fails; what was brought forward until then stays so.
pub fn repair_future_timestamps<S: ScheduleStore + WebhookStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    delays: &RetryDelays,
) -> Result<RepairedTimestamps, StoreError> {
    let now = clock.now();
    Ok(RepairedTimestamps {
        deliveries: stores.bring_deliveries_forward(now + delays.longest(), now)?,
        schedules: schedules(stores, clock)?,
    })
}

fn schedules<S: ScheduleStore + ?Sized>(stores: &S, clock: &dyn Clock) -> Result<u64, StoreError> {
    let (mut count, mut last) = (0, None::<SiteId>);
    loop {
        let some = stores.enabled_schedules(last.as_ref(), AT_ONCE)?;
        let Some(end) = some.last() else {
            return Ok(count);
        };
        last = Some(end.site_id.clone());
        for schedule in &some {
            if let Some(next) = earlier(schedule, clock)
                && stores.repair_future_timestamps(schedule, next)?
            {
                count += 1;
            }
        }
    }
}

/// The first time from now, where a schedule is due later than the second.
fn earlier(schedule: &DueSchedule, clock: &dyn Clock) -> Option<DateTime<Utc>> {
    let timetable = Timetable::new(schedule.frequency.clone(), &schedule.timezone).ok()?;
    let first = timetable.next_after(&schedule.site_id, clock.now())?;
    let second = timetable.next_after(&schedule.site_id, first)?;
    (schedule.due_at > second).then_some(first)
}
