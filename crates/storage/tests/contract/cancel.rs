//! Cancelling runs.

use domain::id::RunId;
use domain::ports::{Cancellation, Claim, LeaseStatus, Reaped, ReportDetail, Stores};
use domain::report::Variant;
use domain::run::{Run, RunProgress, RunState, RunStatus};
use testkit::sample;

use crate::contract::world::{
    Fixture, RULES, at, at_once, blocked, causes, occurrences, occurrences_in, pages,
};

/// Returns the run of a successful cancellation.
fn done(cancelled: Option<Cancellation>) -> Run {
    match cancelled {
        Some(Cancellation::Done(run)) => run,
        other => panic!("{other:?}"),
    }
}

/// Every write under the claim must be rejected as lost.
fn assert_lost(world: &Fixture<'_>, claim: &Claim, second: i64) {
    let (stores, now) = (world.stores, at(second));
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let batch = occurrences(&completed.reports);
    let lost = [
        stores.holds(claim),
        stores.heartbeat(claim, &RunProgress::QUEUED, &RULES, now),
        stores.write_causes(claim, &causes(&completed.reports)),
        stores.write_occurrences(claim, &batch[..10]),
        stores.write_pages(claim, &pages(3)),
        stores.complete(claim, &completed, &world.ids, now),
        stores.fail(claim, &blocked(), now),
        stores.hand_back(claim, domain::ports::HandBack::Stopped, now),
    ];
    assert_eq!(lost, [(); 8].map(|()| Ok(LeaseStatus::Lost)));
    let report = stores.report(
        &claim.org_id,
        &completed.report_id,
        Variant::Current,
        ReportDetail::Inline,
    );
    assert_eq!(report.unwrap(), None);
}

/// No worker claims the run again, and nothing ends it a second time.
fn assert_stays_cancelled(world: &Fixture<'_>, run: &Run) {
    assert_eq!(world.try_claim(at(10_000)), None);
    let reaped = world.stores.reap(&RULES, at(10_000)).unwrap();
    assert_eq!(reaped, Reaped::default());
    let stored = world.stores.run(&run.org_id, &run.id).unwrap();
    assert_eq!(stored.as_ref(), Some(run));
}

pub(crate) fn a_claim_is_held_until_it_is_lost(stores: &dyn Stores) {
    let (world, _, first) = Fixture::with_claim(stores);
    assert_eq!(stores.holds(&first).unwrap(), LeaseStatus::Held);
    // Also with an expired lease, as long as no other worker took over.
    let second = world.claim(at(31));
    assert_eq!(stores.holds(&first).unwrap(), LeaseStatus::Lost);
    assert_eq!(stores.holds(&second).unwrap(), LeaseStatus::Held);
    assert_eq!(
        stores
            .hand_back(&second, domain::ports::HandBack::Stopped, at(32))
            .unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(stores.holds(&second).unwrap(), LeaseStatus::Lost);
    let third = world.claim(at(33));
    let forged = Claim {
        org_id: world.org(),
        ..third.clone()
    };
    assert_eq!(stores.holds(&forged).unwrap(), LeaseStatus::Lost);
    world.complete(&third, &sample::clean_audit_result(), at(34));
    assert_eq!(stores.holds(&third).unwrap(), LeaseStatus::Lost);
}

pub(crate) fn a_queued_run_is_cancelled(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let started = world.start(&org, "https://example.com/");
    let before = stores.run(&org, &started.run_id).unwrap().unwrap();
    let run = done(stores.cancel_run(&org, &started.run_id, at(5)).unwrap());
    let expected = Run {
        state: RunState::Cancelled {
            started_at: None,
            finished_at: at(5),
        },
        ..before
    };
    assert_eq!(run, expected);
    assert_stays_cancelled(&world, &run);
    // The run was requested, so it counts.
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
    let site = stores.sites(&org, Variant::Current).unwrap().remove(0);
    assert_eq!((site.latest_run, site.latest_scores), (Some(run), None));
}

pub(crate) fn a_running_run_is_cancelled_and_its_worker_loses_it(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let all = occurrences(&completed.reports);
    let held = stores.write_occurrences(&claim, &all[..100]).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let progress = RunProgress {
        pages_fetched: 7,
        ..RunProgress::QUEUED
    };
    let held = stores.heartbeat(&claim, &progress, &RULES, at(1));
    assert_eq!(held.unwrap(), LeaseStatus::Held);
    let run = done(stores.cancel_run(&org, &claim.run_id, at(5)).unwrap());
    let expected = RunState::Cancelled {
        started_at: Some(at(0)),
        finished_at: at(5),
    };
    assert_eq!((&run.state, run.progress), (&expected, progress));
    assert_lost(&world, &claim, 6);
    assert_stays_cancelled(&world, &run);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn a_run_without_a_lease_is_cancelled(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    assert_eq!(
        stores
            .hand_back(&claim, domain::ports::HandBack::Stopped, at(1))
            .unwrap(),
        LeaseStatus::Held
    );
    let run = done(stores.cancel_run(&org, &claim.run_id, at(2)).unwrap());
    assert_lost(&world, &claim, 3);
    assert_stays_cancelled(&world, &run);
}

pub(crate) fn a_run_that_ended_is_not_cancelled(stores: &dyn Stores) {
    let (world, org, completed) = Fixture::with_claim(stores);
    let brought = world.complete(&completed, &sample::audit_result(), at(1));
    world.start(&org, "https://example.com/");
    let failed = world.claim(at(2));
    assert_eq!(
        stores.fail(&failed, &blocked(), at(3)).unwrap(),
        LeaseStatus::Held
    );
    let report = || {
        stores.report(
            &org,
            &brought.report_id,
            Variant::Current,
            ReportDetail::Inline,
        )
    };
    let before = report().unwrap();
    for (claim, status) in [
        (completed, RunStatus::Completed),
        (failed, RunStatus::Failed),
    ] {
        let run = world.run(&claim);
        let cancelled = stores.cancel_run(&org, &claim.run_id, at(4)).unwrap();
        assert_eq!(cancelled, Some(Cancellation::TooLate(status)));
        assert_eq!(world.run(&claim), run);
    }
    assert_eq!(report().unwrap(), before);
}

pub(crate) fn cancelling_twice_changes_nothing(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let started = world.start(&org, "https://example.com/");
    let run = done(stores.cancel_run(&org, &started.run_id, at(1)).unwrap());
    let again = stores.cancel_run(&org, &started.run_id, at(9)).unwrap();
    assert_eq!(again, Some(Cancellation::Before(run.clone())));
    assert_stays_cancelled(&world, &run);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn a_foreign_or_unknown_run_is_not_cancelled(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let before = world.run(&claim);
    let rival = world.org();
    let unknown = RunId::make(&world.ids);
    for (org, run) in [(&rival, &claim.run_id), (&org, &unknown)] {
        assert_eq!(stores.cancel_run(org, run, at(1)).unwrap(), None);
    }
    assert_eq!(world.run(&claim), before);
    assert_eq!(stores.holds(&claim).unwrap(), LeaseStatus::Held);
}

pub(crate) fn the_others_go_on(stores: &dyn Stores) {
    let (world, org, running) = Fixture::with_claim(stores);
    let cancelled = world.start(&org, "https://example.com/");
    let waiting = world.start(&org, "https://example.com/");
    done(stores.cancel_run(&org, &cancelled.run_id, at(1)).unwrap());
    assert_eq!(world.claim(at(2)).run_id, waiting.run_id);
    world.complete(&running, &sample::audit_result(), at(3));
}

pub(crate) fn only_one_concurrent_cancellation_succeeds(stores: &dyn Stores) {
    let (_, org, claim) = Fixture::with_claim(stores);
    let cancelled = at_once(6, |_| {
        stores.cancel_run(&org, &claim.run_id, at(1)).unwrap()
    });
    let (first, later): (Vec<_>, Vec<_>) = cancelled
        .into_iter()
        .partition(|cancelled| matches!(cancelled, Some(Cancellation::Done(_))));
    assert_eq!((first.len(), later.len()), (1, 5));
    for cancelled in later {
        assert!(matches!(cancelled, Some(Cancellation::Before(_))));
    }
}

pub(crate) fn of_cancelling_and_completing_at_once_one_wins(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for _ in 0..10 {
        world.start(&org, "https://example.com/");
        let claim = world.claim(at(0));
        let brought = sample::completed_run(&world.ids, &sample::audit_result());
        let batch = causes(&brought.reports);
        assert_eq!(
            stores.write_causes(&claim, &batch).unwrap(),
            LeaseStatus::Held
        );
        let batch = occurrences(&brought.reports);
        let held = stores.write_occurrences(&claim, &batch).unwrap();
        assert_eq!(held, LeaseStatus::Held);
        let won = at_once(2, |thread| match thread {
            0 => {
                stores
                    .complete(&claim, &brought, &world.ids, at(1))
                    .unwrap()
                    == LeaseStatus::Held
            }
            _ => {
                let cancelled = stores.cancel_run(&org, &claim.run_id, at(1)).unwrap();
                matches!(cancelled, Some(Cancellation::Done(_)))
            }
        });
        assert_ne!(won[0], won[1], "both or neither");
        let report = stores.report(
            &org,
            &brought.report_id,
            Variant::Current,
            ReportDetail::Inline,
        );
        let report = report.unwrap();
        let expected = match won[0] {
            true => RunStatus::Completed,
            false => RunStatus::Cancelled,
        };
        assert_eq!(world.state(&claim).status(), expected);
        assert_eq!(report.is_some(), won[0]);
        assert!(report.is_none_or(|report| occurrences_in(&report.report) > 0));
    }
}

pub(crate) fn of_cancelling_and_claiming_at_once_the_run_ends_cancelled(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for _ in 0..10 {
        let started = world.start(&org, "https://example.com/");
        let claims = at_once(2, |thread| match thread {
            0 => world.try_claim(at(0)),
            _ => {
                done(stores.cancel_run(&org, &started.run_id, at(1)).unwrap());
                None
            }
        });
        for claim in claims.into_iter().flatten() {
            assert_eq!(stores.holds(&claim).unwrap(), LeaseStatus::Lost);
        }
        let run = stores.run(&org, &started.run_id).unwrap().unwrap();
        assert_eq!(run.state.status(), RunStatus::Cancelled);
    }
}
