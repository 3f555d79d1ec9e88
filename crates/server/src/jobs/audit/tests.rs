use chrono::TimeDelta;
use domain::audit_log::Actor;
use domain::plan::Plans;
use domain::ports::{AuditOrder, JobQueue, OrgStore, QueueRules, RunStore};
use domain::run::{Run, RunProgress, RunStatus};
use std::ops::ControlFlow;
use storage::Database;
use testkit::{FixedClock, SequentialIds, sample};

use super::*;
use crate::config::IsolationMode;
use crate::jobs::tests::context;

/// An auditor with a fixed result.
struct FixedResult(AuditEnd);

impl Auditor for FixedResult {
    fn audit(
        &self,
        _: &AuditOrder,
        _: &mut dyn FnMut(&RunProgress) -> ControlFlow<()>,
    ) -> AuditEnd {
        self.0.clone()
    }
}

struct Fixture {
    stores: Database,
    job: AuditJob,
    claim: Claim,
}

fn world(end: AuditEnd) -> Fixture {
    let (stores, ids) = (Database::for_test(), Arc::new(SequentialIds::default()));
    let org = sample::new_org(&*ids);
    stores.create_org(&org, &Actor::System).unwrap();
    let run = sample::new_run(&*ids, "https://example.com/");
    stores.start_run(&org.id, &run).unwrap();
    let rules = QueueRules::DEFAULT;
    let worker = WorkerId("w".to_owned());
    let claim = stores.claim(&worker, &rules, sample::noon()).unwrap();
    Fixture {
        job: AuditJob {
            context: WorkerContext {
                ids,
                ..context(&stores, &FixedClock::new(sample::noon()))
            },
            auditor: Arc::new(FixedResult(end)),
            weights: DimensionWeights::default(),
            isolation: Isolation::new(IsolationMode::Thread),
            modes: RunModes::All,
            pictures: PictureStore {
                objects: Arc::new(testkit::MemoryObjects::default()),
                keep: TimeDelta::days(90),
            },
            plans: SharedPlans::new(Plans::new([])),
            heartbeat: HeartbeatConfig {
                rules,
                heartbeat: TimeDelta::seconds(10),
                progress: TimeDelta::seconds(1),
            },
        },
        stores,
        claim: claim.unwrap(),
    }
}

fn run(world: &Fixture) -> Run {
    let claim = &world.claim;
    world
        .stores
        .run(&claim.org_id, &claim.run_id)
        .unwrap()
        .unwrap()
}

#[test]
fn an_attempt_ends_its_run() {
    let world = world(AuditEnd::Result(Box::new(sample::audit_result())));
    attempt(&world.job, &world.claim, world.job.rules());
    assert_eq!(run(&world).state.status(), RunStatus::Completed);
}

#[test]
fn a_rejecting_database_does_not_block_a_worker() {
    let world = world(AuditEnd::Result(Box::new(sample::audit_result())));
    let refusal = StoreError::Failed("a constraint".to_owned());
    world.stores.break_with(Some(refusal));
    attempt(&world.job, &world.claim, world.job.rules());
    world.stores.break_with(None);
    assert_eq!(run(&world).state.status(), RunStatus::Running);
}

#[test]
fn a_stop_ends_the_wait_for_a_database_that_is_away() {
    let world = world(AuditEnd::Error(RunError::internal()));
    let away = StoreError::Unavailable("away".to_owned());
    world.stores.break_with(Some(away));
    world.job.context.signal.stop();
    attempt(&world.job, &world.claim, world.job.rules());
}
