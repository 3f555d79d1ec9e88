//! Creating, changing and removing sites, each in one transaction with an audit log line.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::plan::{Period, PlanLimits};
use domain::ports::{CreateSiteError, JobKind, NewSite};
use domain::run::AskedOptions;
use domain::site::SitePatch;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{jobs, runs, sites};
use crate::database::secret::{SealContext, SecretKey, seal};
use crate::database::values::{known, storable, stored_time};
use crate::queue::job;
use crate::stores::artifacts;
use crate::stores::audit_log::{Line, note};
use crate::stores::options::defaults_to_json;
use crate::stores::orgs;
use crate::stores::rendered_pages::{self, Counts};
use crate::stores::reports::written;
use crate::stores::site_rows;
use crate::stores::stored_bytes;
use crate::stores::usage;

/// Creates a site. Everything is validated before anything is written, so a rejected request changes nothing.
pub(crate) fn create(
    connection: &mut AnyConnection,
    org: &OrgId,
    new: &NewSite,
    limits: PlanLimits,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<Result<(), CreateSiteError>, StorageError> {
    if !orgs::lock(connection, org)? {
        return Err(StorageError::Failed(format!(
            "there is no organization {org}"
        )));
    }
    let found: Option<String> = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::host.eq(new.host.as_str()))
        .select(sites::id)
        .first(connection)
        .optional()?;
    if let Some(id) = found {
        let id = known("site", &id, SiteId::parse(&id))?;
        return Ok(Err(CreateSiteError::Exists(id)));
    }
    let used = usage::load(connection, org, Period::containing(now))?;
    if let Err(limit) = limits.judge_site(&used) {
        return Ok(Err(limit.into()));
    }
    insert(connection, org, new, now)?;
    let line = Line {
        event: "site.created",
        subject: new.id.as_str(),
        detail: new.host.to_string(),
    };
    note(connection, org, now, by, &line)?;
    Ok(Ok(()))
}

/// Stores a site. The caller must have locked the row of the organization.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    org: &OrgId,
    new: &NewSite,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    diesel::insert_into(sites::table)
        .values((
            sites::id.eq(new.id.as_str()),
            sites::org_id.eq(org.as_str()),
            sites::host.eq(new.host.as_str()),
            sites::url.eq(storable(&new.url)),
            sites::name.eq(storable(&new.name)),
            sites::created_at.eq(stored_time(now)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Changes a site. Returns `false` if there is no such site.
pub(crate) fn patch(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    (org, site): (&OrgId, &SiteId),
    patch: &SitePatch,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    // The lock prevents the removal of the site meanwhile.
    if !orgs::lock(connection, org)? || !site_rows::is_there(connection, org, site)? {
        return Ok(false);
    }
    let mut changed = Vec::new();
    if let Some(name) = &patch.name {
        diesel::update(sites::table.find(site.as_str()))
            .set(sites::name.eq(storable(name.as_str())))
            .execute(connection)?;
        changed.push("name");
    }
    if let Some(options) = &patch.options {
        set_defaults(connection, key, (org, site), options)?;
        changed.push("options");
    }
    if changed.is_empty() {
        return Ok(true);
    }
    let line = Line {
        event: "site.changed",
        subject: site.as_str(),
        detail: changed.join(", "),
    };
    note(connection, org, now, by, &line)?;
    Ok(true)
}

fn set_defaults(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    (org, site): (&OrgId, &SiteId),
    options: &AskedOptions,
) -> Result<(), StorageError> {
    let sealed = match &options.headers {
        Some(headers) => seal(key, SealContext::Site(org, site), headers)?,
        None => None,
    };
    diesel::update(sites::table.find(site.as_str()))
        .set((
            sites::options.eq(defaults_to_json(options)?),
            sites::sealed_headers.eq(sealed),
        ))
        .execute(connection)?;
    Ok(())
}

/// Removes a site with all its data. Returns `false` if there is no such site.
pub(crate) fn delete(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    // The lock prevents new runs from starting meanwhile.
    if !orgs::lock(connection, org)? {
        return Ok(false);
    }
    let host: Option<String> = sites::table
        .filter(sites::id.eq(site.as_str()))
        .filter(sites::org_id.eq(org.as_str()))
        .select(sites::host)
        .get_result(connection)
        .optional()?;
    let Some(host) = host else {
        return Ok(false);
    };
    let of_site: Vec<(String, bool)> = runs::table
        .filter(runs::org_id.eq(org.as_str()))
        .filter(runs::site_id.eq(site.as_str()))
        .select((runs::id, runs::finished_at.is_null()))
        .load(connection)?;
    for (run, is_under_way) in &of_site {
        // The job first, as with every other end of a run: a worker either ends the run before, or loses its claim.
        diesel::delete(jobs::table)
            .filter(jobs::org_id.eq(org.as_str()))
            .filter(jobs::run_id.eq(run))
            .execute(connection)?;
        if *is_under_way {
            rendered_pages::settle(connection, run, Counts::Rendered)?;
        }
        // In steps, so that no statement takes long.
        written::remove_all(connection, run)?;
        // The run may have completed after the ended runs were removed.
        stored_bytes::uncount(connection, run)?;
        artifacts::expire_all(connection, run)?;
        diesel::delete(runs::table.find(run)).execute(connection)?;
    }
    job::remove(connection, JobKind::Schedule, site.as_str())?;
    diesel::delete(sites::table.find(site.as_str())).execute(connection)?;
    let line = Line {
        event: "site.deleted",
        subject: site.as_str(),
        detail: host,
    };
    note(connection, org, now, by, &line)?;
    Ok(true)
}
