//! Rows of jobs.

use diesel::prelude::*;
use domain::id::OrgId;
use domain::ports::NewRun;

use crate::database::connection::AnyConnection;
use crate::database::error::Fault;
use crate::database::schema::jobs;
use crate::database::values::stored_time;
use crate::database::wake;

/// The kind of job that audits a site; its subject is the run.
pub(crate) const RUN: &str = "run";

/// Stores the job of a new run, and wakes the workers.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    org: &OrgId,
    run: &NewRun,
) -> Result<(), Fault> {
    let run_id = run.id.as_str();
    let now = stored_time(run.now);
    diesel::insert_into(jobs::table)
        .values((
            // Jobs queued at the same moment are done in the order of their runs.
            jobs::id.eq(run_id.replace("run_", "job_")),
            jobs::kind.eq(RUN),
            jobs::subject_id.eq(run_id),
            jobs::org_id.eq(org.as_str()),
            jobs::run_id.eq(run_id),
            jobs::host.eq(run.new_site.host.as_str()),
            jobs::queued_at.eq(now),
            jobs::available_at.eq(now),
            jobs::attempts.eq(0),
            jobs::epoch.eq(0),
        ))
        .execute(connection)?;
    wake::call(connection)
}
