//! Starting an audit.

use url::Url;

use super::visited::{NotVisited, visited};
use crate::audit_log::Actor;
use crate::id::{OrgId, RunId, SiteId};
use crate::idempotency::{Once, Told};
use crate::plan::PlanLimits;
use crate::ports::{
    Clock, IdSource, NewRun, NewSite, OrgStore, RunStore, SiteRef, SiteStore, StartRunError,
    StartedRun,
};
use crate::report::Variant;
use crate::run::{AskedOptions, InvalidOption, OptionBounds, Trigger};
use crate::site::SiteHost;
use crate::target::{AllowTargets, TargetError};

/// What a caller asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartAudit {
    /// The page to begin at.
    pub url: String,
    /// The site to attach the run to; none for the organization's site of the URL's host.
    pub site_id: Option<String>,
    /// How to audit.
    pub options: AskedOptions,
    /// What starts it.
    pub trigger: Trigger,
    /// Who starts it.
    pub by: Actor,
}

/// What bounds it.
#[derive(Debug, Clone, Copy)]
pub struct StartAuditPolicy<'a> {
    /// Targets that the operator allows beside public ones.
    pub allow: &'a AllowTargets,
    /// What the server allows of the options.
    pub bounds: OptionBounds,
    /// Audited pages at most where neither caller nor site says; lowered to the bound where above it.
    pub default_max_pages: u32,
    /// The caps of the organization's plan.
    pub limits: PlanLimits,
}

/// Why an audit is not started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartAuditError {
    /// The URL is none, or its target is not allowed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// An option is out of bounds.
    #[error(transparent)]
    Option(#[from] InvalidOption),
    /// The store refused.
    #[error(transparent)]
    Start(#[from] StartRunError),
}

impl From<NotVisited> for StartAuditError {
    fn from(error: NotVisited) -> Self {
        match error {
            NotVisited::Target(error) => Self::Target(error),
            NotVisited::Store(error) => Self::Start(error.into()),
        }
    }
}

/// Starts an audit: what can be judged without the store first, then all else in one transaction.
/// What the caller does not ask for has the default of the site, then that of the policy.
///
/// A target that is not allowed leaves a line in the audit log.
///
/// # Errors
/// [`StartAuditError`] says why not; no run is stored then.
pub fn start_audit<S: RunStore + SiteStore + OrgStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    policy: &StartAuditPolicy<'_>,
    org: &OrgId,
    request: StartAudit,
    once: Option<&Once<'_, StartedRun>>,
) -> Result<Told<StartedRun>, StartAuditError> {
    let now = clock.now();
    let (url, host) = visited(stores, policy.allow, org, &request.url, &request.by, now)?;
    request.options.judge(&policy.bounds)?;
    let site_id = match request.site_id {
        None => None,
        // What is no id is the id of nothing.
        Some(text) => Some(SiteId::parse(&text).ok_or(StartRunError::SiteNotFound)?),
    };
    let site = site_id.as_ref().map_or(SiteRef::Host(&host), SiteRef::Id);
    let defaults = stores.site_defaults(org, &site);
    let mut defaults = defaults.map_err(StartRunError::from)?.unwrap_or_default();
    if defaults.headers.is_some() && !goes_to_the_sites_own_origin(stores, org, &host, &url)? {
        defaults.headers = None;
    }
    let options = request
        .options
        .over(defaults)
        .resolve(policy.default_max_pages.min(policy.bounds.max_pages));
    // The operator may have drawn the bounds closer since the defaults were set.
    options.judge(&policy.bounds)?;
    let run = NewRun {
        id: RunId::make(ids),
        new_site: NewSite::at(&url, host, SiteId::make(ids)),
        url: url.into(),
        site_id,
        trigger: request.trigger,
        options,
        limits: policy.limits,
        now,
    };
    Ok(match once {
        Some(once) => stores.start_run_once(org, &run, once)?,
        None => Told::Now(stores.start_run(org, &run)?),
    })
}

/// Whether a run that begins at the URL asks the origin that the site was made for, or the same host by
/// https. A site is one host whatever the scheme and with or without `www.`, but the headers that it
/// begins its runs with may be credentials, which whoever starts a run must not be able to send in plain
/// text or to another server.
fn goes_to_the_sites_own_origin<S: SiteStore + ?Sized>(
    stores: &S,
    org: &OrgId,
    host: &SiteHost,
    url: &Url,
) -> Result<bool, StartRunError> {
    let sites = stores.sites(org, Variant::Current)?;
    let site = sites.iter().find(|known| known.site.host == *host);
    let Some(own) = site.and_then(|known| Url::parse(&known.site.url).ok()) else {
        return Ok(false);
    };
    let is_upgrade = own.scheme() == "http"
        && url.scheme() == "https"
        && own.host() == url.host()
        && own.port().is_none()
        && url.port().is_none();
    Ok(own.origin() == url.origin() || is_upgrade)
}
