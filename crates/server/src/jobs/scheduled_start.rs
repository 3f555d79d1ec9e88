//! Starts the runs of schedules.

use domain::id::SiteId;
use domain::plan::SharedPlans;
use domain::ports::{JobKind, ScheduleOutcome, StoreError};
use domain::report::Variant;
use domain::run::OptionBounds;
use domain::target::AllowTargets;
use domain::usecase::{StartDuePolicy, start_due};

use super::{DueJob, HeldJob, JobEnd, WorkerContext};

/// The job that starts the run of a schedule. Any number of processes may run it concurrently.
pub(crate) struct ScheduledStartJob {
    /// The plans of the configuration.
    pub(crate) plans: SharedPlans,
    /// Allowed targets in addition to public ones.
    pub(crate) allow: AllowTargets,
    /// The server's limits for the options of runs.
    pub(crate) bounds: OptionBounds,
    /// Default maximum of audited pages, if the site has none.
    pub(crate) default_max_pages: u32,
    /// The variant of the API.
    pub(crate) variant: Variant,
}

impl DueJob for ScheduledStartJob {
    const KIND: JobKind = JobKind::Schedule;

    fn run(&self, context: &WorkerContext, job: &HeldJob<'_>) -> Result<JobEnd, StoreError> {
        let (stores, org) = (&*context.stores, &job.claim.org_id);
        let Some(site) = SiteId::parse(&job.claim.subject) else {
            return Ok(JobEnd::Done);
        };
        // A schedule that was disabled or removed has no due time.
        let Some(due) = stores.enabled_schedule(org, &site)? else {
            return Ok(JobEnd::Done);
        };
        if due.due_at > context.clock.now() {
            return Ok(JobEnd::DueAt(due.due_at));
        }
        let plans = self.plans.current();
        let policy = StartDuePolicy {
            allow: &self.allow,
            bounds: self.bounds,
            default_max_pages: self.default_max_pages,
            plans: &plans,
            variant: self.variant,
        };
        match start_due(stores, &*context.clock, &*context.ids, &policy, &due)? {
            ScheduleOutcome::Started(started) => {
                context.signal.call();
                tracing::info!(site.id = %site, org.id = %org, run.id = %started.run_id, "scheduled run started");
            }
            ScheduleOutcome::Skipped { reason, is_new } => {
                crate::metrics::schedule_skipped(reason);
                let reason = reason.as_str();
                if is_new {
                    tracing::warn!(site.id = %site, org.id = %org, reason, "scheduled run skipped");
                } else {
                    tracing::debug!(site.id = %site, org.id = %org, reason, "scheduled run skipped again");
                }
            }
            ScheduleOutcome::NotDue => {}
        }
        Ok(JobEnd::Settled)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::TimeDelta;
    use domain::audit_log::Actor;
    use domain::ports::{Clock, OrgStore, RunStore, SiteStore};
    use domain::run::{RunFilter, Trigger};
    use domain::schedule::{Frequency, ScheduleChange, Timetable};
    use domain::usecase::{repair_future_timestamps, set_schedule};
    use domain::webhook::RetryDelays;
    use storage::Database;
    use testkit::{FixedClock, SequentialIds, sample};

    use super::*;
    use crate::jobs::do_next;
    use crate::jobs::tests::context;
    use crate::worker_pool::Next;

    #[test]
    fn a_schedule_starts_its_run_when_its_time_has_come_and_wakes_the_workers() {
        let (stores, ids) = (Database::for_test(), SequentialIds::default());
        let org = sample::new_org(&ids);
        stores.create_org(&org, &Actor::System).unwrap();
        let (stores, org) = (stores, org.id);
        let site = sample::new_run(&ids, "https://example.com/").new_site;
        let (limits, now) = (domain::plan::PlanLimits::default(), sample::noon());
        let made = stores.create_site(&org, &site, limits, now, &Actor::System);
        assert_eq!(made, Ok(()));
        let clock = FixedClock::new(now);
        let change = ScheduleChange {
            enabled: true,
            timetable: Timetable::new(Frequency::Daily, "Europe/Berlin").unwrap(),
        };
        let set = set_schedule(&stores, &clock, &org, &site.id, &change, &Actor::System);
        let next = set.unwrap().unwrap().next_run_at.unwrap();
        let context = WorkerContext {
            ids: Arc::new(ids),
            ..context(&stores, &clock)
        };
        let job = ScheduledStartJob {
            plans: SharedPlans::new(domain::plan::Plans::new([])),
            allow: AllowTargets::default(),
            bounds: OptionBounds {
                max_pages: 100,
                browser: false,
                user_agent: false,
                ignore_robots: false,
            },
            default_max_pages: 10,
            variant: Variant::Current,
        };
        let worker = context.worker("schedule");
        let start = || do_next(&context, &job, &worker).unwrap();
        let repair = || repair_future_timestamps(&stores, &clock, &RetryDelays::default()).unwrap();
        let due_next = || {
            let schedule = stores.schedule(&org, &site.id).unwrap().unwrap();
            schedule.next_run_at.unwrap()
        };
        let runs = || {
            let page = stores.runs(&org, &RunFilter::default(), None, 9).unwrap();
            page.unwrap().runs
        };
        clock.set(next - TimeDelta::milliseconds(1));
        assert_ne!(start(), Next::Continue);
        assert_eq!((runs().len(), context.signal.seen()), (0, 0));
        // Two days late: one run makes up for all three due times.
        clock.set(next + TimeDelta::days(2));
        assert_eq!(start(), Next::Continue);
        assert_ne!(start(), Next::Continue);
        let started = runs();
        assert_eq!((started.len(), context.signal.seen()), (1, 1));
        assert_eq!(started[0].trigger, Trigger::Schedule);
        let schedule = stores.schedule(&org, &site.id).unwrap().unwrap();
        assert_eq!(schedule.last_run_id.as_ref(), Some(&started[0].id));
        assert!(due_next() > clock.now());

        // A clock that was a year ahead has moved the schedule to that year.
        let right = clock.now();
        clock.set(right + TimeDelta::days(365));
        assert_eq!(start(), Next::Continue);
        clock.set(right + TimeDelta::minutes(1));
        let wrong = due_next();
        assert!(wrong > right + TimeDelta::days(300));
        repair();
        assert!(due_next() > clock.now() && due_next() < right + TimeDelta::days(2));
        // A clock that goes back over a due time reaches that time only once more.
        let next = due_next();
        clock.set(next + TimeDelta::seconds(1));
        assert_eq!(start(), Next::Continue);
        let after = due_next();
        clock.set(next - TimeDelta::seconds(1));
        repair();
        assert_eq!(due_next(), after);
    }
}
