//! Reconciliation of action items with audits.

use domain::action::{
    ActionFilter, ActionItem, ActionPatch, ActionStatus, Author, DueDate, FieldPatch,
    MAX_EVIDENCE_PAGES, PageKey, Priority, Title,
};
use domain::audit_log::Actor;
use domain::id::{ActionId, OrgId};
use domain::ports::{CompletedRun, LeaseStatus, ReportDetail, Stores};
use domain::report::{AuditResult, Finding, FindingCause, Occurrence, PageVisit, Variant};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, at_once, blocked, occurrences, worker};

const BY: Actor = Actor::CommandLine;

/// A result with the findings of only one check.
fn only(check_id: &str) -> AuditResult {
    let mut result = sample::audit_result();
    result.findings.retain(|found| found.check_id == check_id);
    result.coverage.complete = true;
    result.coverage.stopped_by = None;
    result
}

/// The result with everything that was found accepted by waivers.
fn waived(mut result: AuditResult) -> AuditResult {
    for finding in &mut result.findings {
        finding.waived = finding.occurrences_total;
        for cause in &mut finding.causes {
            cause.waived = cause.occurrences_total;
        }
    }
    result
}

fn check_of(item: &ActionItem) -> &str {
    &item.audit.as_ref().unwrap().check_id
}

/// Returns the only item of an organization.
fn sole(world: &Fixture<'_>, org: &OrgId) -> ActionItem {
    let mut items = world.items(org);
    assert_eq!(items.len(), 1, "{items:?}");
    items.remove(0)
}

fn patch(world: &Fixture<'_>, item: &ActionItem, patch: &ActionPatch, second: i64) {
    let changed = world
        .stores
        .patch_action(&item.org_id, &item.id, patch, at(second), &BY);
    changed.unwrap();
}

fn set(world: &Fixture<'_>, item: &ActionItem, status: ActionStatus, second: i64) {
    let status = Some(status);
    let change = ActionPatch {
        status,
        ..ActionPatch::default()
    };
    patch(world, item, &change, second);
}

/// Returns the comments of an item, each with its author.
fn said(stores: &dyn Stores, item: &ActionItem) -> Vec<(String, Author)> {
    let page = stores.comments(&item.org_id, &item.id, None, 100);
    let comments = page.unwrap().unwrap().comments.into_iter();
    comments
        .map(|comment| (comment.body.as_str().to_owned(), comment.author))
        .collect()
}

/// Returns the items of the issues of a report.
fn actions_of(
    stores: &dyn Stores,
    org: &OrgId,
    completed: &CompletedRun,
) -> Vec<(String, Option<ActionId>)> {
    let report = stores.report(
        org,
        &completed.report_id,
        Variant::Current,
        ReportDetail::Inline,
    );
    let report = report.unwrap().unwrap();
    let issues = report.report.issues.iter().zip(report.issues);
    issues
        .map(|(issue, identity)| (issue.check_id.clone(), identity.action_id))
        .collect()
}

pub(crate) fn an_audit_opens_one_item_for_each_check(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (claim, completed) = world.audited(&org, &sample::audit_result(), 0);
    let items = world.items(&org);
    let mut checks: Vec<_> = items.iter().map(check_of).collect();
    checks.sort_unstable();
    assert_eq!(
        checks,
        [
            "broken-link",
            "cache-lifetime",
            "image-alt",
            "llms-txt",
            "noindex"
        ]
    );
    for item in &items {
        let found = completed.reports.current.issues.iter();
        let worst = found.clone().find(|issue| issue.check_id == check_of(item));
        let audit = item.audit.as_ref().unwrap();
        assert_eq!(audit.report_id, completed.report_id);
        assert_eq!(audit.severity, worst.unwrap().severity);
        assert_eq!(audit.dimension, worst.unwrap().dimension);
        assert_eq!(item.site_id.as_ref(), Some(&claim.site_id));
        assert_eq!(item.status, ActionStatus::Open);
        assert_eq!((item.created_at, item.updated_at), (at(10), at(10)));
        assert_eq!((item.resolved_at, item.verified_at), (None, None));
        assert_eq!(item.comment_count, 0);
    }
    let images = items.iter().find(|item| check_of(item) == "image-alt");
    assert_eq!(images.unwrap().priority, Priority::High);
    assert_eq!(images.unwrap().audit.as_ref().unwrap().affected_pages, 60);
    // No person requested them, so there is no audit log line.
    assert_eq!(world.logged(&org, "action.created"), []);
}

pub(crate) fn the_issue_of_a_check_carries_its_item(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (_, completed) = world.audited(&org, &sample::audit_result(), 0);
    let items = world.items(&org);
    let carried = actions_of(stores, &org, &completed);
    assert_eq!(carried.len(), 6);
    for (check_id, action) in &carried {
        let item = items.iter().find(|item| check_of(item) == check_id);
        assert_eq!(action.as_ref(), item.map(|item| &item.id), "{check_id}");
    }
    let causes = carried
        .iter()
        .filter(|(check_id, _)| check_id == "broken-link");
    assert_eq!(causes.count(), 1);
}

pub(crate) fn an_item_tells_its_latest_issue_and_the_audits_of_its_site(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (_, first) = world.audited(&org, &only("noindex"), 0);
    let (_, clean) = world.audited(&org, &sample::clean_audit_result(), 20);
    let by_hand = world.item(&org, "Something");
    let item = (world.items(&org).into_iter())
        .find(|item| item.audit.is_some())
        .unwrap();
    let report = stores.report(
        &org,
        &first.report_id,
        Variant::Current,
        ReportDetail::Inline,
    );
    let report = report.unwrap().unwrap();
    let (issue, identity) = (&report.report.issues[0], &report.issues[0]);
    let latest = stores.latest_issues(&org, &[item.id.clone(), by_hand.id.clone()]);
    let latest = latest.unwrap();
    assert_eq!(latest.len(), 1);
    assert_eq!(latest[0].action_id, item.id);
    assert_eq!(latest[0].issue_id, identity.issue_id);
    assert_eq!(latest[0].occurrences_total, issue.occurrences_total);
    let audits = stores.sightings(&org, &item.id, 10).unwrap();
    let seen: Vec<_> = (audits.iter())
        .map(|audit| (&audit.report_id, audit.created_at, audit.found.is_some()))
        .collect();
    assert_eq!(
        seen,
        [
            (&clean.report_id, at(30), false),
            (&first.report_id, at(10), true)
        ]
    );
    let found = audits[1].found.as_ref().unwrap();
    assert_eq!(found.issue_id, identity.issue_id);
    assert_eq!(found.occurrences_total, issue.occurrences_total);
    assert_eq!(
        (found.subject, found.affected, found.affected_pages),
        (issue.subject, issue.affected, issue.affected_pages)
    );
    assert_eq!(stores.sightings(&org, &item.id, 1).unwrap(), audits[..1]);
    assert_eq!(stores.sightings(&org, &by_hand.id, 10).unwrap(), []);
}

pub(crate) fn a_note_makes_no_item(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (_, completed) = world.audited(&org, &only("language-mix"), 0);
    assert_eq!(world.items(&org), []);
    let carried = actions_of(stores, &org, &completed);
    assert_eq!(carried, [("language-mix".to_owned(), None)]);
}

pub(crate) fn an_audit_keeps_evidence_fresh_and_what_a_person_said(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = sample::new_member(&world.ids, "ada");
    assert!(stores.add_member(&org, &ada, &BY).unwrap());
    world.audited(&org, &only("noindex"), 0);
    let own = ActionPatch {
        status: Some(ActionStatus::InProgress),
        priority: Some(Priority::Low),
        assignee: FieldPatch::Set(ada.id),
        due_date: FieldPatch::Set(DueDate::parse("2026-12-24").unwrap()),
        title: Some(Title::parse("Ours").unwrap()),
        description: Some(domain::action::Description::parse("Own words").unwrap()),
    };
    patch(&world, &sole(&world, &org), &own, 15);
    let before = sole(&world, &org);
    let (_, again) = world.audited(&org, &only("noindex"), 20);
    let mut expected = before.clone();
    expected.audit.as_mut().unwrap().report_id = again.report_id.clone();
    assert_eq!(sole(&world, &org), expected);
    assert_eq!(expected.updated_at, at(15));
    assert_eq!(
        actions_of(stores, &org, &again),
        [("noindex".to_owned(), Some(before.id.clone()))]
    );
    // The dossier is of the latest report that found the issue.
    world.audited(&org, &sample::clean_audit_result(), 40);
    let dossier = stores.dossier(&org, &before.id, Variant::Current);
    let dossier = dossier.unwrap().unwrap();
    assert_eq!(dossier.item.audit, expected.audit);
    assert_eq!(dossier.issue.unwrap().check_id, "noindex");
}

pub(crate) fn a_fixed_issue_is_verified_by_the_run_that_looked(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &sample::audit_result(), 0);
    let before = world.items(&org);
    set(&world, &before[0], ActionStatus::InProgress, 15);
    let (claim, _) = world.audited(&org, &sample::clean_audit_result(), 20);
    for item in world.items(&org) {
        assert_eq!(item.status, ActionStatus::Done, "{item:?}");
        assert_eq!(item.resolved_at, Some(at(30)));
        assert_eq!(item.verified_at, Some(at(30)));
        assert_eq!(item.updated_at, at(30));
        assert_eq!(item.comment_count, 1);
        let said = said(stores, &item);
        assert_eq!((said.len(), &said[0].1), (1, &Author::System));
        assert!(said[0].0.contains(claim.run_id.as_str()), "{said:?}");
    }
    // The same result adds no comment.
    let verified = world.items(&org);
    world.audited(&org, &sample::clean_audit_result(), 40);
    assert_eq!(world.items(&org), verified);
}

pub(crate) fn an_item_that_a_person_closed_is_verified(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &only("noindex"), 0);
    set(&world, &sole(&world, &org), ActionStatus::Done, 15);
    world.audited(&org, &sample::clean_audit_result(), 20);
    let item = sole(&world, &org);
    assert_eq!(item.status, ActionStatus::Done);
    assert_eq!(item.resolved_at, Some(at(15)));
    assert_eq!(item.verified_at, Some(at(30)));
}

pub(crate) fn a_recurring_issue_is_a_regression(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &only("noindex"), 0);
    world.audited(&org, &sample::clean_audit_result(), 20);
    let (claim, again) = world.audited(&org, &only("noindex"), 40);
    let item = sole(&world, &org);
    assert_eq!(item.status, ActionStatus::Open);
    assert_eq!((item.resolved_at, item.verified_at), (None, None));
    assert_eq!(item.updated_at, at(50));
    assert_eq!(item.audit.as_ref().unwrap().report_id, again.report_id);
    let said = said(stores, &item);
    assert_eq!(said.len(), 2);
    let run = claim.run_id.as_str();
    assert!(said[1].0.contains(run) && said[1].0.contains("regression"));
    // The item can be closed again.
    world.audited(&org, &sample::clean_audit_result(), 60);
    assert_eq!(sole(&world, &org).verified_at, Some(at(70)));
}

pub(crate) fn dismissed_stays_dismissed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &only("noindex"), 0);
    set(&world, &sole(&world, &org), ActionStatus::Dismissed, 15);
    let before = sole(&world, &org);
    world.audited(&org, &sample::clean_audit_result(), 20);
    assert_eq!(sole(&world, &org), before);
    let (_, again) = world.audited(&org, &only("noindex"), 40);
    let item = sole(&world, &org);
    assert_eq!(item.status, ActionStatus::Dismissed);
    assert_eq!(item.audit.as_ref().unwrap().report_id, again.report_id);
    assert_eq!(item.comment_count, 0);
    let carried = actions_of(stores, &org, &again);
    assert_eq!(carried[0].1, Some(item.id));
}

pub(crate) fn unvisited_pages_verify_nothing(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &sample::audit_result(), 0);
    let before = world.items(&org);
    let mut elsewhere = sample::clean_audit_result();
    elsewhere.coverage.complete = false;
    // Page 0 has most of the evidence; without that page none of it is refuted.
    elsewhere.pages.remove(0);
    world.audited(&org, &elsewhere, 20);
    assert_eq!(world.items(&org), before);
    let mut without_verdict = sample::clean_audit_result();
    without_verdict.catalogue.clear();
    world.audited(&org, &without_verdict, 40);
    assert_eq!(world.items(&org), before);
    // Evidence on visited pages is refuted, also by an incomplete crawl.
    let mut cut_short = sample::clean_audit_result();
    cut_short.coverage.complete = false;
    world.audited(&org, &cut_short, 60);
    let still_open = world.items(&org);
    let mut checks: Vec<_> = (still_open.iter())
        .filter(|item| item.status == ActionStatus::Open)
        .map(check_of)
        .collect();
    checks.sort_unstable();
    assert_eq!(checks, ["cache-lifetime", "llms-txt"]);
}

/// A finding on `pages` pages, and visits to all of them.
fn on_many_pages(pages: usize) -> (Finding, Vec<PageVisit>) {
    let finding = only("noindex").findings.remove(0);
    let visit = sample::clean_audit_result().pages.remove(0);
    let urls: Vec<_> = (0..pages)
        .map(|page| format!("https://www.example.com/many/{page}"))
        .collect();
    let count = u64::try_from(pages).unwrap();
    let cause = &finding.causes[0];
    let cause = FindingCause {
        affected: count,
        occurrences_total: count,
        occurrences: (urls.iter())
            .map(|url| Occurrence {
                url: url.clone(),
                ..cause.occurrences[0].clone()
            })
            .collect(),
        ..cause.clone()
    };
    let finding = Finding {
        affected: count,
        applicable: count,
        pages: (urls.iter())
            .map(|url| PageKey::from_url(url))
            .take(MAX_EVIDENCE_PAGES)
            .collect(),
        occurrences_total: count,
        causes: vec![cause],
        ..finding
    };
    let visits = urls.into_iter().map(|url| PageVisit {
        url,
        ..visit.clone()
    });
    (finding, visits.collect())
}

pub(crate) fn more_pages_than_are_kept_need_a_complete_crawl(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let (finding, pages) = on_many_pages(MAX_EVIDENCE_PAGES + 1);
    let mut found = sample::clean_audit_result();
    found.findings = vec![finding];
    world.audited(&org, &found, 0);
    let mut clean = sample::clean_audit_result();
    clean.pages = pages;
    clean.coverage.complete = false;
    world.audited(&org, &clean, 20);
    assert_eq!(sole(&world, &org).status, ActionStatus::Open);
    clean.coverage.complete = true;
    world.audited(&org, &clean, 40);
    assert_eq!(sole(&world, &org).status, ActionStatus::Done);
}

pub(crate) fn the_older_variant_hides_the_items_of_ai_readiness(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &sample::audit_result(), 0);
    let all = world.items(&org);
    let legacy = ActionFilter::all(Variant::Legacy);
    let shown = stores.actions(&org, &legacy, None, 100).unwrap().items;
    assert_eq!((all.len(), shown.len()), (5, 4));
    for item in &all {
        let found = stores.action(&org, &item.id, Variant::Legacy).unwrap();
        let is_shown = check_of(item) != "llms-txt";
        assert_eq!(found.is_some(), is_shown);
        assert_eq!(shown.contains(item), is_shown);
    }
}

pub(crate) fn a_stale_epoch_changes_no_item(stores: &dyn Stores) {
    let (world, org, first) = Fixture::with_claim(stores);
    let retaken = world.claim(at(100));
    assert_eq!(retaken.run_id, first.run_id);
    let stale = sample::completed_run(&world.ids, &sample::audit_result());
    let held = stores.complete(&first, &stale, &world.ids, at(101));
    assert_eq!(held.unwrap(), LeaseStatus::Lost);
    assert_eq!(world.items(&org), []);
    world.complete(&retaken, &only("noindex"), at(102));
    assert_eq!(check_of(&sole(&world, &org)), "noindex");
    let held = stores.complete(&retaken, &stale, &world.ids, at(103));
    assert_eq!(held.unwrap(), LeaseStatus::Lost);
    sole(&world, &org);
}

pub(crate) fn a_run_that_fails_changes_no_item(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &only("noindex"), 0);
    let before = sole(&world, &org);
    world.start_at(&org, "https://example.com/", at(20));
    let claim = world.claim(at(20));
    assert_eq!(
        stores.fail(&claim, &blocked(), at(21)).unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(sole(&world, &org), before);
}

pub(crate) fn sites_have_items_of_their_own(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.audited(&org, &only("noindex"), 0);
    let before = sole(&world, &org);
    // Another site of the organization, and the same site of another organization.
    let other = world.org();
    for (org, url) in [
        (&org, "https://b.example/"),
        (&other, "https://example.com/"),
    ] {
        world.start_at(org, url, at(20));
        let claim = world.claim(at(20));
        world.complete(&claim, &only("image-alt"), at(30));
        world.start_at(org, url, at(40));
        let claim = world.claim(at(40));
        world.complete(&claim, &sample::clean_audit_result(), at(50));
    }
    let items = world.items(&org);
    assert_eq!(items.len(), 2);
    assert_eq!(items[0], before);
    assert_eq!(items[1].status, ActionStatus::Done);
    assert_eq!(sole(&world, &other).status, ActionStatus::Done);
}

pub(crate) fn of_runs_that_complete_at_once_one_opens_the_items(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for _ in 0..6 {
        world.start(&org, "https://example.com/");
    }
    let claims: Vec<_> = (0..6)
        .map(|number| {
            let name = worker(&format!("w-{number}"));
            stores.claim(&name, &RULES, at(1)).unwrap().unwrap()
        })
        .collect();
    let brought: Vec<_> = (claims.iter())
        .map(|claim| {
            let completed = sample::completed_run(&world.ids, &sample::audit_result());
            let batch = occurrences(&completed.reports);
            let held = stores.write_occurrences(claim, &batch[..10]);
            assert_eq!(held.unwrap(), LeaseStatus::Held);
            completed
        })
        .collect();
    let held = at_once(6, |number| {
        stores.complete(&claims[number], &brought[number], &world.ids, at(5))
    });
    assert_eq!(held, [(); 6].map(|()| Ok(LeaseStatus::Held)));
    let items = world.items(&org);
    assert_eq!(items.len(), 5, "{items:#?}");
    for completed in &brought {
        for (check_id, action) in actions_of(stores, &org, completed) {
            let item = items.iter().find(|item| check_of(item) == check_id);
            assert_eq!(action.as_ref(), item.map(|item| &item.id));
        }
    }
}

pub(crate) fn of_dismissing_and_completing_at_once_the_person_has_the_last_word(
    stores: &dyn Stores,
) {
    let (world, org) = Fixture::with_org(stores);
    for round in 0..10 {
        let begin = round * 100;
        world.audited(&org, &only("noindex"), begin);
        let item = sole(&world, &org);
        set(&world, &item, ActionStatus::Open, begin + 15);
        world.start_at(&org, "https://example.com/", at(begin + 20));
        let claim = world.claim(at(begin + 20));
        let brought = sample::completed_run(&world.ids, &sample::clean_audit_result());
        at_once(2, |number| match number {
            0 => set(&world, &item, ActionStatus::Dismissed, begin + 30),
            _ => {
                let held = stores.complete(&claim, &brought, &world.ids, at(begin + 30));
                assert_eq!(held.unwrap(), LeaseStatus::Held);
            }
        });
        let after = sole(&world, &org);
        assert_eq!(
            (after.status, after.verified_at),
            (ActionStatus::Dismissed, None)
        );
    }
}

pub(crate) fn waivers_dismiss_items_and_reopen_them_when_they_end(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let dismissed = (ActionStatus::Dismissed, Some(at(30)), at(30));
    for (result, second, expected) in [
        (only("noindex"), 0, (ActionStatus::Open, None, at(10))),
        (waived(only("noindex")), 20, dismissed),
        (waived(only("noindex")), 40, dismissed),
        (only("noindex"), 60, (ActionStatus::Open, None, at(70))),
    ] {
        world.audited(&org, &result, second);
        let item = sole(&world, &org);
        assert_eq!(
            (item.status, item.resolved_at, item.updated_at),
            expected,
            "after the audit at {second} s"
        );
    }
    let item = sole(&world, &org);
    let comments = said(stores, &item);
    let [(dismissal, one), (reopening, two)] = comments.as_slice() else {
        panic!("{comments:?}");
    };
    assert!(dismissal.starts_with("Dismissed: "), "{dismissal}");
    assert!(reopening.starts_with("Reopened: "), "{reopening}");
    assert_eq!((one, two), (&Author::System, &Author::System));
    // What a person dismisses stays dismissed, also after a dismissal because of waivers.
    world.audited(&org, &waived(only("noindex")), 80);
    set(&world, &item, ActionStatus::Open, 92);
    set(&world, &item, ActionStatus::Dismissed, 94);
    world.audited(&org, &only("noindex"), 100);
    assert_eq!(sole(&world, &org).status, ActionStatus::Dismissed);
}

pub(crate) fn what_an_audit_does_to_items_is_logged(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let mut expected = Vec::new();
    for (result, event, second) in [
        (only("noindex"), Some("action.opened"), 0),
        (only("noindex"), None, 20),
        (sample::clean_audit_result(), Some("action.verified"), 40),
        (only("noindex"), Some("action.reopened"), 60),
        (waived(only("noindex")), Some("action.dismissed"), 80),
        (only("noindex"), Some("action.reopened"), 100),
    ] {
        let (claim, _) = world.audited(&org, &result, second);
        let item = sole(&world, &org).id.to_string();
        let run = claim.run_id.to_string();
        expected.extend(event.map(|event| (event.to_owned(), item, run, at(second + 10))));
    }
    let log = stores.audit_log(&org).unwrap().into_iter();
    let lines: Vec<_> = log
        .filter(|line| line.event.starts_with("action.") || line.event.starts_with("comment."))
        .inspect(|line| assert_eq!(line.actor, "system"))
        .map(|line| (line.event, line.subject, line.detail, line.at))
        .collect();
    assert_eq!(lines, expected);
}
