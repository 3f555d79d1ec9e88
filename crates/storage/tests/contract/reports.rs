//! Reports.

use std::collections::BTreeMap;

use domain::id::{IssueId, OrgId, ReportId};
use domain::ports::{
    CompletedRun, LeaseStatus, NewOccurrence, NewPage, PageDifference, ReportDetail, StoredReport,
    Stores,
};
use domain::report::{
    AuditResult, CauseCursor, Changes, Finding, FindingCause, GLANCE_CAUSES, GLANCE_OCCURRENCES,
    INLINE_CAUSES, INLINE_OCCURRENCES, IssueCause, IssueState, MAX_CAUSES, MAX_EVIDENCE_BYTES,
    MAX_OCCURRENCES, Occurrence, OccurrenceCursor, PageVisit, Report, ReportPair, Variant,
};
use domain::run::RunState;
use domain::score::DimensionWeights;
use domain::usecase::complete_run;
use testkit::{FixedClock, sample};

use crate::contract::world::{Fixture, at, causes, occurrences, occurrences_in};

fn stored(stores: &dyn Stores, org: &OrgId, report: &ReportId, variant: Variant) -> StoredReport {
    stores
        .report(org, report, variant, ReportDetail::Inline)
        .unwrap()
        .unwrap()
}

/// The report as it is read back: with the first causes of each issue and their first occurrences.
fn shortened(report: &Report) -> Report {
    let mut report = report.clone();
    for issue in &mut report.issues {
        issue.pages.clear();
        issue.causes.truncate(INLINE_CAUSES);
        for cause in &mut issue.causes {
            cause.occurrences.truncate(INLINE_OCCURRENCES);
        }
    }
    report
}

pub(crate) fn a_report_comes_back_as_it_was_completed(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let result = sample::audit_result();
    let weights = DimensionWeights::default();
    let clock = FixedClock::new(at(5));
    let held = complete_run(
        stores,
        &clock,
        &world.ids,
        &weights,
        &claim,
        &result,
        &mut || Ok(LeaseStatus::Held),
    );
    assert_eq!(held.unwrap(), LeaseStatus::Held);
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
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &sample::clean_audit_result(), at(5));
    let id = &completed.report_id;
    let current = stored(stores, &org, id, Variant::Current);
    assert_eq!(current.report, completed.reports.current);
    assert_eq!(current.issues, []);
    let legacy = stored(stores, &org, id, Variant::Legacy);
    assert_eq!(legacy.report, completed.reports.legacy);
}

pub(crate) fn issues_keep_their_ids_in_both_variants(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
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
            .position(|known| known.check_id == issue.check_id);
        assert_eq!(identity.issue_id, issue_ids[place.unwrap()]);
    }
}

/// The sample with `count` causes of one check, each on its own page, and `total` in all.
fn with_causes(count: usize, total: u64) -> AuditResult {
    let mut result = sample::audit_result();
    let is_links = |finding: &&mut Finding| finding.check_id == "broken-link";
    let links = result.findings.iter_mut().find(is_links).unwrap();
    let known = links.causes[0].clone();
    links.causes = (0..count)
        .map(|number| FindingCause {
            key: format!("https://www.example.com/gone/{number:05}"),
            ..known.clone()
        })
        .collect();
    links.causes_total = total;
    result
}

pub(crate) fn an_issue_carries_its_first_causes_and_their_first_occurrences(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &with_causes(1_000, 70_000), at(5));
    for variant in [Variant::Current, Variant::Legacy] {
        let found = stored(stores, &org, &completed.report_id, variant).report;
        let made = match variant {
            Variant::Current => &completed.reports.current,
            Variant::Legacy => &completed.reports.legacy,
        };
        assert_eq!(found, shortened(made));
        let links = found.issues.iter().find(|one| one.causes_total == 70_000);
        assert_eq!(links.unwrap().causes.len(), INLINE_CAUSES);
        let glance = stores.report(&org, &completed.report_id, variant, ReportDetail::Glance);
        let glance = glance.unwrap().unwrap();
        for (issue, inline) in glance.report.issues.iter().zip(&found.issues) {
            assert_eq!(issue.check_id, inline.check_id);
            assert_eq!(issue.causes.len(), inline.causes.len().min(GLANCE_CAUSES));
            for (cause, whole) in issue.causes.iter().zip(&inline.causes) {
                let first = whole.occurrences.iter().take(GLANCE_OCCURRENCES);
                assert!(cause.occurrences.iter().eq(first));
            }
        }
    }
    let images = &completed.reports.current.issues;
    let most = images.iter().map(|issue| issue.causes[0].occurrences.len());
    assert_eq!(most.max(), Some(MAX_OCCURRENCES));
}

pub(crate) fn a_whole_report_has_all_that_is_kept(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &with_causes(300, 300), at(5));
    let whole = stores.report(
        &org,
        &completed.report_id,
        Variant::Current,
        ReportDetail::Whole,
    );
    let mut made = completed.reports.current;
    for issue in &mut made.issues {
        issue.pages.clear();
    }
    assert_eq!(whole.unwrap().unwrap().report, made);
}

pub(crate) fn a_whole_report_stops_at_its_bound(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let mut result = with_causes(900, 900);
    let causes = result.findings.iter_mut().flat_map(|one| &mut one.causes);
    for cause in causes {
        for occurrence in &mut cause.occurrences {
            occurrence.snippet = Some("x".repeat(3_000));
        }
    }
    let completed = world.complete(&claim, &result, at(5));
    let whole = stores.report(
        &org,
        &completed.report_id,
        Variant::Current,
        ReportDetail::Whole,
    );
    let issues = whole.unwrap().unwrap().report.issues;
    assert_eq!(issues.len(), completed.issue_ids.len());
    let mut bytes = 0;
    for issue in &issues {
        let found = || issue.causes.iter().flat_map(|cause| &cause.occurrences);
        assert!(issue.causes.len() <= MAX_CAUSES && found().count() <= MAX_OCCURRENCES);
        assert!(found().count() > 0, "{}", issue.check_id);
        bytes += found().count() * 3_000;
    }
    assert!((MAX_EVIDENCE_BYTES * 9 / 10..MAX_EVIDENCE_BYTES + 60_000).contains(&bytes));
}

/// Reads all causes of an issue through the paginated list.
fn listed_causes(
    stores: &dyn Stores,
    org: &OrgId,
    issue: (&ReportId, &IssueId),
    limit: u32,
) -> Vec<IssueCause> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = stores.causes(org, issue, Variant::Current, after, limit);
        let page = page.unwrap().unwrap();
        assert!(page.causes.len() <= usize::try_from(limit).unwrap());
        all.extend(page.causes);
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

pub(crate) fn causes_come_page_by_page(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &with_causes(1_000, 70_000), at(5));
    let report = &completed.report_id;
    for (issue, content) in (completed.issue_ids.iter()).zip(&completed.reports.current.issues) {
        let mut expected = content.causes.clone();
        for cause in &mut expected {
            cause.occurrences.truncate(INLINE_OCCURRENCES);
        }
        for limit in [77, 200] {
            let all = listed_causes(stores, &org, (report, issue), limit);
            assert_eq!(all, expected, "{}", content.check_id);
        }
        let page = stores.causes(&org, (report, issue), Variant::Current, None, 1);
        let page = page.unwrap().unwrap();
        assert_eq!(page.total, content.causes_total);
        assert_eq!(page.stored, u64::try_from(expected.len()).unwrap());
        assert_eq!(page.occurrences_total, content.occurrences_total);
        let kept = content.causes.iter().map(|cause| cause.occurrences.len());
        assert_eq!(
            page.occurrences_stored,
            u64::try_from(kept.sum::<usize>()).unwrap()
        );
        let beyond = Some(CauseCursor { position: u32::MAX });
        let page = stores.causes(&org, (report, issue), Variant::Current, beyond, 9);
        let page = page.unwrap().unwrap();
        assert_eq!((page.causes, page.next), (Vec::new(), None));
    }
}

pub(crate) fn occurrences_of_a_cause_are_found_by_its_fingerprint(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let report = &completed.report_id;
    for (issue, content) in (completed.issue_ids.iter()).zip(&completed.reports.current.issues) {
        let page = |fingerprint: &str, after| {
            let cause = Some(fingerprint);
            let issue = (report, issue);
            let page = stores.occurrences(&org, issue, Variant::Current, cause, after, 2);
            page.unwrap()
        };
        for cause in &content.causes {
            let mut page_of = page(&cause.fingerprint, None).unwrap();
            assert_eq!(page_of.total, cause.occurrences_total);
            assert_eq!(
                page_of.stored,
                u64::try_from(cause.occurrences.len()).unwrap()
            );
            let first = cause.occurrences.len().min(2);
            assert_eq!(page_of.occurrences, cause.occurrences[..first]);
            if let Some(next) = page_of.next {
                page_of = page(&cause.fingerprint, Some(next)).unwrap();
                assert_eq!(page_of.occurrences[0], cause.occurrences[2]);
            }
        }
        assert_eq!(page("0123456789abcdef0123456789abcdef", None), None);
    }
}

/// Returns the states of the issues of a report and of their causes, by check and key.
fn states(
    stores: &dyn Stores,
    org: &OrgId,
    completed: &CompletedRun,
) -> BTreeMap<(String, Option<String>), Option<IssueState>> {
    let report = stored(stores, org, &completed.report_id, Variant::Current).report;
    let mut states = BTreeMap::new();
    for issue in report.issues {
        states.insert((issue.check_id.clone(), None), issue.state);
        for cause in issue.causes {
            states.insert((issue.check_id.clone(), Some(cause.key)), cause.state);
        }
    }
    states
}

/// The sample with these causes of broken links, of `total` in all.
fn with_links(keys: &[&str], total: u64) -> AuditResult {
    let mut result = with_causes(keys.len(), total);
    let links = result.findings.iter_mut();
    for finding in links.filter(|finding| finding.check_id == "broken-link") {
        for (cause, key) in finding.causes.iter_mut().zip(keys) {
            (*key).clone_into(&mut cause.key);
        }
    }
    result
}

fn link(key: &str) -> (String, Option<String>) {
    ("broken-link".to_owned(), Some(key.to_owned()))
}

pub(crate) fn the_first_report_of_a_site_has_no_states(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let states = states(stores, &org, &completed);
    assert!(states.len() > 8 && states.values().all(Option::is_none));
}

pub(crate) fn states_compare_with_the_previous_report(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    // The report of another site, and an older one of this site, are ignored.
    world.audited(&org, &with_links(&["/new"], 1), 0);
    let mut before = with_links(&["/gone", "/stays"], 2);
    before
        .findings
        .retain(|finding| finding.check_id != "noindex");
    world.audited(&org, &before, 20);
    world.start(&org, "https://other.example/");
    let other = world.claim(at(40));
    world.complete(&other, &with_links(&["/new"], 1), at(41));
    let (_, now) = world.audited(&org, &with_links(&["/new", "/stays"], 2), 50);
    let states = states(stores, &org, &now);
    let (new, persisting) = (Some(IssueState::New), Some(IssueState::Persisting));
    assert_eq!(states[&link("/new")], new);
    assert_eq!(states[&link("/stays")], persisting);
    assert_eq!(states[&("broken-link".to_owned(), None)], persisting);
    assert_eq!(states[&("noindex".to_owned(), None)], new);
    assert_eq!(states[&("noindex".to_owned(), Some(String::new()))], new);
    assert_eq!(states[&("image-alt".to_owned(), None)], persisting);
    // A list of causes returns the same.
    let issues = now.issue_ids.iter().zip(&now.reports.current.issues);
    let mut links = issues.filter(|(_, issue)| issue.check_id == "broken-link");
    let (issue, _) = links.next().unwrap();
    for cause in listed_causes(stores, &org, (&now.report_id, issue), 9) {
        assert_eq!(cause.state, states[&link(&cause.key)]);
    }
}

pub(crate) fn pages_of_two_reports_differ_by_their_addresses(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let audited = |paths: &[(&str, bool)], second| {
        world.start_at(&org, "https://example.com/", at(second));
        let claim = world.claim(at(second));
        let page = |(position, &(path, audited)): (u32, &(&str, bool))| NewPage {
            position,
            visit: PageVisit {
                url: format!("https://example.com{path}"),
                audited,
                ..sample::audit_result().pages[0].clone()
            },
        };
        let pages: Vec<_> = (0..).zip(paths).map(page).collect();
        let written = stores.write_pages(&claim, &pages);
        assert_eq!(written.unwrap(), LeaseStatus::Held);
        let result = sample::clean_audit_result();
        world.complete(&claim, &result, at(second + 10)).report_id
    };
    let before = audited(&[("/", true), ("/old", true), ("/moved", true)], 0);
    let paths = [
        ("/", true),
        ("/c", true),
        ("/a", true),
        ("/b", true),
        ("/moved", false),
    ];
    let now = audited(&paths, 20);
    let different = |org: &OrgId, most| stores.page_difference(org, &now, &before, most).unwrap();
    let PageDifference { added, removed } = different(&org, 2).unwrap();
    // In the order of the crawl, and counted beyond what is listed.
    assert_eq!(
        added.urls,
        ["https://example.com/c", "https://example.com/a"]
    );
    assert_eq!((added.total, removed.total), (3, 2));
    assert_eq!(
        removed.urls,
        ["https://example.com/old", "https://example.com/moved"]
    );
    assert_eq!(different(&world.org(), 2), None);
    let same = stores.page_difference(&org, &now, &now, 2).unwrap();
    assert_eq!(same, Some(PageDifference::default()));
}

pub(crate) fn a_report_can_be_read_without_its_evidence(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let id = world
        .complete(&claim, &sample::audit_result(), at(5))
        .report_id;
    let read = |detail| {
        stores
            .report(&org, &id, Variant::Current, detail)
            .unwrap()
            .unwrap()
    };
    let (mut inline, bare) = (read(ReportDetail::Inline), read(ReportDetail::Issues));
    assert!(
        inline
            .report
            .issues
            .iter()
            .any(|issue| !issue.causes.is_empty())
    );
    for issue in &mut inline.report.issues {
        issue.causes.clear();
    }
    assert_eq!(bare, inline);
}

pub(crate) fn changes_are_those_since_the_previous_report(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let audited = |result: &AuditResult, pages: &[(&str, bool)], second| {
        world.start_at(&org, "https://example.com/", at(second));
        let claim = world.claim(at(second));
        let page = |(position, &(url, audited)): (u32, &(&str, bool))| NewPage {
            position,
            visit: PageVisit {
                url: url.to_owned(),
                audited,
                ..sample::audit_result().pages[0].clone()
            },
        };
        let pages: Vec<_> = (0..).zip(pages).map(page).collect();
        assert_eq!(
            stores.write_pages(&claim, &pages).unwrap(),
            LeaseStatus::Held
        );
        world.complete(&claim, result, at(second + 10))
    };
    let mut before = sample::clean_audit_result();
    let mut now = sample::audit_result();
    let is_before = |finding: &&Finding| ["llms-txt", "noindex"].contains(&&*finding.check_id);
    before.findings = now.findings.iter().filter(is_before).cloned().collect();
    now.findings
        .retain(|finding| finding.check_id != "llms-txt");
    let (home, old, new, gone) = (
        "https://example.com/",
        "https://example.com/old",
        "https://example.com/new",
        "https://example.com/gone",
    );
    let first = audited(&before, &[(home, true), (old, true)], 0);
    assert_eq!(
        stored(stores, &org, &first.report_id, Variant::Current)
            .report
            .changes,
        None
    );
    let second = audited(&now, &[(home, true), (new, true), (gone, false)], 20);
    for variant in Variant::ALL {
        let (before, after) = match variant {
            Variant::Current => (&first.reports.current, &second.reports.current),
            Variant::Legacy => (&first.reports.legacy, &second.reports.legacy),
        };
        let change = |now: u8, before: u8| i16::from(now) - i16::from(before);
        let changes = stored(stores, &org, &second.report_id, variant)
            .report
            .changes;
        let expected = Changes {
            against: first.report_id.clone(),
            score_change: change(after.score.overall, before.score.overall),
            subscore_changes: variant
                .dimensions()
                .iter()
                .map(|dimension| {
                    let (now, before) = (&after.score.dimensions, &before.score.dimensions);
                    (
                        *dimension,
                        change(now[dimension].subscore, before[dimension].subscore),
                    )
                })
                .collect(),
            scoring_version_changed: false,
            new_issues: u64::try_from(after.issues.len()).unwrap() - 1,
            fixed_issues: u64::from(variant == Variant::Current),
            new_pages: 1,
            gone_pages: 1,
        };
        assert_eq!(changes, Some(expected), "{variant:?}");
    }
}

pub(crate) fn a_cause_possibly_missing_from_the_previous_report_has_no_state(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &with_links(&["/kept"], 70_000), 0);
    let (_, now) = world.audited(&org, &with_links(&["/kept", "/unknown"], 2), 20);
    let states = states(stores, &org, &now);
    assert_eq!(states[&link("/kept")], Some(IssueState::Persisting));
    assert_eq!(states[&link("/unknown")], None);
}

pub(crate) fn causes_go_with_their_run(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (_, old) = world.audited(&org, &with_causes(1_000, 1_000), 0);
    let (_, last) = world.audited(&org, &sample::audit_result(), 20);
    let causes = |run: &CompletedRun| {
        let issue = (&run.report_id, &run.issue_ids[0]);
        let page = stores.causes(&org, issue, Variant::Current, None, 1);
        page.unwrap()
    };
    assert!(causes(&old).is_some());
    for _ in 0..1_000 {
        let step = stores.remove_runs(&org, at(9_000), 300).unwrap();
        // From the first step on the report is hidden.
        assert!(causes(&old).is_none() && causes(&last).is_some());
        if step.is_all {
            return;
        }
    }
    panic!("the run still exists");
}

/// The occurrences of the sample as they are stored, and the completed run.
fn brought(world: &Fixture<'_>) -> (CompletedRun, Vec<NewOccurrence>) {
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let all = occurrences(&completed.reports);
    (completed, all)
}

pub(crate) fn occurrences_come_in_any_order_of_batches(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let (completed, mut all) = brought(&world);
    all.reverse();
    let mut written = causes(&completed.reports);
    written.reverse();
    for batch in written.chunks(3).chain(written.chunks(2)) {
        assert_eq!(
            stores.write_causes(&claim, batch).unwrap(),
            LeaseStatus::Held
        );
    }
    // Existing rows are kept.
    for cause in &mut written {
        cause.cause.message = "Written again.".to_owned();
    }
    assert_eq!(
        stores.write_causes(&claim, &written).unwrap(),
        LeaseStatus::Held
    );
    // A batch may be written twice, as after a lost response.
    for batch in all.chunks(400).chain(all.chunks(300)) {
        let held = stores.write_occurrences(&claim, batch).unwrap();
        assert_eq!(held, LeaseStatus::Held);
    }
    assert_eq!(
        stores.write_occurrences(&claim, &[]).unwrap(),
        LeaseStatus::Held
    );
    let held = stores
        .complete(&claim, &completed, &world.ids, at(5))
        .unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let found = stored(stores, &org, &completed.report_id, Variant::Current);
    assert_eq!(found.report, shortened(&completed.reports.current));
}

pub(crate) fn an_unknown_report_is_none(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.completed(&org, "https://example.com/", at(0));
    let unknown = ReportId::make(&world.ids);
    for variant in [Variant::Current, Variant::Legacy] {
        assert_eq!(
            stores
                .report(&org, &unknown, variant, ReportDetail::Inline)
                .unwrap(),
            None
        );
    }
}

pub(crate) fn occurrences_of_an_earlier_epoch_are_unseen(stores: &dyn Stores) {
    let (world, org, stale) = Fixture::with_claim(stores);
    let (completed, mut all) = brought(&world);
    for new in &mut all {
        new.occurrence.message = "Seen by the worker that was lost.".to_owned();
    }
    let mut written = causes(&completed.reports);
    for new in &mut written {
        new.cause.message = "Of the worker that was lost.".to_owned();
    }
    assert_eq!(
        stores.write_causes(&stale, &written).unwrap(),
        LeaseStatus::Held
    );
    let held = stores.write_occurrences(&stale, &all).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let claim = world.claim(at(60));
    assert_eq!(claim.run_id, stale.run_id);
    let written = causes(&completed.reports);
    assert_eq!(
        stores.write_causes(&claim, &written).unwrap(),
        LeaseStatus::Held
    );
    let held = stores
        .complete(&claim, &completed, &world.ids, at(61))
        .unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let found = stored(stores, &org, &completed.report_id, Variant::Current);
    assert_eq!(occurrences_in(&found.report), 0);
    let mut causes = found.report.issues.iter().flat_map(|issue| &issue.causes);
    assert!(causes.all(|cause| cause.message != "Of the worker that was lost."));
}

pub(crate) fn a_run_has_a_report_exactly_when_it_is_completed(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let (completed, all) = brought(&world);
    let held = stores.write_occurrences(&claim, &all).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let report = |variant| {
        stores
            .report(&org, &completed.report_id, variant, ReportDetail::Inline)
            .unwrap()
    };
    assert_eq!(report(Variant::Current), None);
    assert_eq!(world.run(&claim).report_id(), None);
    let held = stores
        .complete(&claim, &completed, &world.ids, at(5))
        .unwrap();
    assert_eq!(held, LeaseStatus::Held);
    assert!(report(Variant::Current).is_some() && report(Variant::Legacy).is_some());
    let expected = RunState::Completed {
        started_at: at(0),
        finished_at: at(5),
        report_id: completed.report_id.clone(),
    };
    assert_eq!(world.state(&claim), expected);
}

/// Reads all occurrences of an issue through the paginated list.
fn listed(
    stores: &dyn Stores,
    org: &OrgId,
    issue: (&ReportId, &IssueId),
    limit: u32,
) -> Vec<Occurrence> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = stores.occurrences(org, issue, Variant::Current, None, after, limit);
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
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let report = &completed.report_id;
    let mut most = 0;
    for (issue, content) in completed
        .issue_ids
        .iter()
        .zip(&completed.reports.current.issues)
    {
        let occurrences = content.causes.iter().flat_map(|cause| &cause.occurrences);
        let occurrences: Vec<_> = occurrences.cloned().collect();
        most = most.max(occurrences.len());
        for limit in [7, 200] {
            let all = listed(stores, &org, (report, issue), limit);
            assert_eq!(all, occurrences, "{}", content.check_id);
        }
        let page = stores.occurrences(&org, (report, issue), Variant::Current, None, None, 1);
        let page = page.unwrap().unwrap();
        assert_eq!(page.total, content.occurrences_total);
        let stored = u64::try_from(occurrences.len()).unwrap();
        assert_eq!(page.stored, stored);
        assert_eq!(page.next.is_some(), stored > 1);
        let beyond = Some(OccurrenceCursor {
            cause: u32::MAX,
            ordinal: u32::MAX,
        });
        let page = stores.occurrences(&org, (report, issue), Variant::Current, None, beyond, 9);
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
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let report = &completed.report_id;
    let legacy = stored(stores, &org, report, Variant::Legacy);
    let mut hidden = 0;
    for issue in &completed.issue_ids {
        let page = |variant| {
            let page = stores.occurrences(&org, (report, issue), variant, None, None, 9);
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

pub(crate) fn an_unknown_issue_has_no_causes_or_occurrences(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
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
        let page = stores.occurrences(org, (report, issue), Variant::Current, None, None, 9);
        assert_eq!(page.unwrap(), None);
        let page = stores.causes(org, (report, issue), Variant::Current, None, 9);
        assert_eq!(page.unwrap(), None);
    }
}
