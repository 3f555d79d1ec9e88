//! Runs of schedules whose time has come.

use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::plan::{Plan, PlanLimits, Plans};
use domain::ports::{OrgStore, RunStore, ScheduleOutcome, ScheduleStore, SiteStore};
use domain::report::Variant;
use domain::run::{AskedOptions, OptionBounds, Run, Trigger};
use domain::schedule::{DueSchedule, Frequency, ScheduleChange, SkipReason, Timetable};
use domain::site::SitePatch;
use domain::target::AllowTargets;
use domain::usecase::{StartDuePolicy, set_schedule, start_due};
use storage::Database;
use testkit::{FixedClock, SequentialIds, sample};

struct Fixture {
    stores: Database,
    ids: SequentialIds,
    clock: FixedClock,
    org: OrgId,
    site: SiteId,
    allow: AllowTargets,
    plans: Plans,
    variant: Variant,
    bounds: OptionBounds,
}

/// A site with a daily schedule that is due.
fn world(url: &str, options: AskedOptions) -> Fixture {
    let (stores, ids) = (Database::for_test(), SequentialIds::default());
    let new = domain::ports::NewOrg {
        plan: "small".to_owned(),
        ..sample::new_org(&ids)
    };
    stores.create_org(&new, &Actor::System).unwrap();
    let (org, now) = (new.id, sample::noon());
    let site = sample::new_run(&ids, url).new_site;
    let limits = PlanLimits::default();
    stores
        .create_site(&org, &site, limits, now, &Actor::System)
        .unwrap();
    let patch = SitePatch {
        options: Some(options),
        ..SitePatch::default()
    };
    stores
        .patch_site(&org, &site.id, &patch, now, &Actor::System)
        .unwrap();
    let clock = FixedClock::new(now);
    let change = ScheduleChange {
        enabled: true,
        timetable: Timetable::new(Frequency::Daily, "UTC").unwrap(),
    };
    let set = set_schedule(&stores, &clock, &org, &site.id, &change, &Actor::System);
    clock.set(set.unwrap().unwrap().next_run_at.unwrap());
    Fixture {
        stores,
        ids,
        clock,
        org,
        site: site.id,
        allow: AllowTargets::default(),
        plans: plans(Some(5)),
        variant: Variant::Current,
        bounds: OptionBounds {
            max_pages: 100,
            browser: false,
            user_agent: false,
            ignore_robots: false,
        },
    }
}

fn plans(monthly_runs: Option<u64>) -> Plans {
    Plans::new([Plan {
        name: "small".to_owned(),
        limits: PlanLimits {
            sites: None,
            monthly_runs,
            ..PlanLimits::default()
        },
        paid: false,
        retention: domain::retention::RetentionChoice::default(),
    }])
}

impl Fixture {
    fn due(&self) -> DueSchedule {
        let due = self.stores.enabled_schedule(&self.org, &self.site);
        due.unwrap().unwrap()
    }

    fn start(&self) -> ScheduleOutcome {
        let policy = StartDuePolicy {
            allow: &self.allow,
            bounds: self.bounds,
            default_max_pages: 1_000,
            plans: &self.plans,
            variant: self.variant,
        };
        start_due(&self.stores, &self.clock, &self.ids, &policy, &self.due()).unwrap()
    }

    fn started(&self) -> Run {
        let ScheduleOutcome::Started(started) = self.start() else {
            panic!("it was skipped");
        };
        self.stores
            .run(&self.org, &started.run_id)
            .unwrap()
            .unwrap()
    }
}

#[test]
fn a_run_begins_at_the_root_of_its_site_with_the_sites_options() {
    let options = AskedOptions {
        max_depth: Some(2),
        exclude: Some(vec!["/search".to_owned()]),
        ..AskedOptions::default()
    };
    let world = world("https://example.com/a?b", options);
    let run = world.started();
    assert_eq!(run.url, "https://example.com/");
    assert_eq!(
        (run.trigger, &run.site_id),
        (Trigger::Schedule, &world.site)
    );
    assert_eq!(run.options.max_depth, Some(2));
    assert_eq!(run.options.exclude, ["/search"]);
    // The default, lowered to the bound.
    assert_eq!(run.options.max_pages, 100);
}

const fn skipped(reason: SkipReason) -> ScheduleOutcome {
    ScheduleOutcome::Skipped {
        reason,
        is_new: true,
    }
}

#[test]
fn what_the_operator_does_not_allow_any_more_is_skipped() {
    let options = AskedOptions {
        max_pages: Some(500),
        ..AskedOptions::default()
    };
    let wide = world("https://example.com/", options);
    assert_eq!(wide.start(), skipped(SkipReason::OptionsNotAllowed));
    let private = world("http://127.0.0.1:8000/", AskedOptions::default());
    assert_eq!(private.start(), skipped(SkipReason::TargetNotAllowed));
    let allowed = Fixture {
        allow: ["127.0.0.1:8000".parse().unwrap()].into_iter().collect(),
        ..world("http://127.0.0.1:8000/", AskedOptions::default())
    };
    assert_eq!(allowed.started().url, "http://127.0.0.1:8000/");
}

#[test]
fn plans_hold_runs_back() {
    let full = Fixture {
        plans: plans(Some(0)),
        ..world("https://example.com/", AskedOptions::default())
    };
    assert_eq!(full.start(), skipped(SkipReason::MonthlyRunLimitHit));
    let unpaid = Fixture {
        variant: Variant::Legacy,
        ..world("https://example.com/", AskedOptions::default())
    };
    assert_eq!(unpaid.start(), skipped(SkipReason::PaymentRequired));
}
