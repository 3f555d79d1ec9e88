//! Starting the run of a schedule whose time has come.

use chrono::{DateTime, Utc};

use crate::id::{RunId, SiteId};
use crate::plan::Plans;
use crate::ports::{
    Clock, IdSource, NewRun, NewSite, ScheduleOutcome, ScheduleStore, SiteRef, SiteStore,
    StoreError,
};
use crate::report::Variant;
use crate::run::{OptionBounds, Trigger};
use crate::schedule::{DueSchedule, SkipReason, Timetable};
use crate::site::SiteHost;
use crate::target::{AllowTargets, gate_url};

/// What bounds it.
#[derive(Debug, Clone, Copy)]
pub struct StartDuePolicy<'a> {
    /// Targets that the operator allows beside public ones.
    pub allow: &'a AllowTargets,
    /// What the server allows of the options.
    pub bounds: OptionBounds,
    /// Audited pages at most where the site does not say; lowered to the bound where above it.
    pub default_max_pages: u32,
    /// The plans of the configuration.
    pub plans: &'a Plans,
    /// The variant of the interface; the older one serves paid plans alone.
    pub variant: Variant,
}

/// Starts the run of a due schedule from the root of its site, with the options that runs of the site
/// begin with. The schedule is due next at the first time of its timetable after this moment: however many
/// times were missed while no process ran, one run makes up for them.
///
/// # Errors
/// When the database fails, or the configuration has no plan of that name; the schedule is due as before.
pub fn start_due<S: ScheduleStore + SiteStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    policy: &StartDuePolicy<'_>,
    due: &DueSchedule,
) -> Result<ScheduleOutcome, StoreError> {
    let now = clock.now();
    let timetable = Timetable::new(due.frequency.clone(), &due.timezone).ok();
    let next = timetable.and_then(|timetable| timetable.next_after(&due.site_id, now));
    let run = run(stores, ids, policy, due, now)?;
    stores.start_scheduled(due, run.as_ref().map_err(|reason| *reason), next, now)
}

/// The run that is to be started, or why there is none.
fn run<S: SiteStore + ?Sized>(
    stores: &S,
    ids: &dyn IdSource,
    policy: &StartDuePolicy<'_>,
    due: &DueSchedule,
    now: DateTime<Utc>,
) -> Result<Result<NewRun, SkipReason>, StoreError> {
    let plan = policy.plans.get(&due.plan).ok_or_else(|| {
        let (org, plan) = (&due.org_id, &due.plan);
        StoreError::Failed(format!(
            "the organization {org} is on the plan `{plan}`, which is not configured"
        ))
    })?;
    if policy.variant == Variant::Legacy && !plan.paid {
        return Ok(Err(SkipReason::PaymentRequired));
    }
    let Ok(url) = gate_url(&due.url, policy.allow) else {
        return Ok(Err(SkipReason::TargetNotAllowed));
    };
    let Some(host) = SiteHost::from_url(&url) else {
        return Ok(Err(SkipReason::TargetNotAllowed));
    };
    let defaults = stores.site_defaults(&due.org_id, &SiteRef::Id(&due.site_id))?;
    let asked = defaults.map(|defaults| defaults.for_run(&url));
    let most = policy.default_max_pages.min(policy.bounds.max_pages);
    let options = asked.unwrap_or_default().resolve(most);
    if options.validate(&policy.bounds).is_err() {
        return Ok(Err(SkipReason::OptionsNotAllowed));
    }
    Ok(Ok(NewRun {
        id: RunId::make(ids),
        new_site: NewSite::at(&url, host, SiteId::make(ids)),
        url: url.into(),
        site_id: Some(due.site_id.clone()),
        trigger: Trigger::Schedule,
        options,
        limits: plan.limits,
        now,
    }))
}
