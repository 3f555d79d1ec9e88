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
    /// Options that are wrong whatever the server allows, and so not in `options`.
    pub refused: Vec<InvalidOption>,
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
    /// The URL is none, or its target is not allowed; and the options that are wrong as well.
    #[error("{0}")]
    Target(TargetError, Vec<InvalidOption>),
    /// Options are wrong or out of bounds.
    #[error("invalid options")]
    Options(Vec<InvalidOption>),
    /// The store refused.
    #[error(transparent)]
    Start(#[from] StartRunError),
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
    let mut wrong = request.refused;
    wrong.extend(
        request
            .options
            .validate(&policy.bounds)
            .err()
            .into_iter()
            .flatten(),
    );
    let target = check_target(stores, policy.allow, org, &request.url, &request.by, now);
    let (url, host) = match target {
        Err(TargetRejected::Target(error)) => return Err(StartAuditError::Target(error, wrong)),
        Err(TargetRejected::Store(error)) => return Err(StartRunError::from(error).into()),
        Ok(_) if !wrong.is_empty() => return Err(StartAuditError::Options(wrong)),
        Ok(target) => target,
    };
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
    options
        .validate(&policy.bounds)
        .map_err(StartAuditError::Options)?;
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
