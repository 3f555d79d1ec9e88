//! Starting the runs of due schedules.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::event::EventFacts;
use domain::id::{OrgId, SiteId};
use domain::ports::{JobKind, NewRun, ScheduleOutcome, StartRunError, StartedRun};
use domain::run::RunStatus;
use domain::schedule::{DueSchedule, Frequency, SkipReason};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{organizations, runs, schedules, sites};
use crate::database::secret::SecretKey;
use crate::database::values::{known, stored_time};
use crate::queue::job::{self, NewJob};
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;
use crate::stores::outbox;
use crate::stores::runs::start::start_run;

#[derive(Queryable)]
struct DueRow {
    org_id: String,
    plan: String,
    site_id: String,
    url: String,
    frequency: Option<String>,
    cron: Option<String>,
    timezone: Option<String>,
    next_run_at: Option<NaiveDateTime>,
}

impl DueRow {
    fn read(self) -> Result<DueSchedule, StorageError> {
        let name = self.frequency.unwrap_or_default();
        let site = &self.site_id;
        Ok(DueSchedule {
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            plan: self.plan,
            site_id: known("site", site, SiteId::parse(site))?,
            url: self.url,
            frequency: known("frequency", &name, Frequency::stored(&name, self.cron))?,
            timezone: known("schedule without a time zone of", site, self.timezone)?,
            due_at: known("schedule without a time of", site, self.next_run_at)?.and_utc(),
        })
    }
}

/// The enabled schedules.
macro_rules! enabled {
    () => {
        schedules::table
            .inner_join(sites::table.on(sites::id.eq(schedules::site_id)))
            .inner_join(organizations::table.on(organizations::id.eq(schedules::org_id)))
            .filter(schedules::enabled.eq(true))
            .select((
                schedules::org_id,
                organizations::plan,
                schedules::site_id,
                sites::url,
                schedules::frequency,
                schedules::cron,
                schedules::timezone,
                schedules::next_run_at,
            ))
    };
}

/// The enabled schedule of a site.
pub(super) fn enabled_of(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
) -> Result<Option<DueSchedule>, StorageError> {
    let row: Option<DueRow> = enabled!()
        .filter(schedules::org_id.eq(org.as_str()))
        .filter(schedules::site_id.eq(site.as_str()))
        .get_result(connection)
        .optional()?;
    row.map(DueRow::read).transpose()
}

/// Returns the enabled schedules after a site, in the order of their sites.
pub(super) fn enabled(
    connection: &mut AnyConnection,
    after: Option<&SiteId>,
    limit: u32,
) -> Result<Vec<DueSchedule>, StorageError> {
    let after = after.map_or("", SiteId::as_str);
    let rows: Vec<DueRow> = enabled!()
        .filter(schedules::site_id.gt(after))
        .order(schedules::site_id)
        .limit(limit.into())
        .load(connection)?;
    let read = rows.into_iter().map(DueRow::read);
    // An unreadable schedule does not block the others.
    Ok(read
        .filter_map(|read| {
            read.inspect_err(|fault| tracing::error!(error = ?fault, "schedule unreadable"))
                .ok()
        })
        .collect())
}

/// Starts the run of a due schedule, or records why it is skipped, and sets the next due time.
pub(super) fn start(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    due: &DueSchedule,
    run: Result<&NewRun, SkipReason>,
    next_run_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<ScheduleOutcome, StorageError> {
    // Locked first, as with every start of a run.
    if !orgs::lock(connection, &due.org_id)? || !take(connection, due, next_run_at)? {
        return Ok(ScheduleOutcome::NotDue);
    }
    match begin(connection, key, due, run)? {
        Ok(started) => {
            diesel::update(schedules::table.find(due.site_id.as_str()))
                .set((
                    schedules::last_run_at.eq(stored_time(now)),
                    schedules::last_run_id.eq(started.run_id.as_str()),
                    schedules::told_skip.eq(None::<String>),
                ))
                .execute(connection)?;
            Ok(ScheduleOutcome::Started(started))
        }
        Err(reason) => {
            let is_new = note_skip(connection, due, reason)?;
            if is_new {
                publish_skip(connection, due, reason, next_run_at, now)?;
            }
            Ok(ScheduleOutcome::Skipped { reason, is_new })
        }
    }
}

/// Consumes the due time, and reschedules the job for the next one. The caller that consumes it handles it; other
/// callers find it already consumed.
pub(super) fn take(
    connection: &mut AnyConnection,
    due: &DueSchedule,
    next_run_at: Option<DateTime<Utc>>,
) -> Result<bool, StorageError> {
    let is_due = schedules::table
        .filter(schedules::site_id.eq(due.site_id.as_str()))
        .filter(schedules::org_id.eq(due.org_id.as_str()))
        .filter(schedules::enabled.eq(true))
        .filter(schedules::next_run_at.eq(stored_time(due.due_at)));
    let taken = diesel::update(is_due)
        .set(schedules::next_run_at.eq(next_run_at.map(stored_time)))
        .execute(connection)?;
    if taken == 0 {
        return Ok(false);
    }
    move_job(connection, (&due.org_id, &due.site_id), next_run_at)?;
    Ok(true)
}

/// Reschedules the job for the next due time of the schedule. A schedule without a next time has no job.
pub(super) fn move_job(
    connection: &mut AnyConnection,
    (org, site): (&OrgId, &SiteId),
    next_run_at: Option<DateTime<Utc>>,
) -> Result<(), StorageError> {
    match next_run_at {
        Some(at) => {
            let job = NewJob::due(JobKind::Schedule, org, site.as_str(), at);
            job::put(connection, &job)
        }
        None => job::remove(connection, JobKind::Schedule, site.as_str()).map(drop),
    }
}

fn begin(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    due: &DueSchedule,
    run: Result<&NewRun, SkipReason>,
) -> Result<Result<StartedRun, SkipReason>, StorageError> {
    let run = match run {
        Ok(run) => run,
        Err(reason) => return Ok(Err(reason)),
    };
    if is_under_way(connection, due)? {
        return Ok(Err(SkipReason::RunUnderWay));
    }
    match start_run(connection, key, &due.org_id, run)? {
        Ok(started) => Ok(Ok(started)),
        Err(StartRunError::LimitHit(_)) => Ok(Err(SkipReason::MonthlyRunLimitHit)),
        Err(other) => Err(StorageError::Failed(other.to_string())),
    }
}

fn is_under_way(connection: &mut AnyConnection, due: &DueSchedule) -> Result<bool, StorageError> {
    let under_way = [RunStatus::Queued.as_str(), RunStatus::Running.as_str()];
    let found = runs::table
        .filter(runs::org_id.eq(due.org_id.as_str()))
        .filter(runs::site_id.eq(due.site_id.as_str()))
        .filter(runs::status.eq_any(under_way));
    Ok(diesel::select(exists(found)).get_result(connection)?)
}

/// Records why a run is skipped. Returns `false` if the same reason was already reported, and no run was started
/// since.
fn note_skip(
    connection: &mut AnyConnection,
    due: &DueSchedule,
    reason: SkipReason,
) -> Result<bool, StorageError> {
    let told_otherwise = schedules::told_skip
        .is_null()
        .or(schedules::told_skip.ne(reason.as_str()));
    let news = schedules::table
        .filter(schedules::site_id.eq(due.site_id.as_str()))
        .filter(told_otherwise);
    let noted = diesel::update(news)
        .set(schedules::told_skip.eq(reason.as_str()))
        .execute(connection)?;
    Ok(noted > 0)
}

fn publish_skip(
    connection: &mut AnyConnection,
    due: &DueSchedule,
    reason: SkipReason,
    next_run_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    let line = Line {
        event: "schedule.skipped",
        subject: due.site_id.as_str(),
        detail: reason.as_str().to_owned(),
    };
    note(connection, &due.org_id, now, &Actor::System, &line)?;
    let facts = EventFacts::ScheduleSkipped {
        site_id: due.site_id.clone(),
        url: due.url.clone(),
        reason,
        due_at: due.due_at,
        next_run_at,
    };
    outbox::publish(connection, &due.org_id, now, facts)
}
