//! Reports.

use domain::id::{IssueId, OrgId, ReportId};
use domain::ports::{CompletedRun, Held, NewOccurrence, StoredReport, Stores};
use domain::report::{
    INLINE_OCCURRENCES, Occurrence, OccurrenceCursor, Report, ReportPair, Variant,
};
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
    let held = stores
        .complete(&claim, &completed, &world.ids, at(5))
        .unwrap();
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
    let held = stores
        .complete(&claim, &completed, &world.ids, at(61))
        .unwrap();
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
    let held = stores
        .complete(&claim, &completed, &world.ids, at(5))
        .unwrap();
    assert_eq!(held, Held::Yes);
    assert!(report(Variant::Current).is_some() && report(Variant::Legacy).is_some());
    let expected = RunState::Completed {
        started_at: at(0),
        finished_at: at(5),
        report_id: completed.report_id.clone(),
    };
    assert_eq!(world.state(&claim), expected);
}

/// All occurrences of an issue, page by page.
fn listed(
    stores: &dyn Stores,
    org: &OrgId,
    issue: (&ReportId, &IssueId),
    limit: u32,
) -> Vec<Occurrence> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = stores.occurrences(org, issue, Variant::Current, after, limit);
        let page = page.unwrap().unwrap();
        assert!(page.occurrences.len() <= usize::try_from(limit).unwrap());
        all.extend(page.occurrences);
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

pub(crate) fn occurrences_come_page_by_page(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let report = &completed.report_id;
    let mut most = 0;
    for (issue, content) in completed
        .issue_ids
        .iter()
        .zip(&completed.reports.current.issues)
    {
        most = most.max(content.occurrences.len());
        for limit in [7, 200] {
            let all = listed(stores, &org, (report, issue), limit);
            assert_eq!(all, content.occurrences, "{}", content.check_id);
        }
        let page = stores.occurrences(&org, (report, issue), Variant::Current, None, 1);
        let page = page.unwrap().unwrap();
        assert_eq!(page.total, content.occurrences_total);
        let stored = u64::try_from(content.occurrences.len()).unwrap();
        assert_eq!(page.stored, stored);
        assert_eq!(page.next.is_some(), stored > 1);
        let beyond = Some(OccurrenceCursor { ordinal: u32::MAX });
        let page = stores.occurrences(&org, (report, issue), Variant::Current, beyond, 9);
        let page = page.unwrap().unwrap();
        assert_eq!((page.occurrences, page.next), (Vec::new(), None));
        assert_eq!(page.stored, stored);
    }
    assert!(
        most > INLINE_OCCURRENCES,
        "the sample has more than come inline"
    );
}

pub(crate) fn occurrences_are_those_of_an_issue_of_the_variant(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let report = &completed.report_id;
    let legacy = stored(stores, &org, report, Variant::Legacy);
    let mut hidden = 0;
    for issue in &completed.issue_ids {
        let page = |variant| {
            let page = stores.occurrences(&org, (report, issue), variant, None, 9);
            page.unwrap()
        };
        let is_shown = legacy.issues.iter().any(|known| known.issue_id == *issue);
        match is_shown {
            true => assert_eq!(page(Variant::Legacy), page(Variant::Current)),
            false => assert_eq!(page(Variant::Legacy), None),
        }
        assert!(page(Variant::Current).is_some());
        hidden += usize::from(!is_shown);
    }
    assert_eq!(hidden, 1);
}

pub(crate) fn what_is_no_issue_of_the_report_has_no_occurrences(stores: &dyn Stores) {
    let (world, org, claim) = World::with_claim(stores);
    let one = world.complete(&claim, &sample::audit_result(), at(5));
    world.start(&org, "https://example.com/");
    let other = world.complete(&world.claim(at(6)), &sample::audit_result(), at(7));
    let rival = world.org();
    let (nothing, no_report) = (IssueId::make(&world.ids), ReportId::make(&world.ids));
    let issue = &one.issue_ids[0];
    for (org, report, issue) in [
        (&org, &one.report_id, &nothing),
        (&org, &no_report, issue),
        (&org, &other.report_id, issue),
        (&rival, &one.report_id, issue),
    ] {
        let page = stores.occurrences(org, (report, issue), Variant::Current, None, 9);
        assert_eq!(page.unwrap(), None);
    }
}
