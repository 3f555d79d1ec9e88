//! The records of pictures.

use domain::artifact::{Artifact, ArtifactId, ArtifactInfo, ArtifactKey};
use domain::id::OrgId;
use domain::ports::{Claim, LeaseStatus, ReportDetail, Stores};
use domain::report::Variant;
use testkit::sample;

use crate::contract::world::{Fixture, at};

fn infos(numbers: impl IntoIterator<Item = u8>) -> Vec<ArtifactInfo> {
    let pictures = numbers.into_iter().map(sample::artifact);
    pictures.map(|picture| Artifact::info(&picture)).collect()
}

/// Records pictures that are due at a time, and are not kept yet.
fn write(stores: &dyn Stores, claim: &Claim, numbers: &[u8], due: i64) {
    let held = stores.write_artifacts(claim, &infos(numbers.iter().copied()), at(due));
    assert_eq!(held, Ok(LeaseStatus::Held));
}

fn keep(stores: &dyn Stores, claim: &Claim, until: i64) {
    let held = stores.keep_artifacts(claim, at(until));
    assert_eq!(held, Ok(LeaseStatus::Held));
}

fn due(stores: &dyn Stores, org: &OrgId, seconds: i64) -> Vec<ArtifactKey> {
    stores.due_artifacts(org, at(seconds), 1_000).unwrap()
}

pub(crate) fn pictures_are_read_once_they_are_kept(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let written = infos([1, 2, 12]);
    for _ in 0..2 {
        write(stores, &claim, &[1, 2, 12], 100);
    }
    let result = sample::audit_result();
    // The attempt completes without them.
    let report = world.complete(&claim, &result, at(5)).report_id;
    assert_eq!(stores.artifacts(&org, &report), Ok(Some(Vec::new())));
    let id = ArtifactId::new(2).unwrap();
    assert_eq!(stores.artifact(&org, &report, id), Ok(None));

    world.start(&org, "https://example.com/");
    let claim = world.claim(at(6));
    write(stores, &claim, &[1, 2, 12], 100);
    keep(stores, &claim, 1_000);
    let report = world.complete(&claim, &result, at(7)).report_id;
    let found = stores.artifacts(&org, &report).unwrap().unwrap();
    let found: Vec<_> = found.into_iter().map(|stored| stored.info).collect();
    assert_eq!(found, written);
    let one = stores.artifact(&org, &report, id).unwrap().unwrap();
    assert_eq!(one.info, written[1]);
    assert_eq!(one.key.run_id, claim.run_id);
    let never = ArtifactId::new(3).unwrap();
    assert_eq!(stores.artifact(&org, &report, never), Ok(None));
}

pub(crate) fn pictures_belong_to_their_organization(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    write(stores, &claim, &[1], 100);
    keep(stores, &claim, 100);
    let report = world.complete(&claim, &sample::audit_result(), at(5));
    let (report, id) = (report.report_id, ArtifactId::new(1).unwrap());
    assert!(stores.artifact(&org, &report, id).unwrap().is_some());
    let other = world.org();
    assert_eq!(stores.artifact(&other, &report, id), Ok(None));
    assert_eq!(stores.artifacts(&other, &report), Ok(None));
    assert_eq!(due(stores, &other, 1_000), []);
    let keys = due(stores, &org, 1_000);
    assert_eq!(keys.len(), 1);
    stores.remove_artifacts(&other, &keys).unwrap();
    assert_eq!(due(stores, &org, 1_000), keys);
}

pub(crate) fn a_lost_claim_records_no_pictures(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    world.fault(&claim, at(1));
    let lost = stores.write_artifacts(&claim, &infos([1]), at(2));
    assert_eq!(lost, Ok(LeaseStatus::Lost));
    assert_eq!(stores.keep_artifacts(&claim, at(2)), Ok(LeaseStatus::Lost));
    assert_eq!(due(stores, &org, 1_000), []);
}

pub(crate) fn pictures_are_due_when_their_time_is_over(stores: &dyn Stores) {
    let (_, org, claim) = Fixture::with_claim(stores);
    write(stores, &claim, &[1, 2], 10);
    assert_eq!(due(stores, &org, 9), []);
    assert_eq!(due(stores, &org, 10).len(), 2);
    keep(stores, &claim, 1_000);
    assert_eq!(due(stores, &org, 999), []);
    assert_eq!(due(stores, &org, 1_000).len(), 2);
    assert_eq!(stores.due_artifacts(&org, at(1_000), 1).unwrap().len(), 1);
}

pub(crate) fn an_occurrence_loses_its_picture_with_the_record(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let mut result = sample::audit_result();
    let ids = [1, 2].map(|number| ArtifactId::new(number).unwrap());
    let places = result
        .findings
        .iter_mut()
        .flat_map(|finding| &mut finding.causes);
    let places = places.flat_map(|cause| &mut cause.occurrences);
    for (place, id) in places.zip(ids) {
        place.artifact = Some(id);
    }
    write(stores, &claim, &[1, 2], 10);
    keep(stores, &claim, 10);
    let held = domain::usecase::complete_run(
        stores,
        &testkit::FixedClock::new(at(5)),
        &world.ids,
        &domain::score::DimensionWeights::default(),
        &claim,
        &result,
        &mut || Ok(LeaseStatus::Held),
    );
    assert_eq!(held, Ok(LeaseStatus::Held));
    let report = world.run(&claim).report_id().unwrap().clone();
    let shown = || {
        let detail = ReportDetail::Inline;
        let stored = stores.report(&org, &report, Variant::Current, detail);
        let issues = stored.unwrap().unwrap().report.issues;
        let causes = issues.into_iter().flat_map(|issue| issue.causes);
        let mut found: Vec<_> = causes
            .flat_map(|cause| cause.occurrences)
            .filter_map(|occurrence| occurrence.artifact)
            .collect();
        found.sort_unstable();
        found
    };
    assert_eq!(shown(), ids);
    let keys = due(stores, &org, 10);
    let first: Vec<_> = keys.into_iter().filter(|key| key.id == ids[0]).collect();
    stores.remove_artifacts(&org, &first).unwrap();
    assert_eq!(shown(), [ids[1]]);
    assert_eq!(due(stores, &org, 10).len(), 1);
}

pub(crate) fn the_pictures_of_a_removed_run_are_due_at_once(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    write(stores, &claim, &[1], 5);
    keep(stores, &claim, 1_000_000);
    let report = world
        .complete(&claim, &sample::audit_result(), at(5))
        .report_id;
    world.audited(&org, &sample::audit_result(), 1_000);
    assert_eq!(due(stores, &org, 2_000), []);
    let mut steps = 0;
    while !stores.remove_runs(&org, at(500), 1_000).unwrap().is_all {
        steps += 1;
        assert!(steps < 100);
    }
    assert_eq!(stores.artifacts(&org, &report), Ok(None));
    let keys = due(stores, &org, 0);
    assert_eq!(keys.len(), 1);
    stores.remove_artifacts(&org, &keys).unwrap();
    assert_eq!(due(stores, &org, 2_000_000), []);
}
