use std::sync::Mutex;

use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::ports::{JobStore, OrgStore};
use storage::Database;
use testkit::{FixedClock, SequentialIds, sample};

use super::*;

/// Shared state of workers on a database.
pub(super) fn context(stores: &Database, clock: &FixedClock) -> WorkerContext {
    WorkerContext {
        process: "p".to_owned(),
        stores: Arc::new(stores.clone()),
        clock: Arc::new(clock.clone()),
        ids: Arc::new(SequentialIds::default()),
        signal: Arc::default(),
    }
}

/// A job with the outcome that a test sets; records its attempts.
struct Scripted {
    attempts: Mutex<Vec<u32>>,
    come_to: fn() -> Result<JobEnd, StoreError>,
}

impl DueJob for Scripted {
    const KIND: JobKind = JobKind::Retention;
    const MAX_ATTEMPTS: Option<u32> = Some(3);

    fn run(&self, _: &WorkerContext, job: &HeldJob<'_>) -> Result<JobEnd, StoreError> {
        self.attempts.lock().unwrap().push(job.claim.attempt);
        (self.come_to)()
    }
}

struct Fixture {
    context: WorkerContext,
    clock: FixedClock,
    stores: Database,
    org: OrgId,
    job: Scripted,
}

/// An organization with one job.
fn world(come_to: fn() -> Result<JobEnd, StoreError>) -> Fixture {
    let (stores, clock) = (Database::for_test(), FixedClock::new(sample::noon()));
    let org = sample::new_org(&SequentialIds::default());
    stores.create_org(&org, &Actor::System).unwrap();
    Fixture {
        context: context(&stores, &clock),
        clock,
        stores,
        org: org.id,
        job: Scripted {
            attempts: Mutex::default(),
            come_to,
        },
    }
}

impl Fixture {
    /// Runs a job; returns whether there was one.
    fn did_one(&self) -> bool {
        let worker = self.context.worker("test");
        do_next(&self.context, &self.job, &worker).unwrap() == Next::Continue
    }

    /// Returns the times at which jobs ran within the next `seconds`, in seconds after noon.
    fn done_at(&self, seconds: i64) -> Vec<i64> {
        let at = (0..seconds).filter(|second| {
            self.clock.set(sample::noon() + TimeDelta::seconds(*second));
            self.did_one()
        });
        at.collect()
    }
}

#[test]
fn a_job_that_is_done_is_gone() {
    let world = world(|| Ok(JobEnd::Done));
    assert_eq!(world.done_at(100), [0]);
}

#[test]
fn a_job_comes_back_when_it_is_due_again() {
    let world = world(|| Ok(JobEnd::DueAt(sample::noon() + TimeDelta::seconds(40))));
    assert_eq!(world.done_at(41), [0, 40]);
    assert_eq!(*world.job.attempts.lock().unwrap(), [1, 1]);
}

#[test]
fn a_job_that_fails_is_tried_again_after_a_backoff_and_given_up_in_the_end() {
    let fails = || {
        Err(StoreError::Failed(
            "failure injected by the test".to_owned(),
        ))
    };
    let world = world(fails);
    // After its third attempt it is given up at the time of the fourth one, four seconds later.
    assert_eq!(world.done_at(100), [0, 1, 3, 7]);
    assert_eq!(*world.job.attempts.lock().unwrap(), [1, 2, 3]);
}

#[test]
fn a_job_that_panics_is_tried_again() {
    let world = world(|| panic!("failure injected by the test"));
    assert_eq!(world.done_at(4), [0, 1, 3]);
}

#[test]
fn a_lost_job_stops_at_its_next_heartbeat() {
    let world = world(|| Ok(JobEnd::Done));
    let worker = world.context.worker("a");
    let claim = world
        .stores
        .claim_job(JobKind::Retention, &worker, LEASE, sample::noon());
    let held = |renewed| HeldJob {
        context: &world.context,
        claim: claim.clone().unwrap().unwrap(),
        renewed: Cell::new(renewed),
    };
    let long_ago = Instant::now().checked_sub(HEARTBEAT).unwrap();
    assert!(held(long_ago).keep_going());
    assert_eq!(world.stores.release_jobs(), Ok(1));
    // Before the next heartbeat the database is not queried.
    assert!(held(Instant::now()).keep_going());
    assert!(!held(long_ago).keep_going());
    world.context.signal.stop();
    assert!(!held(Instant::now()).keep_going());
    assert_eq!(claim.unwrap().unwrap().org_id, world.org);
}
