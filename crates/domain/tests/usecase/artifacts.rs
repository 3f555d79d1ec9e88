//! The pictures of runs.

use std::cell::RefCell;

use chrono::TimeDelta;
use domain::artifact::{Artifact, ArtifactId, MAX_ARTIFACT_BYTES, MAX_EMBEDDED_BYTES};
use domain::plan::Plans;
use domain::ports::{
    AuditEnd, Claim, Clock, ObjectError, OrgStore, QueueRules, ReportDetail, ReportStore, RunStore,
    StoredReport, WorkerId,
};
use domain::report::{AuditResult, Variant};
use domain::retention::{Keep, Retention};
use domain::score::DimensionWeights;
use domain::usecase::{
    ArtifactNotRead, ArtifactRules, Artifacts, Attempt, AttemptEnd, HeartbeatConfig,
    RetentionSweep, SweepReport,
};
use testkit::{MemoryObjects, sample};

use crate::Fixture;

const KEEP: TimeDelta = TimeDelta::days(90);

/// A result with the pictures 1 and 2, of which an occurrence has the second.
fn result() -> AuditResult {
    let mut result = sample::audit_result();
    result.artifacts = [1, 2].map(sample::artifact).to_vec();
    result.findings[0].causes[0].occurrences[0].artifact = ArtifactId::new(2);
    result
}

fn claimed(world: &Fixture) -> Claim {
    let run = sample::new_run(&world.ids, "https://example.com/");
    world.stores.start_run(&world.org, &run).unwrap();
    let worker = WorkerId("w".to_owned());
    let now = Clock::now(&world.clock);
    let claim = domain::ports::JobQueue::claim(&world.stores, &worker, &QueueRules::DEFAULT, now);
    claim.unwrap().unwrap()
}

/// Completes a run whose pictures go to this store. Returns why they were not stored.
fn completed(world: &Fixture, objects: &MemoryObjects) -> (StoredReport, Vec<ObjectError>) {
    completed_with(world, objects, result())
}

fn completed_with(
    world: &Fixture,
    objects: &MemoryObjects,
    result: AuditResult,
) -> (StoredReport, Vec<ObjectError>) {
    const WEIGHTS: DimensionWeights = DimensionWeights::EQUAL;
    let claim = claimed(world);
    let failures = RefCell::new(Vec::new());
    let on_failure = |error: &ObjectError| failures.borrow_mut().push(error.clone());
    let attempt = Attempt {
        queue: &world.stores,
        clock: &world.clock,
        ids: &world.ids,
        weights: &WEIGHTS,
        heartbeat: HeartbeatConfig {
            rules: QueueRules::DEFAULT,
            heartbeat: TimeDelta::seconds(10),
            progress: TimeDelta::seconds(1),
        },
        claim: &claim,
        waivers: &world.waivers,
        rendering: None,
        artifacts: Some(ArtifactRules {
            artifacts: Artifacts {
                records: &world.stores,
                objects,
            },
            keep: KEEP,
            on_failure: &on_failure,
        }),
    };
    let end = AuditEnd::Result(Box::new(result));
    assert_eq!(attempt.finish(&end), Ok(AttemptEnd::Completed));
    let run = world
        .stores
        .run(&world.org, &claim.run_id)
        .unwrap()
        .unwrap();
    let id = run.report_id().unwrap();
    let detail = ReportDetail::Whole;
    let report = world
        .stores
        .report(&world.org, id, Variant::Current, detail);
    (report.unwrap().unwrap(), failures.into_inner())
}

/// The pictures that the occurrences of a report have.
fn referred(report: &StoredReport) -> Vec<ArtifactId> {
    let causes = report.report.issues.iter().flat_map(|issue| &issue.causes);
    let found = causes.flat_map(|cause| &cause.occurrences);
    found.filter_map(|found| found.artifact).collect()
}

fn sweep(world: &Fixture, objects: &MemoryObjects) -> (u64, Vec<ObjectError>) {
    let failures = RefCell::new(Vec::new());
    let on_failure = |error: &ObjectError| failures.borrow_mut().push(error.clone());
    let plans = Plans::new([]);
    let sweep = RetentionSweep {
        stores: &world.stores,
        clock: &world.clock,
        plans: &plans,
        retention: Retention {
            reports: Keep::Forever,
            audit_log: Keep::Forever,
            events: Keep::Forever,
        },
        objects,
        on_object_failure: &on_failure,
    };
    let org = world.stores.org(&world.org).unwrap().unwrap();
    let mut report = SweepReport::default();
    sweep.sweep(&org, &mut report, &mut || true).unwrap();
    (report.artifacts, failures.into_inner())
}

#[test]
fn a_report_has_the_pictures_of_its_run() {
    let (world, objects) = (Fixture::new(), MemoryObjects::default());
    let (report, failures) = completed(&world, &objects);
    assert_eq!(failures, []);
    let id = ArtifactId::new(2).unwrap();
    assert_eq!(referred(&report), [id]);
    let artifacts = Artifacts {
        records: &world.stores,
        objects: &objects,
    };
    let (stored, jpeg) = artifacts.read(&world.org, &report.id, id).unwrap();
    assert_eq!(jpeg, sample::artifact(2).jpeg);
    assert_eq!(stored.info, sample::artifact(2).info());
    let skipped = &report.report.coverage.skipped;
    assert!(
        !skipped
            .iter()
            .any(|(reason, _)| reason.contains("artifact"))
    );
}

#[test]
fn no_more_pictures_are_read_than_a_file_has() {
    let (world, objects) = (Fixture::new(), MemoryObjects::default());
    let large = |number| Artifact {
        jpeg: vec![number; MAX_ARTIFACT_BYTES],
        ..sample::artifact(number)
    };
    let taken = AuditResult {
        artifacts: (1..=12).map(large).collect(),
        ..result()
    };
    let (report, _) = completed_with(&world, &objects, taken);
    let artifacts = Artifacts {
        records: &world.stores,
        objects: &objects,
    };
    let read = artifacts.of_report(&world.org, &report.id).unwrap();
    assert_eq!(read.len(), MAX_EMBEDDED_BYTES / MAX_ARTIFACT_BYTES);
}

#[test]
fn a_run_whose_pictures_cannot_be_stored_completes_and_says_so() {
    let faults = [
        ObjectError::Denied("the key is unknown".to_owned()),
        ObjectError::Full("no space left".to_owned()),
        ObjectError::Unavailable("no answer".to_owned()),
        ObjectError::Failed("other".to_owned()),
    ];
    for fault in faults {
        let (world, objects) = (Fixture::new(), MemoryObjects::default());
        objects.set_fault(Some(fault.clone()));
        let (report, failures) = completed(&world, &objects);
        assert_eq!(failures, [fault]);
        assert_eq!(referred(&report), []);
        let expected = ("artifact_not_stored".to_owned(), 2);
        assert!(report.report.coverage.skipped.contains(&expected));
        let listed = domain::ports::ArtifactStore::artifacts(&world.stores, &world.org, &report.id);
        assert_eq!(listed, Ok(Some(Vec::new())));
        // What may have been written is deleted later.
        objects.set_fault(None);
        assert_eq!(sweep(&world, &objects), (0, Vec::new()));
        world.clock.advance(TimeDelta::days(1));
        assert_eq!(sweep(&world, &objects), (2, Vec::new()));
    }
}

#[test]
fn pictures_are_deleted_after_their_time_and_a_failure_is_tried_again() {
    let (world, objects) = (Fixture::new(), MemoryObjects::default());
    let (report, _) = completed(&world, &objects);
    world.clock.advance(KEEP - TimeDelta::seconds(1));
    assert_eq!(sweep(&world, &objects), (0, Vec::new()));
    assert_eq!(objects.all().len(), 2);
    world.clock.advance(TimeDelta::seconds(1));
    let fault = ObjectError::Unavailable("no answer".to_owned());
    objects.set_fault(Some(fault.clone()));
    assert_eq!(sweep(&world, &objects), (0, vec![fault]));
    objects.set_fault(None);
    assert_eq!(sweep(&world, &objects), (2, Vec::new()));
    assert!(objects.all().is_empty());
    let detail = ReportDetail::Whole;
    let stored = world
        .stores
        .report(&world.org, &report.id, Variant::Current, detail);
    assert_eq!(referred(&stored.unwrap().unwrap()), []);
}

#[test]
fn bytes_that_are_not_those_that_were_written_are_not_read() {
    let (world, objects) = (Fixture::new(), MemoryObjects::default());
    let (report, _) = completed(&world, &objects);
    let artifacts = Artifacts {
        records: &world.stores,
        objects: &objects,
    };
    let read = |number| {
        let id = ArtifactId::new(number).unwrap();
        artifacts.read(&world.org, &report.id, id)
    };
    let (stored, _) = read(1).unwrap();
    let name = stored.key.object_name().unwrap();
    for other in [b"<svg onload=alert(1)>".to_vec(), vec![0; 10_000_000]] {
        use domain::ports::ObjectStore;
        let mut writer = objects.create(&name).unwrap();
        std::io::Write::write_all(&mut writer, &other).unwrap();
        writer.finish().unwrap();
        assert!(matches!(read(1), Err(ArtifactNotRead::Altered(_))));
    }
    domain::ports::ObjectStore::delete(&objects, &name).unwrap();
    assert!(matches!(read(1), Err(ArtifactNotRead::NotFound)));
    assert!(matches!(read(3), Err(ArtifactNotRead::NotFound)));
}
