//! Starting a run, in one transaction.

use diesel::prelude::*;
use domain::id::{OrgId, SiteId};
use domain::plan::Period;
use domain::ports::{NewRun, StartRunError, StartedRun};
use domain::run::{RunProgress, RunStatus};
use domain::site::SiteHost;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::failpoint::point;
use crate::database::schema::{runs, sites};
use crate::database::secret::{SealContext, SecretKey, seal};
use crate::database::values::{known, storable, stored_count, stored_time};
use crate::queue::job::{self, NewJob};
use crate::stores::change_site;
use crate::stores::options::options_to_json;
use crate::stores::orgs;
use crate::stores::usage;

/// Starts a run. Everything is validated before anything is written, so a rejected request changes nothing.
pub(crate) fn start_run(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    org: &OrgId,
    run: &NewRun,
) -> Result<Result<StartedRun, StartRunError>, StorageError> {
    if !orgs::lock(connection, org)? {
        return Err(StorageError::Failed(format!(
            "there is no organization {org}"
        )));
    }
    let found = match site_for(connection, org, run)? {
        Ok(found) => found,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let period = Period::containing(run.now);
    let used = usage::load(connection, org, period)?;
    if let Err(limit) = run.limits.check(&used, found.is_none()) {
        return Ok(Err(limit.into()));
    }
    let site_id = match found {
        Some(site_id) => site_id,
        None => {
            change_site::insert(connection, org, &run.new_site, run.now)?;
            run.new_site.id.clone()
        }
    };
    let sealed = seal(key, SealContext::Run(org, &run.id), &run.options.headers)?;
    insert_run(connection, org, &site_id, run, sealed)?;
    job::insert(connection, &NewJob::run(org, run))?;
    usage::add_run(connection, org, period)?;
    point!("start-written");
    Ok(Ok(StartedRun {
        run_id: run.id.clone(),
        site_id,
    }))
}

/// Returns the site to attach the run to; `None` if it must be created.
fn site_for(
    connection: &mut AnyConnection,
    org: &OrgId,
    run: &NewRun,
) -> Result<Result<Option<SiteId>, StartRunError>, StorageError> {
    let of_org = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .select((sites::id, sites::host));
    let host = run.new_site.host.as_str();
    let found: Option<(String, String)> = match &run.site_id {
        Some(wanted) => of_org
            .filter(sites::id.eq(wanted.as_str()))
            .get_result(connection),
        None => of_org.filter(sites::host.eq(host)).get_result(connection),
    }
    .optional()?;
    Ok(match found {
        Some((_, other)) if other != host => Err(StartRunError::OtherHost {
            host: SiteHost::stored(other),
        }),
        Some((id, _)) => Ok(Some(known("site", &id, SiteId::parse(&id))?)),
        None if run.site_id.is_some() => Err(StartRunError::SiteNotFound),
        None => Ok(None),
    })
}

fn insert_run(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
    run: &NewRun,
    sealed_headers: Option<String>,
) -> Result<(), StorageError> {
    let progress = RunProgress::QUEUED;
    diesel::insert_into(runs::table)
        .values((
            runs::id.eq(run.id.as_str()),
            runs::org_id.eq(org.as_str()),
            runs::site_id.eq(site.as_str()),
            runs::url.eq(storable(&run.url)),
            runs::trigger_kind.eq(run.trigger.as_str()),
            runs::options.eq(options_to_json(&run.options)?),
            runs::status.eq(RunStatus::Queued.as_str()),
            runs::phase.eq(progress.phase.as_str()),
            runs::pages_discovered.eq(stored_count(progress.pages_discovered)),
            runs::pages_fetched.eq(stored_count(progress.pages_fetched)),
            runs::pages_audited.eq(stored_count(progress.pages_audited)),
            runs::pages_rendered.eq(stored_count(progress.pages_rendered)),
            runs::percent.eq(i64::from(progress.percent)),
            runs::created_at.eq(stored_time(run.now)),
            runs::sealed_headers.eq(sealed_headers),
        ))
        .execute(connection)?;
    Ok(())
}
