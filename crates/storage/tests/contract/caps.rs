//! Plan limits, and what counts against them.

use chrono::{DateTime, TimeZone, Utc};
use domain::id::OrgId;
use domain::plan::{LimitHit, PlanLimits};
use domain::ports::{LeaseStatus, NewRun, StartRunError, StartedRun, Stores};
use domain::report::Variant;
use domain::run::RunError;
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once, blocked};

fn capped(
    world: &Fixture<'_>,
    org: &OrgId,
    url: &str,
    (sites, monthly_runs): (Option<u64>, Option<u64>),
    now: DateTime<Utc>,
) -> Result<StartedRun, StartRunError> {
    let run = NewRun {
        limits: PlanLimits {
            sites,
            monthly_runs,
            ..PlanLimits::default()
        },
        now,
        ..sample::new_run(&world.ids, url)
    };
    world.stores.start_run(org, &run)
}

fn counts(world: &Fixture<'_>, org: &OrgId) -> (u64, u64) {
    let usage = world.usage(org, at(0));
    (usage.sites, usage.monthly_runs)
}

/// The last millisecond of November, and the first of December.
fn around_the_months_end() -> (DateTime<Utc>, DateTime<Utc>) {
    let december = Utc.with_ymd_and_hms(2026, 12, 1, 0, 0, 0).unwrap();
    (december - chrono::TimeDelta::milliseconds(1), december)
}

pub(crate) fn the_cap_on_sites_applies_only_to_new_sites(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let caps = (Some(2), None);
    capped(&world, &org, "https://a.example/", caps, at(0)).unwrap();
    capped(&world, &org, "https://b.example/", caps, at(0)).unwrap();
    let refused = capped(&world, &org, "https://c.example/", caps, at(0));
    let hit = LimitHit::Sites(2);
    assert_eq!(refused, Err(StartRunError::LimitHit(hit)));
    assert_eq!(counts(&world, &org), (2, 2));
    assert_eq!(stores.sites(&org, Variant::Current).unwrap().len(), 2);
    capped(&world, &org, "https://a.example/", caps, at(0)).unwrap();
    assert_eq!(counts(&world, &org), (2, 3));
}

pub(crate) fn the_cap_on_runs_applies_to_a_calendar_month(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let caps = (None, Some(2));
    let (november, december) = around_the_months_end();
    for now in [at(0), november] {
        capped(&world, &org, "https://a.example/", caps, now).unwrap();
    }
    // Also a run that would create a site; the site is then not created.
    for url in ["https://a.example/", "https://b.example/"] {
        let refused = capped(&world, &org, url, caps, november);
        let hit = LimitHit::MonthlyRuns(2);
        assert_eq!(refused, Err(StartRunError::LimitHit(hit)));
    }
    assert_eq!(counts(&world, &org), (1, 2));
    capped(&world, &org, "https://a.example/", caps, december).unwrap();
    assert_eq!(world.usage(&org, december).monthly_runs, 1);
}

pub(crate) fn each_organization_has_its_own_usage(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let caps = (Some(1), Some(1));
    capped(&world, &org, "https://a.example/", caps, at(0)).unwrap();
    capped(&world, &other, "https://a.example/", caps, at(0)).unwrap();
    assert_eq!(counts(&world, &org), (1, 1));
    assert_eq!(counts(&world, &other), (1, 1));
}

pub(crate) fn one_of_fifty_runs_at_once_passes_the_cap_on_runs(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let caps = (None, Some(8));
    for _ in 0..7 {
        capped(&world, &org, "https://a.example/", caps, at(0)).unwrap();
    }
    let answers = at_once(50, |_| {
        capped(&world, &org, "https://a.example/", caps, at(0))
    });
    assert_one_passed(&answers, LimitHit::MonthlyRuns(8));
    assert_eq!(counts(&world, &org), (1, 8));
}

pub(crate) fn one_of_fifty_runs_at_once_passes_the_cap_on_sites(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let caps = (Some(3), None);
    for site in ["https://a.example/", "https://b.example/"] {
        capped(&world, &org, site, caps, at(0)).unwrap();
    }
    let answers = at_once(50, |number| {
        let url = format!("https://new-{number}.example/");
        capped(&world, &org, &url, caps, at(0))
    });
    assert_one_passed(&answers, LimitHit::Sites(3));
    assert_eq!(counts(&world, &org), (3, 3));
}

fn assert_one_passed(answers: &[Result<StartedRun, StartRunError>], hit: LimitHit) {
    let passed = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(passed, 1, "{answers:?}");
    let refused = answers.iter().filter_map(|answer| answer.as_ref().err());
    for error in refused {
        assert_eq!(*error, StartRunError::LimitHit(hit));
    }
}

pub(crate) fn usage_is_that_of_the_month(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (november, december) = around_the_months_end();
    world.start_at(&org, "https://a.example/", november);
    world.start_at(&org, "https://a.example/", december);
    world.start_at(&org, "https://b.example/", december);
    let year_before = Utc.with_ymd_and_hms(2025, 12, 9, 0, 0, 0).unwrap();
    let runs = |time| world.usage(&org, time).monthly_runs;
    assert_eq!((runs(november), runs(december)), (1, 2));
    assert_eq!(runs(year_before), 0);
    // Sites are counted as they are now, in any month.
    assert_eq!(world.usage(&org, year_before).sites, 2);
}

pub(crate) fn an_internal_failure_is_taken_out_of_the_month_it_began_in(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (november, december) = around_the_months_end();
    world.start_at(&org, "https://a.example/", november);
    let claim = world.claim(november);
    world.start_at(&org, "https://a.example/", december);
    let held = stores.fail(&claim, &RunError::internal(), december);
    assert_eq!(held.unwrap(), LeaseStatus::Held);
    assert_eq!(world.usage(&org, november).monthly_runs, 0);
    assert_eq!(world.usage(&org, december).monthly_runs, 1);
    // A run that was removed from the count can be started again.
    let caps = (None, Some(1));
    capped(&world, &org, "https://a.example/", caps, november).unwrap();
    assert_eq!(world.usage(&org, november).monthly_runs, 1);
}

pub(crate) fn other_failures_count(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    assert_eq!(
        stores.fail(&claim, &blocked(), at(1)).unwrap(),
        LeaseStatus::Held
    );
    world.completed(&org, "https://example.com/", at(2));
    assert_eq!(counts(&world, &org), (1, 2));
}
