//! Giving a site a schedule.

use crate::audit_log::Actor;
use crate::id::{OrgId, SiteId};
use crate::ports::{Clock, ScheduleStore, StoreError};
use crate::schedule::{Schedule, ScheduleChange};

/// Gives a site a schedule that begins now: its next run is the first time of its timetable after this
/// moment. None where the organization has no such site.
///
/// # Errors
/// When the database fails.
pub fn set_schedule<S: ScheduleStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    org: &OrgId,
    site: &SiteId,
    change: &ScheduleChange,
    by: &Actor,
) -> Result<Option<Schedule>, StoreError> {
    let now = clock.now();
    let next = change.timetable.next_after(site, now);
    let next = next.filter(|_| change.enabled);
    stores.set_schedule(org, site, change, next, now, by)
}
