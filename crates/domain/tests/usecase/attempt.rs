use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::TimeDelta;
use domain::FailureCode;
use domain::id::RunId;
use domain::ports::{
    AuditEnd, AuditOrder, Auditor, Cancellation, Claim, Clock, JobQueue, LeaseStatus, QueueRules,
    ReportStore, RunStore, StoreError, WorkerId,
};
use domain::report::{AuditResult, Variant};
use domain::run::{Run, RunError, RunPhase, RunProgress, RunState, RunStatus};
use domain::score::DimensionWeights;
use domain::usecase::{Attempt, AttemptEnd, HeartbeatConfig, complete_run};
use testkit::sample;

use crate::Fixture;

const RULES: QueueRules = QueueRules::DEFAULT;
const HEARTBEAT: HeartbeatConfig = HeartbeatConfig {
    rules: RULES,
    heartbeat: TimeDelta::seconds(10),
    progress: TimeDelta::seconds(1),
};

/// An auditor that plays a script: a beat for each second, then an end.
struct Scripted<'a> {
    world: &'a Fixture,
    seconds: u64,
    end: AuditEnd,
    /// Done before each beat.
    before: &'a (dyn Fn(u64) + Sync),
}

impl Auditor for Scripted<'_> {
    fn audit(
        &self,
        _: &AuditOrder,
        beat: &mut dyn FnMut(&RunProgress) -> ControlFlow<()>,
    ) -> AuditEnd {
        for second in 1..=self.seconds {
            self.world.clock.advance(TimeDelta::seconds(1));
            (self.before)(second);
            if beat(&progress(second / 5)).is_break() {
                return AuditEnd::Stopped;
            }
        }
        self.end.clone()
    }
}

fn progress(pages: u64) -> RunProgress {
    RunProgress {
        phase: RunPhase::Crawling,
        pages_fetched: pages,
        ..RunProgress::QUEUED
    }
}

fn claimed(world: &Fixture) -> Claim {
    world
        .stores
        .start_run(
            &world.org,
            &sample::new_run(&world.ids, "https://example.com/"),
        )
        .unwrap();
    claim(world).unwrap()
}

fn claim(world: &Fixture) -> Option<Claim> {
    let worker = WorkerId("w".to_owned());
    world
        .stores
        .claim(&worker, &RULES, Clock::now(&world.clock))
        .unwrap()
}

fn run(world: &Fixture, id: &RunId) -> Run {
    world.stores.run(&world.org, id).unwrap().unwrap()
}

fn attempt<'a>(world: &'a Fixture, claim: &'a Claim) -> Attempt<'a> {
    const WEIGHTS: DimensionWeights = DimensionWeights::EQUAL;
    Attempt {
        queue: &world.stores,
        clock: &world.clock,
        ids: &world.ids,
        weights: &WEIGHTS,
        heartbeat: HEARTBEAT,
        claim,
        waivers: &world.waivers,
        artifacts: None,
        rendering: None,
    }
}

fn result() -> Box<AuditResult> {
    Box::new(sample::audit_result())
}

fn played(
    world: &Fixture,
    claim: &Claim,
    seconds: u64,
    end: AuditEnd,
    before: &(dyn Fn(u64) + Sync),
) -> AuditEnd {
    let auditor = Scripted {
        world,
        seconds,
        end,
        before,
    };
    attempt(world, claim).audit(&auditor, &|| false)
}

#[test]
fn an_audit_with_a_result_completes_its_run() {
    let world = Fixture::new();
    let claim = claimed(&world);
    let end = played(&world, &claim, 60, AuditEnd::Result(result()), &|_| {});
    assert_eq!(
        attempt(&world, &claim).finish(&end),
        Ok(AttemptEnd::Completed)
    );
    let run = run(&world, &claim.run_id);
    let report_id = run.report_id().unwrap();
    let report = world
        .stores
        .report(
            &world.org,
            report_id,
            Variant::Current,
            domain::ports::ReportDetail::Inline,
        )
        .unwrap()
        .unwrap();
    assert_eq!(report.run_id, claim.run_id);
    assert_eq!(report.issues.len(), report.report.issues.len());
    assert!(!report.issues.is_empty());
    assert_eq!(run.progress.percent, 100);
    // Asked again after an unclear answer, nothing is written twice.
    assert_eq!(attempt(&world, &claim).finish(&end), Ok(AttemptEnd::Lost));
}

#[test]
fn an_audit_without_a_result_fails_its_run() {
    let world = Fixture::new();
    let claim = claimed(&world);
    let error = RunError {
        code: FailureCode::DnsFailure,
        message: "No address.".to_owned(),
    };
    let end = AuditEnd::Error(error.clone());
    assert_eq!(attempt(&world, &claim).finish(&end), Ok(AttemptEnd::Failed));
    assert_eq!(run(&world, &claim.run_id).state.error(), Some(&error));
}

#[test]
fn signs_of_life_keep_the_claim_beyond_the_lease() {
    let world = Fixture::new();
    let first = claimed(&world);
    let others = RefCell::new(0);
    // Ten minutes, twenty leases.
    for _ in 0..10 {
        let end = played(&world, &first, 60, AuditEnd::Stopped, &|_| {});
        assert_eq!(end, AuditEnd::Stopped);
        *others.borrow_mut() += usize::from(claim(&world).is_some());
    }
    assert_eq!(others.into_inner(), 0);
}

#[test]
fn progress_is_stored_as_it_comes() {
    let world = Fixture::new();
    let claim = claimed(&world);
    let end = played(&world, &claim, 12, AuditEnd::Stopped, &|_| {});
    assert_eq!(end, AuditEnd::Stopped);
    assert_eq!(run(&world, &claim.run_id).progress, progress(2));
}

#[test]
fn an_audit_whose_claim_was_taken_over_stops_and_writes_nothing() {
    let world = Fixture::new();
    let first = claimed(&world);
    // The worker is paused for longer than its lease, and another takes over.
    let before = |second| {
        if second == 1 {
            world.clock.advance(RULES.lease);
            assert_eq!(claim(&world).unwrap().epoch, first.epoch + 1);
        }
    };
    let end = played(&world, &first, 60, AuditEnd::Result(result()), &before);
    assert_eq!(end, AuditEnd::Stopped);
    assert_eq!(attempt(&world, &first).finish(&end), Ok(AttemptEnd::Lost));
    let end = AuditEnd::Result(result());
    assert_eq!(attempt(&world, &first).finish(&end), Ok(AttemptEnd::Lost));
    assert_eq!(
        run(&world, &first.run_id).state.status(),
        RunStatus::Running
    );
}

#[test]
fn a_cancelled_run_stops_within_a_second_also_without_news() {
    let world = Fixture::new();
    let claim = claimed(&world);
    let seconds = AtomicU64::new(0);
    // The progress is the same from second 5 to 9, and the next heartbeat is due at 15.
    let before = |second| {
        seconds.store(second, Ordering::Relaxed);
        if second == 7 {
            let now = Clock::now(&world.clock);
            let cancelled = world.stores.cancel_run(&world.org, &claim.run_id, now);
            assert!(matches!(cancelled, Ok(Some(Cancellation::Done(_)))));
        }
    };
    let end = played(&world, &claim, 60, AuditEnd::Result(result()), &before);
    assert_eq!(end, AuditEnd::Stopped);
    assert!(seconds.into_inner() <= 8);
    for end in [AuditEnd::Stopped, AuditEnd::Result(result())] {
        assert_eq!(attempt(&world, &claim).finish(&end), Ok(AttemptEnd::Lost));
    }
    let status = run(&world, &claim.run_id).state.status();
    assert_eq!(status, RunStatus::Cancelled);
}

#[test]
fn an_interrupted_audit_is_handed_back_at_no_cost() {
    let world = Fixture::new();
    let first = claimed(&world);
    let auditor = Scripted {
        world: &world,
        seconds: 60,
        end: AuditEnd::Result(result()),
        before: &|_| {},
    };
    let end = attempt(&world, &first).audit(&auditor, &|| true);
    assert_eq!(
        attempt(&world, &first).finish(&end),
        Ok(AttemptEnd::HandedBack)
    );
    let state = run(&world, &first.run_id).state;
    assert!(matches!(state, RunState::Running { .. }), "{state:?}");
    let second = claim(&world).unwrap();
    assert_eq!(
        (second.run_id, second.attempt),
        (first.run_id, first.attempt)
    );
}

#[test]
fn a_database_away_for_less_than_the_lease_is_survived() {
    let world = Fixture::new();
    let claim = claimed(&world);
    let before = |second| {
        world.stores.break_with(
            (10..35)
                .contains(&second)
                .then(|| StoreError::Unavailable("away".to_owned())),
        );
    };
    let end = played(&world, &claim, 60, AuditEnd::Result(result()), &before);
    assert!(matches!(end, AuditEnd::Result(_)));
}

#[test]
fn a_database_away_for_longer_than_the_lease_ends_the_attempt() {
    let world = Fixture::new();
    let claim = claimed(&world);
    let before = |second| {
        if second == 10 {
            let away = StoreError::Unavailable("away".to_owned());
            world.stores.break_with(Some(away));
        }
    };
    let end = played(&world, &claim, 120, AuditEnd::Result(result()), &before);
    assert_eq!(end, AuditEnd::Stopped);
}

#[test]
fn an_end_that_could_not_be_stored_can_be_stored_later() {
    let world = Fixture::new();
    let claim = claimed(&world);
    let end = AuditEnd::Result(result());
    let away = StoreError::Unavailable("away".to_owned());
    world.stores.break_with(Some(away.clone()));
    assert_eq!(attempt(&world, &claim).finish(&end), Err(away));
    world.stores.break_with(None);
    assert_eq!(
        attempt(&world, &claim).finish(&end),
        Ok(AttemptEnd::Completed)
    );
}

#[test]
fn a_sign_of_life_is_due_before_each_batch() {
    let world = Fixture::new();
    let claim = claimed(&world);
    // One of causes, three of occurrences, and one each of pages, their orders, links, redirects and folders.
    let batches = 9;
    let concluded = |lost_at: Option<usize>| {
        let mut calls = 0;
        let held = complete_run(
            &world.stores,
            &world.clock,
            &world.ids,
            &DimensionWeights::EQUAL,
            &claim,
            &result(),
            &mut || {
                calls += 1;
                Ok(if lost_at == Some(calls) {
                    LeaseStatus::Lost
                } else {
                    LeaseStatus::Held
                })
            },
        );
        (held, calls)
    };
    assert_eq!(concluded(Some(2)), (Ok(LeaseStatus::Lost), 2));
    assert_eq!(
        run(&world, &claim.run_id).state.status(),
        RunStatus::Running
    );
    assert_eq!(concluded(None), (Ok(LeaseStatus::Held), batches));
}

#[test]
fn an_end_that_is_late_renews_the_lease_first() {
    let world = Fixture::new();
    let first = claimed(&world);
    let end = AuditEnd::Result(result());
    world.clock.advance(RULES.lease + TimeDelta::seconds(1));
    assert_eq!(
        attempt(&world, &first).finish(&end),
        Ok(AttemptEnd::Completed)
    );
    assert_eq!(claim(&world), None);
}
