//! Rows of jobs. A store method queues, reschedules or removes the job of a subject in the same transaction as
//! the change of the subject.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::id::{OrgId, WebhookId};
use domain::ports::{JobKind, NewRun};

use super::lease::free;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::jobs;
use crate::database::values::stored_time;
use crate::database::wake;

/// A job to insert.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewJob<'a> {
    kind: JobKind,
    subject: &'a str,
    org: &'a OrgId,
    /// The key that jobs of one kind share: the host of runs, the webhook of deliveries.
    host: &'a str,
    /// The mode of runs; empty for other kinds.
    mode: &'a str,
    queued_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
}

impl<'a> NewJob<'a> {
    /// The job of a run.
    pub(crate) fn run(org: &'a OrgId, run: &'a NewRun) -> Self {
        Self {
            kind: JobKind::Run,
            subject: run.id.as_str(),
            org,
            host: run.new_site.host.as_str(),
            mode: run.options.mode.as_str(),
            queued_at: run.now,
            due_at: run.now,
        }
    }

    /// The job of a delivery.
    pub(crate) fn delivery(
        org: &'a OrgId,
        webhook: &'a WebhookId,
        delivery: &'a str,
        due_at: DateTime<Utc>,
    ) -> Self {
        Self {
            kind: JobKind::Delivery,
            subject: delivery,
            org,
            host: webhook.as_str(),
            mode: "",
            queued_at: due_at,
            due_at,
        }
    }

    /// A job of a kind without a shared key.
    pub(crate) fn due(
        kind: JobKind,
        org: &'a OrgId,
        subject: &'a str,
        due_at: DateTime<Utc>,
    ) -> Self {
        Self {
            kind,
            subject,
            org,
            host: "",
            mode: "",
            queued_at: due_at,
            due_at,
        }
    }
}

impl NewJob<'_> {
    /// Ids sort by time, so jobs queued at the same moment run in order. A kind whose subjects may have a job of
    /// another kind needs its own ids.
    fn id(&self) -> String {
        match self.kind {
            JobKind::Run
            | JobKind::Brief
            | JobKind::Delivery
            | JobKind::Schedule
            | JobKind::Retention => format!("job_{}", self.subject),
        }
    }
}

/// The job of a subject.
macro_rules! of_subject {
    ($kind:expr, $subject:expr) => {
        $crate::database::schema::jobs::table
            .filter($crate::database::schema::jobs::kind.eq($kind.as_str()))
            .filter($crate::database::schema::jobs::subject_id.eq($subject))
    };
}

/// Queues the job of a subject that has none, and wakes the workers.
pub(crate) fn insert(connection: &mut AnyConnection, job: &NewJob<'_>) -> Result<(), StorageError> {
    let run = (job.kind == JobKind::Run).then_some(job.subject);
    diesel::insert_into(jobs::table)
        .values((
            jobs::id.eq(job.id()),
            jobs::kind.eq(job.kind.as_str()),
            jobs::subject_id.eq(job.subject),
            jobs::org_id.eq(job.org.as_str()),
            jobs::run_id.eq(run),
            jobs::host.eq(job.host),
            jobs::mode.eq(job.mode),
            jobs::queued_at.eq(stored_time(job.queued_at)),
            jobs::available_at.eq(stored_time(job.due_at)),
            jobs::attempts.eq(0),
            jobs::epoch.eq(0),
        ))
        .execute(connection)?;
    wake(connection, job.kind)
}

/// Wakes the workers of other processes if the job is due now. Workers find later jobs by polling.
fn wake(connection: &mut AnyConnection, kind: JobKind) -> Result<(), StorageError> {
    match kind {
        JobKind::Run | JobKind::Brief => wake::call(connection),
        JobKind::Delivery | JobKind::Schedule | JobKind::Retention => Ok(()),
    }
}

/// Queues the job of a subject, or resets the existing one: a worker that holds it loses its claim, and its
/// attempts start again at zero. The caller must hold a lock on the subject, so that concurrent callers are
/// serialized.
pub(crate) fn put(connection: &mut AnyConnection, job: &NewJob<'_>) -> Result<(), StorageError> {
    let moved = diesel::update(of_subject!(job.kind, job.subject))
        .set((
            jobs::queued_at.eq(stored_time(job.queued_at)),
            jobs::available_at.eq(stored_time(job.due_at)),
            jobs::attempts.eq(0),
            free!(),
        ))
        .execute(connection)?;
    match moved {
        0 => insert(connection, job),
        _ => wake(connection, job.kind),
    }
}

/// Removes the job of a subject, leased or not. Returns `false` if there is none.
pub(crate) fn remove(
    connection: &mut AnyConnection,
    kind: JobKind,
    subject: &str,
) -> Result<bool, StorageError> {
    let removed = diesel::delete(of_subject!(kind, subject)).execute(connection)?;
    Ok(removed > 0)
}

/// Removes all jobs of a kind that share a host.
pub(crate) fn remove_of_host(
    connection: &mut AnyConnection,
    kind: JobKind,
    host: &str,
) -> Result<(), StorageError> {
    let of_host = jobs::table
        .filter(jobs::kind.eq(kind.as_str()))
        .filter(jobs::host.eq(host));
    diesel::delete(of_host).execute(connection)?;
    Ok(())
}
