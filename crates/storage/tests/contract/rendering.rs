//! Rendered pages of the month: reserved, counted and given back.

use domain::id::OrgId;
use domain::plan::{Plan, PlanLimits, Plans, SELF_HOSTED};
use domain::ports::{Claim, HandBack, LeaseStatus, RenderReservation, Stores};
use domain::render_allowance::{RenderAllowance, RenderLimit};
use domain::retention::RetentionChoice;
use domain::run::{RunError, RunPhase, RunProgress};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, at_once, blocked};

/// Pages that a sample run audits at most.
const OF_A_RUN: u64 = 500;

/// Plans that allow this many rendered pages, of a run and in a month.
fn plans(of_run: Option<u64>, of_month: Option<u64>) -> Plans {
    Plans::new([Plan {
        name: SELF_HOSTED.to_owned(),
        limits: PlanLimits {
            rendered_pages_per_run: of_run,
            monthly_rendered_pages: of_month,
            ..PlanLimits::default()
        },
        paid: true,
        retention: RetentionChoice::default(),
    }])
}

/// Starts and claims a run that audits at most [`OF_A_RUN`] pages.
fn claimed(world: &Fixture<'_>, org: &OrgId, url: &str) -> Claim {
    let mut run = sample::new_run(&world.ids, url);
    run.options.max_pages = u32::try_from(OF_A_RUN).unwrap();
    let started = world.stores.start_run(org, &run).unwrap();
    let claim = world.claim(at(0));
    assert_eq!(claim.run_id, started.run_id);
    claim
}

/// The pages that a run may render by the plans.
fn reserved(world: &Fixture<'_>, claim: &Claim, plans: &Plans) -> Option<(u64, RenderLimit)> {
    match world.stores.reserve_rendering(claim, plans).unwrap() {
        RenderReservation::Reserved(allowance) => {
            allowance.map(|RenderAllowance { pages, limit }| (pages, limit))
        }
        RenderReservation::Lost => panic!("the claim is lost"),
    }
}

fn used(world: &Fixture<'_>, org: &OrgId) -> u64 {
    world.usage(org, at(0)).monthly_rendered_pages
}

/// Completes a run of which a browser showed this many pages.
fn complete(world: &Fixture<'_>, claim: &Claim, rendered: u64) {
    let mut result = sample::clean_audit_result();
    result.coverage.pages_rendered = rendered;
    world.complete(claim, &result, at(10));
}

/// Tells how far a run has come that a browser showed this many pages of.
fn beat(world: &Fixture<'_>, claim: &Claim, rendered: u64) {
    let progress = RunProgress {
        phase: RunPhase::Rendering,
        pages_rendered: rendered,
        seconds_left: Some(40),
        ..RunProgress::QUEUED
    };
    let held = world.stores.heartbeat(claim, &progress, &RULES, at(1));
    assert_eq!(held.unwrap(), LeaseStatus::Held);
}

pub(crate) fn rendered_pages_are_counted_without_a_limit_as_well(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for rendered in [7, 0] {
        let claim = claimed(&world, &org, "https://example.com/");
        assert_eq!(reserved(&world, &claim, &plans(None, None)), None);
        complete(&world, &claim, rendered);
    }
    assert_eq!(used(&world, &org), 7);
}

pub(crate) fn what_a_run_did_not_render_is_given_back_when_it_ends(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let plans = plans(None, Some(800));
    let first = claimed(&world, &org, "https://a.example/");
    assert_eq!(
        reserved(&world, &first, &plans),
        Some((800, RenderLimit::Month))
    );
    assert_eq!(used(&world, &org), OF_A_RUN, "no more than it audits");
    let second = claimed(&world, &org, "https://b.example/");
    assert_eq!(
        reserved(&world, &second, &plans),
        Some((300, RenderLimit::Month))
    );
    let third = claimed(&world, &org, "https://c.example/");
    assert_eq!(
        reserved(&world, &third, &plans),
        Some((0, RenderLimit::Month))
    );
    complete(&world, &first, 40);
    assert_eq!(used(&world, &org), 340);
    complete(&world, &second, 300);
    complete(&world, &third, 0);
    assert_eq!(used(&world, &org), 340);
}

pub(crate) fn an_attempt_that_is_repeated_counts_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (narrow, wide) = (plans(Some(20), Some(30)), plans(Some(25), Some(30)));
    let first = claimed(&world, &org, "https://example.com/");
    assert_eq!(
        reserved(&world, &first, &narrow),
        Some((20, RenderLimit::Run))
    );
    beat(&world, &first, 15);
    let held = stores
        .hand_back(&first, HandBack::Suspected, at(2))
        .unwrap();
    assert_eq!(held, LeaseStatus::Held);
    assert_eq!(used(&world, &org), 20, "reserved until the run ends");
    let again = world.claim(at(3));
    assert_eq!(again.run_id, first.run_id);
    assert_eq!(
        reserved(&world, &again, &wide),
        Some((25, RenderLimit::Run))
    );
    assert_eq!(used(&world, &org), 25);
    // The process that was given up comes back.
    let late = stores.reserve_rendering(&first, &narrow).unwrap();
    assert_eq!(late, RenderReservation::Lost);
    complete(&world, &again, 18);
    assert_eq!(used(&world, &org), 18);
}

pub(crate) fn a_run_that_ends_otherwise_counts_what_it_rendered(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (world, plans) = (&world, plans(Some(100), Some(1_000)));
    let ended = |end: &dyn Fn(&Claim)| {
        let claim = claimed(world, &org, "https://example.com/");
        reserved(world, &claim, &plans);
        beat(world, &claim, 9);
        let before = used(world, &org);
        end(&claim);
        used(world, &org) + 100 - before
    };
    let failed = |error: RunError| {
        move |claim: &Claim| {
            let held = stores.fail(claim, &error, at(5)).unwrap();
            assert_eq!(held, LeaseStatus::Held);
            assert_eq!(world.run(claim).progress.seconds_left, None);
        }
    };
    assert_eq!(ended(&failed(blocked())), 9);
    assert_eq!(ended(&failed(RunError::internal())), 0);
    let cancelled = |claim: &Claim| {
        stores.cancel_run(&org, &claim.run_id, at(5)).unwrap();
        assert_eq!(world.run(claim).progress.seconds_left, None);
    };
    assert_eq!(ended(&cancelled), 9);
    let removed = |claim: &Claim| {
        let by = domain::audit_log::Actor::CommandLine;
        assert_eq!(
            stores.delete_site(&org, &claim.site_id, at(5), &by),
            Ok(true)
        );
    };
    assert_eq!(ended(&removed), 9);
}

pub(crate) fn runs_at_once_never_reserve_more_than_the_month_has(stores: &dyn Stores) {
    const RUNS: usize = 12;
    let (world, org) = Fixture::with_org(stores);
    let plans = plans(Some(70), Some(500));
    let claims: Vec<_> = (0..RUNS)
        .map(|number| claimed(&world, &org, &format!("https://{number}.example/")))
        .collect();
    let given = at_once(RUNS, |number| {
        let (pages, _) = reserved(&world, &claims[number], &plans).unwrap();
        pages
    });
    assert_eq!(given.iter().sum::<u64>(), 500, "{given:?}");
    assert_eq!(used(&world, &org), 500);
    at_once(RUNS, |number| complete(&world, &claims[number], 3));
    assert_eq!(used(&world, &org), 36);
}

pub(crate) fn a_plan_that_is_not_configured_reserves_nothing(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    stores
        .set_plan(&org, "gone", at(0), &domain::audit_log::Actor::CommandLine)
        .unwrap();
    let claim = claimed(&world, &org, "https://example.com/");
    let refused = stores.reserve_rendering(&claim, &plans(None, Some(5)));
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("`gone`"), "{error}");
    assert_eq!(used(&world, &org), 0);
}
