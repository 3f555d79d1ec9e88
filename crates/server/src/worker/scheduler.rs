//! The thread that starts the runs of schedules.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use domain::id::SiteId;
use domain::plan::SharedPlans;
use domain::ports::{Clock, IdSource, ScheduleOutcome, StoreError, Stores};
use domain::report::Variant;
use domain::run::OptionBounds;
use domain::schedule::DueSchedule;
use domain::target::AllowTargets;
use domain::usecase::{BroughtForward, StartDuePolicy, bring_forward, start_due};
use domain::webhook::RetryDelays;

use super::clock::Leap;
use super::{Signal, Waited};

/// Between two looks for schedules whose time has come.
const POLL: Duration = Duration::from_secs(1);
/// Schedules that one look finds at most.
const AT_ONCE: u32 = 1_000;
/// How long a schedule rests that the database refused, so that it does not fill the log.
const REST: Duration = Duration::from_secs(60);

/// What is needed to start the runs of schedules. Any number of processes may do it at once.
pub(crate) struct Scheduler {
    /// Where everything is kept.
    pub(crate) stores: Arc<dyn Stores>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// New ids.
    pub(crate) ids: Arc<dyn IdSource>,
    /// The plans of the configuration.
    pub(crate) plans: SharedPlans,
    /// Targets that are visited beside public ones.
    pub(crate) allow: AllowTargets,
    /// What the server allows of the options of runs.
    pub(crate) bounds: OptionBounds,
    /// Audited pages at most where the site does not say.
    pub(crate) default_max_pages: u32,
    /// The variant of the interface.
    pub(crate) variant: Variant,
    /// When deliveries that fail are tried again.
    pub(crate) delays: RetryDelays,
    /// Wakes the workers when a run was started, and tells the thread to stop.
    pub(crate) signal: Arc<Signal>,
}

impl Scheduler {
    /// Starts the thread.
    pub(crate) fn start(self) -> std::io::Result<JoinHandle<()>> {
        let thread = std::thread::Builder::new().name("scheduler".to_owned());
        thread.spawn(move || {
            let mut resting = HashMap::new();
            // A clock that was wrong while no process ran is right by now.
            let mut leap = Leap::default();
            while self.signal.wait_for_stop(POLL) != Waited::Stopped {
                let round = catch_unwind(AssertUnwindSafe(|| {
                    if leap.is_back(&*self.clock) {
                        self.bring_forward()?;
                        leap.is_settled();
                    }
                    self.round(&mut resting)
                }));
                match round {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => {
                        tracing::warn!(%error, "the schedules could not be looked through");
                    }
                    Err(_) => tracing::error!("the scheduler panicked"),
                }
            }
        })
    }

    /// Undoes what a clock did that was far ahead.
    fn bring_forward(&self) -> Result<(), StoreError> {
        let brought = bring_forward(&*self.stores, &*self.clock, &self.delays)?;
        if brought != BroughtForward::default() {
            tracing::warn!(
                schedules = brought.schedules,
                deliveries = brought.deliveries,
                "what waited for a time too far ahead, as after a clock that was wrong, is brought forward"
            );
        }
        Ok(())
    }

    /// Starts what is due.
    fn round(&self, resting: &mut HashMap<SiteId, Instant>) -> Result<(), StoreError> {
        resting.retain(|_, since| since.elapsed() < REST);
        for due in self.stores.due_schedules(self.clock.now(), AT_ONCE)? {
            if resting.contains_key(&due.site_id) {
                continue;
            }
            if self.signal.is_stopped() {
                return Ok(());
            }
            match self.start_one(&due) {
                Err(StoreError::Failed(error)) => {
                    tracing::error!(site.id = %due.site_id, error, "the run of a schedule was refused by the database");
                    resting.insert(due.site_id, Instant::now());
                }
                started => started?,
            }
        }
        Ok(())
    }

    fn start_one(&self, due: &DueSchedule) -> Result<(), StoreError> {
        let plans = self.plans.current();
        let policy = StartDuePolicy {
            allow: &self.allow,
            bounds: self.bounds,
            default_max_pages: self.default_max_pages,
            plans: &plans,
            variant: self.variant,
        };
        let (site, org) = (&due.site_id, &due.org_id);
        match start_due(&*self.stores, &*self.clock, &*self.ids, &policy, due)? {
            ScheduleOutcome::Started(started) => {
                self.signal.call();
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
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use domain::audit_log::Actor;
    use domain::ports::{OrgStore, RunStore, ScheduleStore, SiteStore};
    use domain::run::{RunFilter, Trigger};
    use domain::schedule::{Frequency, ScheduleChange, Timetable};
    use domain::usecase::set_schedule;
    use storage::Database;
    use testkit::{FixedClock, SequentialIds, sample};

    use super::*;

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
        let scheduler = Scheduler {
            stores: Arc::new(stores.clone()),
            clock: Arc::new(clock.clone()),
            ids: Arc::new(ids),
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
            delays: RetryDelays::default(),
            signal: Arc::default(),
        };
        let mut resting = HashMap::new();
        let due_next = || {
            let schedule = stores.schedule(&org, &site.id).unwrap().unwrap();
            schedule.next_run_at.unwrap()
        };
        let runs = || {
            let page = stores.runs(&org, &RunFilter::default(), None, 9).unwrap();
            page.unwrap().runs
        };
        clock.set(next - TimeDelta::milliseconds(1));
        assert_eq!(scheduler.round(&mut resting), Ok(()));
        assert_eq!((runs().len(), scheduler.signal.seen()), (0, 0));
        // Two days late, and one run makes up for all three times.
        clock.set(next + TimeDelta::days(2));
        for _ in 0..3 {
            assert_eq!(scheduler.round(&mut resting), Ok(()));
        }
        let started = runs();
        assert_eq!((started.len(), scheduler.signal.seen()), (1, 1));
        assert_eq!(started[0].trigger, Trigger::Schedule);
        assert_eq!(stores.due_schedules(clock.now(), 9), Ok(Vec::new()));
        let schedule = stores.schedule(&org, &site.id).unwrap().unwrap();
        assert_eq!(schedule.last_run_id.as_ref(), Some(&started[0].id));
        assert!(due_next() > clock.now());

        // A clock that was a year ahead has moved the schedule there.
        let right = clock.now();
        clock.set(right + TimeDelta::days(365));
        assert_eq!(scheduler.round(&mut resting), Ok(()));
        clock.set(right + TimeDelta::minutes(1));
        let wrong = due_next();
        assert!(wrong > right + TimeDelta::days(300));
        assert_eq!(scheduler.bring_forward(), Ok(()));
        assert!(due_next() > clock.now() && due_next() < right + TimeDelta::days(2));
        // One that goes back over a time brings that time once.
        let next = due_next();
        clock.set(next + TimeDelta::seconds(1));
        assert_eq!(scheduler.round(&mut resting), Ok(()));
        let after = due_next();
        clock.set(next - TimeDelta::seconds(1));
        assert_eq!(scheduler.bring_forward(), Ok(()));
        assert_eq!(due_next(), after);
    }
}
