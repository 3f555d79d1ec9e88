//! Creating a site.

use chrono::{DateTime, Utc};

use super::check_target::{TargetRejected, check_target};
use crate::audit_log::Actor;
use crate::id::{OrgId, SiteId};
use crate::idempotency::{Idempotent, IdempotentWrite};
use crate::plan::PlanLimits;
use crate::ports::{Clock, CreateSiteError, IdSource, NewSite, OrgStore, SiteStore};
use crate::site::{Site, SiteName};
use crate::target::{AllowTargets, TargetError};

/// The request of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateSite {
    /// Any page of the site.
    pub url: String,
    /// Its name; none for its host.
    pub name: Option<SiteName>,
    /// Who creates it.
    pub by: Actor,
}

/// What bounds it.
#[derive(Debug, Clone, Copy)]
pub struct CreateSitePolicy<'a> {
    /// Targets that the operator allows beside public ones.
    pub allow: &'a AllowTargets,
    /// The caps of the organization's plan.
    pub limits: PlanLimits,
}

/// Why a site is not created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SiteNotCreated {
    /// The URL is none, or its target is not allowed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The store refused.
    #[error(transparent)]
    Create(#[from] CreateSiteError),
}

impl From<TargetRejected> for SiteNotCreated {
    fn from(error: TargetRejected) -> Self {
        match error {
            TargetRejected::Target(error) => Self::Target(error),
            TargetRejected::Store(error) => Self::Create(error.into()),
        }
    }
}

/// Creates the site of a URL's host. A target that is not allowed leaves a line in the audit log.
///
/// # Errors
/// [`SiteNotCreated`] says why not; no site is stored then.
pub fn create_site<S: SiteStore + OrgStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    policy: &CreateSitePolicy<'_>,
    org: &OrgId,
    request: CreateSite,
) -> Result<Site, SiteNotCreated> {
    let now = clock.now();
    let CreateSite { url, name, by } = request;
    let (url, host) = check_target(stores, policy.allow, org, &url, &by, now)?;
    let site = named(NewSite::at(&url, host, SiteId::make(ids)), name.as_ref());
    stores.create_site(org, &site, policy.limits, now, &by)?;
    Ok(created(org, &site, now))
}

/// As [`create_site`], unless the same call was made before. `once` makes the answer of the created site.
///
/// # Errors
/// As [`create_site`], and when the key was used for another call.
pub fn create_site_once<S: SiteStore + OrgStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    policy: &CreateSitePolicy<'_>,
    org: &OrgId,
    request: &CreateSite,
    once: &IdempotentWrite<'_, Site>,
) -> Result<Idempotent<Site>, SiteNotCreated> {
    let now = clock.now();
    let (url, host) = check_target(stores, policy.allow, org, &request.url, &request.by, now)?;
    let new = NewSite::at(&url, host, SiteId::make(ids));
    let new = named(new, request.name.as_ref());
    let site = created(org, &new, now);
    let answer = |(): &()| (once.answer)(&site);
    let write = IdempotentWrite {
        call: once.call,
        answer: &answer,
    };
    let done = stores.create_site_once(org, &new, policy.limits, now, &request.by, &write)?;
    Ok(match done {
        Idempotent::Executed(()) => Idempotent::Executed(site),
        Idempotent::Replayed(answer) => Idempotent::Replayed(answer),
    })
}

/// The site with the requested name, if there is one.
fn named(mut site: NewSite, name: Option<&SiteName>) -> NewSite {
    if let Some(name) = name {
        name.as_str().clone_into(&mut site.name);
    }
    site
}

fn created(org: &OrgId, site: &NewSite, now: DateTime<Utc>) -> Site {
    Site {
        id: site.id.clone(),
        org_id: org.clone(),
        host: site.host.clone(),
        url: site.url.clone(),
        name: site.name.clone(),
        created_at: now,
    }
}
