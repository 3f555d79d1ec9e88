//! Starting an audit.

use crate::id::{OrgId, RunId, SiteId};
use crate::plan::PlanLimits;
use crate::ports::{Clock, IdSource, NewRun, NewSite, RunStore, StartRunError, StartedRun};
use crate::run::{InvalidOption, OptionBounds, RunOptions, Trigger};
use crate::site::SiteHost;
use crate::target::{AllowTargets, InvalidTarget, TargetError, gate_url};

/// What a caller asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartAudit {
    /// The page to begin at.
    pub url: String,
    /// The site to attach the run to; none for the organization's site of the URL's host.
    pub site_id: Option<String>,
    /// How to audit.
    pub options: RunOptions,
    /// What starts it.
    pub trigger: Trigger,
}

/// What bounds it.
#[derive(Debug, Clone, Copy)]
pub struct StartAuditPolicy<'a> {
    /// Targets that the operator allows beside public ones.
    pub allow: &'a AllowTargets,
    /// What the server allows of the options.
    pub bounds: OptionBounds,
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

/// Starts an audit: what can be judged without the store first, then all else in one transaction.
///
/// # Errors
/// [`StartAuditError`] says why not; nothing is stored then.
pub fn start_audit<S: RunStore + ?Sized>(
    runs: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    policy: &StartAuditPolicy<'_>,
    org: &OrgId,
    request: StartAudit,
) -> Result<StartedRun, StartAuditError> {
    let mut url = gate_url(&request.url, policy.allow)?;
    url.set_fragment(None);
    let host = SiteHost::of(&url).ok_or(TargetError::from(InvalidTarget::NoHost))?;
    request.options.judge(&policy.bounds)?;
    let site_id = match request.site_id {
        None => None,
        // What is no id is the id of nothing.
        Some(text) => Some(SiteId::parse(&text).ok_or(StartRunError::SiteNotFound)?),
    };
    let mut root = url.clone();
    root.set_path("/");
    root.set_query(None);
    let run = NewRun {
        id: RunId::make(ids),
        url: url.into(),
        site_id,
        new_site: NewSite {
            id: SiteId::make(ids),
            url: root.into(),
            name: host.to_string(),
            host,
        },
        trigger: request.trigger,
        options: request.options,
        limits: policy.limits,
        now: clock.now(),
    };
    Ok(runs.start_run(org, &run)?)
}
