//! Queue depths.

use chrono::NaiveDateTime;
use diesel::dsl::min;
use diesel::prelude::*;
use domain::action::BriefStatus;
use domain::ports::{JobKind, QueueDepth};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{action_briefs, jobs};
use crate::database::values::number;

/// Counts rows that exist only while there is work.
pub(super) fn load(connection: &mut AnyConnection) -> Result<QueueDepth, StorageError> {
    let waiting = jobs::table
        .filter(jobs::kind.eq(JobKind::Run.as_str()))
        .filter(jobs::lease_owner.is_null());
    let count: i64 = waiting.count().get_result(connection)?;
    let oldest: Option<NaiveDateTime> = waiting
        .select(min(jobs::queued_at))
        .get_result(connection)?;
    let running: i64 = jobs::table
        .filter(jobs::kind.eq(JobKind::Run.as_str()))
        .filter(jobs::lease_owner.is_not_null())
        .count()
        .get_result(connection)?;
    let briefs: i64 = action_briefs::table
        .filter(action_briefs::status.eq(BriefStatus::Queued.as_str()))
        .count()
        .get_result(connection)?;
    Ok(QueueDepth {
        waiting: number("number of jobs", count)?,
        oldest_waiting: oldest.map(|time| time.and_utc()),
        running: number("number of jobs", running)?,
        briefs_waiting: number("number of briefs", briefs)?,
    })
}
