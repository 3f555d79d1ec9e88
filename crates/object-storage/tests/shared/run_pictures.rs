//! The pictures of a run, over any object store: what a store must do for them, and what a run does without it.

use std::cell::RefCell;

use chrono::TimeDelta;
use domain::artifact::ArtifactId;
use domain::audit_log::Actor;
use domain::id::{OrgId, ReportId};
use domain::ports::{
    ArtifactStore, AuditEnd, Clock, JobQueue, ObjectError, ObjectStore, OrgStore, QueueRules,
    ReportDetail, ReportStore, RunStore, WorkerId,
};
use domain::report::Variant;
use domain::score::DimensionWeights;
use domain::usecase::{ArtifactRules, Artifacts, Attempt, AttemptEnd, HeartbeatConfig};
use domain::waiver::AuditWaivers;
use storage::Database;
use testkit::{FixedClock, SequentialIds, sample};

/// A run with two pictures that completed over a store.
struct Completed {
    stores: Database,
    org: OrgId,
    report: ReportId,
    failures: Vec<ObjectError>,
}

fn completed(objects: &dyn ObjectStore) -> Completed {
    let (stores, ids) = (Database::for_test(), SequentialIds::default());
    let clock = FixedClock::new(sample::noon());
    let org = sample::new_org(&ids);
    stores.create_org(&org, &Actor::System).unwrap();
    let run = sample::new_run(&ids, "https://example.com/");
    stores.start_run(&org.id, &run).unwrap();
    let worker = WorkerId("w".to_owned());
    let claim = stores.claim(&worker, &QueueRules::DEFAULT, Clock::now(&clock));
    let claim = claim.unwrap().unwrap();
    let failures = RefCell::new(Vec::new());
    let attempt = Attempt {
        queue: &stores,
        clock: &clock,
        ids: &ids,
        weights: &DimensionWeights::default(),
        heartbeat: HeartbeatConfig {
            rules: QueueRules::DEFAULT,
            heartbeat: TimeDelta::seconds(10),
            progress: TimeDelta::seconds(1),
        },
        claim: &claim,
        waivers: &AuditWaivers::default(),
        rendering: None,
        artifacts: Some(ArtifactRules {
            artifacts: Artifacts {
                records: &stores,
                objects,
            },
            keep: TimeDelta::days(90),
            on_failure: &|error| failures.borrow_mut().push(error.clone()),
        }),
    };
    let mut result = sample::audit_result();
    result.artifacts = [1, 2].map(sample::artifact).to_vec();
    let end = AuditEnd::Result(Box::new(result));
    assert_eq!(attempt.finish(&end), Ok(AttemptEnd::Completed));
    let run = stores.run(&org.id, &claim.run_id).unwrap().unwrap();
    Completed {
        report: run.report_id().unwrap().clone(),
        failures: failures.into_inner(),
        org: org.id,
        stores,
    }
}

/// Pictures are written, read, and deleted after their time.
pub(crate) fn pictures_are_written_read_and_deleted(objects: &dyn ObjectStore) {
    let run = completed(objects);
    assert_eq!(run.failures, []);
    let artifacts = Artifacts {
        records: &run.stores,
        objects,
    };
    for number in [1, 2] {
        let id = ArtifactId::new(number).unwrap();
        let (_, jpeg) = artifacts.read(&run.org, &run.report, id).unwrap();
        assert_eq!(jpeg, sample::artifact(number).jpeg);
    }
    assert_eq!(objects.list().unwrap().len(), 2);
    let (later, mut count) = (sample::noon() + TimeDelta::days(90), 0);
    let swept = artifacts.sweep(&run.org, later, &mut count, &mut || true);
    assert!(swept.is_ok() && count == 2, "{count}");
    assert_eq!(objects.list().unwrap(), []);
}

/// A run completes without pictures where the store fails, and says so.
pub(crate) fn a_run_completes_without_pictures(
    objects: &dyn ObjectStore,
    is_expected: impl Fn(&ObjectError) -> bool,
) {
    let run = completed(objects);
    assert_eq!(run.failures.len(), 1);
    assert!(is_expected(&run.failures[0]), "{:?}", run.failures);
    let text = run.failures[0].to_string();
    assert!(!text.contains("the-secret-key"), "{text}");
    let detail = ReportDetail::Issues;
    let stored = run
        .stores
        .report(&run.org, &run.report, Variant::Current, detail);
    let skipped = stored.unwrap().unwrap().report.coverage.skipped;
    let expected = ("artifact_not_stored".to_owned(), 2);
    assert!(skipped.contains(&expected), "{skipped:?}");
    let listed = run.stores.artifacts(&run.org, &run.report);
    assert_eq!(listed, Ok(Some(Vec::new())));
    // What was written is deleted once the store works again.
    let due = run
        .stores
        .due_artifacts(&run.org, sample::noon() + TimeDelta::days(1), 10);
    assert_eq!(due.unwrap().len(), 2);
}
