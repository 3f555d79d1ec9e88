//! Starting an audit.

use super::check_target::{TargetRejected, check_target};
use crate::audit_log::Actor;
use crate::id::{OrgId, RunId, SiteId};
use crate::idempotency::{Idempotent, IdempotentWrite};
use crate::plan::PlanLimits;
use crate::ports::{
    Clock, IdSource, NewRun, NewSite, OrgStore, RunStore, SiteRef, SiteStore, StartRunError,
    StartedRun,
};
use crate::run::{AskedOptions, InvalidOption, OptionBounds, Trigger};
use crate::target::{AllowTargets, TargetError};

/// The request of a caller.
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

impl From<TargetRejected> for StartAuditError {
    fn from(error: TargetRejected) -> Self {
        match error {
            TargetRejected::Target(error) => Self::Target(error),
            TargetRejected::Store(error) => Self::Start(error.into()),
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
    once: Option<&IdempotentWrite<'_, StartedRun>>,
) -> Result<Idempotent<StartedRun>, StartAuditError> {
    let now = clock.now();
    let (url, host) = check_target(stores, policy.allow, org, &request.url, &request.by, now)?;
    request.options.validate(&policy.bounds)?;
    let site_id = match request.site_id {
        None => None,
        // What is no id is the id of nothing.
        Some(text) => Some(SiteId::parse(&text).ok_or(StartRunError::SiteNotFound)?),
    };
    let site = site_id.as_ref().map_or(SiteRef::Host(&host), SiteRef::Id);
    let defaults = stores.site_defaults(org, &site);
    let defaults = defaults.map_err(StartRunError::from)?;
    let defaults = defaults.map_or_else(AskedOptions::default, |site| site.for_run(&url));
    let options = request
        .options
        .over(defaults)
        .resolve(policy.default_max_pages.min(policy.bounds.max_pages));
    // The operator may have drawn the bounds closer since the defaults were set.
    options.validate(&policy.bounds)?;
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
        None => Idempotent::Executed(stores.start_run(org, &run)?),
    })
}
