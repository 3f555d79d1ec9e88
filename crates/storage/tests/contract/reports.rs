//! Reports.

use domain::id::{OrgId, ReportId};
use domain::ports::{CompletedRun, Held, NewOccurrence, StoredReport, Stores};
use domain::report::{INLINE_OCCURRENCES, Report, ReportPair, Variant};
use domain::run::RunState;
use domain::score::DimensionWeights;
use domain::usecase::conclude;
use testkit::{FixedClock, sample};

use crate::world::{World, at, occurrences};

fn stored(stores: &dyn Stores, org: &OrgId, report: &ReportId, variant: Variant) -> StoredReport {
    stores.report(org, report, variant).unwrap().unwrap()
}

/// A report as it comes back: with the first occurrences of each issue.
fn shortened(report: &Report) -> Report {
    let mut report = report.clone();
    for issue in &mut report.issues {
        issue.occurrences.truncate(INLINE_OCCURRENCES);
    }
    report
}

pub(crate) fn a_report_comes_back_as_it_was_completed(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let result = sample::audit_result();
    let weights = DimensionWeights::default();
    let clock = FixedClock::new(at(5));
    let held = conclude(
        stores,
        &clock,
        &world.ids,
        &weights,
        &claim,
        &result,
        &mut || Ok(Held::Yes),
    );
    assert_eq!(held.unwrap(), Held::Yes);
    let id = world.run(&claim).report_id().unwrap().clone();
    let made = ReportPair::assemble(&result, &weights);
    for (variant, report) in [
        (Variant::Current, &made.current),
        (Variant::Legacy, &made.legacy),
    ] {
        let found = stored(stores, &org, &id, variant);
        assert_eq!(found.report, shortened(report));
        assert_eq!(found.id, id);
        assert_eq!(found.run_id, claim.run_id);
        assert_eq!(found.site_id, claim.site_id);
        assert_eq!(found.created_at, at(5));
    }
}

pub(crate) fn a_report_of_a_clean_site_comes_back(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let completed = world.complete(&claim, &sample::clean_audit_result(), at(5));
    let id = &completed.report_id;
    let current = stored(stores, &org, id, Variant::Current);
    assert_eq!(current.report, completed.reports.current);
    assert_eq!(current.issues, []);
    let legacy = stored(stores, &org, id, Variant::Legacy);
    assert_eq!(legacy.report, completed.reports.legacy);
}

pub(crate) fn issues_keep_their_ids_in_both_variants(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let CompletedRun {
        report_id,
        reports,
        issue_ids,
        ..
    } = &completed;
    let current = stored(stores, &org, report_id, Variant::Current);
    let ids: Vec<_> = current.issues.iter().map(|issue| &issue.issue_id).collect();
    assert_eq!(ids, issue_ids.iter().collect::<Vec<_>>());
    assert!(current.issues.iter().all(|issue| issue.action_id.is_none()));
    let legacy = stored(stores, &org, report_id, Variant::Legacy);
    assert_eq!(legacy.issues.len(), legacy.report.issues.len());
    assert_eq!(legacy.issues.len() + 1, current.issues.len());
    for (issue, identity) in legacy.report.issues.iter().zip(&legacy.issues) {
        let place = reports
            .current
            .issues
            .iter()
            .position(|known| known.fingerprint == issue.fingerprint);
        assert_eq!(identity.issue_id, issue_ids[place.unwrap()]);
    }
}

pub(crate) fn an_issue_carries_its_first_occurrences(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let found = stored(stores, &org, &completed.report_id, Variant::Current);
    let mut longest = 0;
    for (issue, whole) in found
        .report
        .issues
        .iter()
        .zip(&completed.reports.current.issues)
    {
        let count = whole.occurrences.len().min(INLINE_OCCURRENCES);
        assert_eq!(issue.occurrences, whole.occurrences[..count]);
        assert_eq!(issue.occurrences_total, whole.occurrences_total);
        longest = longest.max(whole.occurrences.len());
    }
    assert!(longest > 1_000);
}

/// The occurrences of the sample, as they are written, and what brings them.
fn brought(world: &World<'_>) -> (CompletedRun, Vec<NewOccurrence>) {
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let all = occurrences(&completed.reports);
    (completed, all)
}

pub(crate) fn occurrences_come_in_any_order_of_batches(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let (completed, mut all) = brought(&world);
    all.reverse();
    // A batch may come twice, as after an answer that was lost.
    for batch in all.chunks(400).chain(all.chunks(300)) {
        let held = stores.write_occurrences(&claim, batch).unwrap();
        assert_eq!(held, Held::Yes);
    }
    assert_eq!(stores.write_occurrences(&claim, &[]).unwrap(), Held::Yes);
    let held = stores.complete(&claim, &completed, at(5)).unwrap();
    assert_eq!(held, Held::Yes);
    let found = stored(stores, &org, &completed.report_id, Variant::Current);
    assert_eq!(found.report, shortened(&completed.reports.current));
}

pub(crate) fn an_unknown_report_is_none(stores: &dyn Stores) {
    let (world, org) = World::with_org(stores);
    world.completed(&org, "https://example.com/", at(0));
    let unknown = ReportId::make(&world.ids);
    for variant in [Variant::Current, Variant::Legacy] {
        assert_eq!(stores.report(&org, &unknown, variant).unwrap(), None);
    }
}

pub(crate) fn occurrences_of_an_earlier_epoch_are_unseen(stores: &dyn Stores) {
    let (world, org, stale) = World::with_claim(stores);
    let (completed, mut all) = brought(&world);
    for new in &mut all {
        new.occurrence.message = "Seen by the worker that was lost.".to_owned();
    }
    let held = stores.write_occurrences(&stale, &all).unwrap();
    assert_eq!(held, Held::Yes);
    let claim = world.claim(at(60));
    assert_eq!(claim.run_id, stale.run_id);
    let held = stores.complete(&claim, &completed, at(61)).unwrap();
    assert_eq!(held, Held::Yes);
    let found = stored(stores, &org, &completed.report_id, Variant::Current);
    let places: usize = (found.report.issues.iter())
        .map(|issue| issue.occurrences.len())
        .sum();
    assert_eq!(places, 0);
}

pub(crate) fn a_run_has_a_report_exactly_when_it_is_completed(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let (completed, all) = brought(&world);
    let held = stores.write_occurrences(&claim, &all).unwrap();
    assert_eq!(held, Held::Yes);
    let report = |variant| stores.report(&org, &completed.report_id, variant).unwrap();
    assert_eq!(report(Variant::Current), None);
    assert_eq!(world.run(&claim).report_id(), None);
    let held = stores.complete(&claim, &completed, at(5)).unwrap();
    assert_eq!(held, Held::Yes);
    assert!(report(Variant::Current).is_some() && report(Variant::Legacy).is_some());
    let expected = RunState::Completed {
        started_at: at(0),
        finished_at: at(5),
        report_id: completed.report_id.clone(),
    };
    assert_eq!(world.state(&claim), expected);
}
