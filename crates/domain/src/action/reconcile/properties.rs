//! What holds for all sites and histories.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::world::{Audit, CATALOGUE, Scenario, on, url};
use super::*;
use crate::Severity;
use crate::report::{CrawlMode, Finding};

const PAGES: [&str; 5] = ["a", "b", "c", "d", "e"];

fn any_pages() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(PAGES.to_vec(), 0..=PAGES.len())
}

fn any_finding() -> impl Strategy<Value = Finding> {
    let subject = prop::sample::select(SubjectKind::ALL.to_vec());
    let severity = prop::sample::select(Severity::ALL.to_vec());
    let check = prop::sample::select(CATALOGUE.to_vec());
    (
        check,
        any::<bool>(),
        any_pages(),
        0..3_u64,
        subject,
        (severity, any::<bool>()),
    )
        .prop_map(
            |(check, two_causes, pages, unknown, subject, (severity, is_waived))| {
                let finding = on(check, &pages);
                let affected = finding.affected + unknown;
                let causes: &[&str] = if two_causes { &["x", "y"] } else { &[""] };
                let finding = Finding {
                    subject,
                    severity,
                    ..finding.on(affected).with_causes(causes)
                };
                if is_waived { finding.waived() } else { finding }
            },
        )
}

const fn is_waived(finding: &Finding) -> bool {
    finding.waived > 0 && finding.waived >= finding.occurrences_total
}

/// The last finding of each check.
fn one_of_each_check(findings: Vec<Finding>) -> Vec<Finding> {
    let checks = findings.into_iter();
    let by_check: BTreeMap<_, _> = checks
        .map(|finding| (finding.check_id.clone(), finding))
        .collect();
    by_check.into_values().collect()
}

fn any_audit() -> impl Strategy<Value = Audit> {
    let findings = prop::collection::vec(any_finding(), 0..5);
    let unjudged = prop::sample::subsequence(CATALOGUE.to_vec(), 0..3);
    let limited = prop::sample::subsequence(CATALOGUE.to_vec(), 0..2);
    let times = (0..20_i64, 0..20_i64);
    (
        findings,
        any_pages(),
        any_pages(),
        any::<[bool; 2]>(),
        (unjudged, limited),
        times,
    )
        .prop_map(
            |(
                findings,
                audited,
                gone,
                [complete, rendered],
                (unjudged, limited),
                (start, length),
            )| Audit {
                findings: one_of_each_check(findings),
                gone: gone.into_iter().map(url).collect(),
                complete,
                mode: if rendered {
                    CrawlMode::Rendered
                } else {
                    CrawlMode::Static
                },
                unjudged,
                limited,
                now: start + length,
                ..Audit::new(&audited, start)
            },
        )
}

/// An audit, or a person who sets the status of an item.
#[derive(Debug, Clone)]
enum Event {
    Audit(Audit),
    Person(prop::sample::Index, ActionStatus),
}

/// Events, each a while after the one before.
fn any_history() -> impl Strategy<Value = Vec<Event>> {
    let status = prop::sample::select(ActionStatus::ALL.to_vec());
    let event = prop_oneof![
        3 => any_audit().prop_map(Event::Audit),
        1 => (any::<prop::sample::Index>(), status).prop_map(|(item, to)| Event::Person(item, to)),
    ];
    prop::collection::vec(event, 0..8).prop_map(|mut events| {
        for (time, event) in (0_i64..).step_by(15).zip(&mut events) {
            if let Event::Audit(audit) = event {
                audit.started_at += time;
                audit.now += time;
            }
        }
        events
    })
}

fn lived(history: &[Event]) -> Scenario {
    let mut world = Scenario::default();
    for (time, event) in (0_i64..).step_by(15).zip(history) {
        match event {
            Event::Audit(audit) => drop(world.audit(audit)),
            Event::Person(index, status) if !world.items.is_empty() => {
                let item = index.index(world.items.len());
                world.items.swap(0, item);
                world.set(*status, time);
            }
            Event::Person(..) => {}
        }
    }
    world
}

proptest! {
    #[test]
    fn the_same_report_again_changes_nothing_but_evidence(
        history in any_history(), audit in any_audit()
    ) {
        let mut world = lived(&history);
        world.audit(&audit);
        let before = (world.items.clone(), world.comments.clone());
        let reconciled = world.audit(&audit);
        prop_assert!(
            reconciled.changes.iter().all(|change| matches!(change, Change::Refresh { .. })),
            "{:?}", reconciled.changes
        );
        prop_assert_eq!(before, (world.items, world.comments));
    }

    #[test]
    fn there_is_one_item_for_each_check(history in any_history()) {
        let world = lived(&history);
        let checks: BTreeSet<_> = world.items.iter().map(|item| &item.check_id).collect();
        let ids: BTreeSet<_> = world.items.iter().map(|item| &item.id).collect();
        prop_assert_eq!(checks.len(), world.items.len());
        prop_assert_eq!(ids.len(), world.items.len());
    }

    #[test]
    fn what_a_person_dismissed_keeps_its_status(history in any_history(), audit in any_audit()) {
        let mut world = lived(&history);
        let dismissed = |world: &Scenario| {
            let items = world.items.iter();
            let by_person = items.filter(|item| {
                item.status == ActionStatus::Dismissed && !item.is_dismissed_by_waivers()
            });
            by_person.map(|item| item.id.clone()).collect::<Vec<_>>()
        };
        let before = dismissed(&world);
        world.audit(&audit);
        prop_assert_eq!(before, dismissed(&world));
    }

    #[test]
    fn nothing_is_verified_that_was_found_or_not_looked_at(
        history in any_history(), audit in any_audit()
    ) {
        let mut world = lived(&history);
        let before = world.items.clone();
        let reconciled = world.audit(&audit);
        for change in &reconciled.changes {
            let Change::Verify { id, .. } = change else { continue };
            let item = before.iter().find(|item| item.id == *id).unwrap();
            let check = item.check_id.as_str();
            prop_assert!(audit.findings.iter().all(|finding| finding.check_id != check));
            prop_assert!(!audit.unjudged.contains(&check));
            prop_assert!(!audit.limited.contains(&check));
            let evidence = &item.evidence;
            prop_assert!(evidence.found_at <= crate::action::testing::at(audit.started_at));
            let seen: BTreeSet<_> = audit.audited.iter().chain(&audit.gone)
                .map(|url| crate::action::PageKey::from_url(url))
                .collect();
            prop_assert!(evidence.pages.is_subset(&seen));
            let by_pages = evidence.subject == SubjectKind::Page && evidence.all_pages;
            prop_assert!(
                audit.complete || by_pages || evidence.subject == SubjectKind::Origin
            );
        }
    }

    #[test]
    fn times_say_what_the_status_says(history in any_history()) {
        for item in lived(&history).items {
            prop_assert_eq!(item.resolved_at.is_some(), item.status.is_resolved());
            prop_assert!(item.verified_at.is_none() || item.status == ActionStatus::Done);
        }
    }

    #[test]
    fn every_issue_that_is_work_has_the_item_of_its_check(
        history in any_history(), audit in any_audit()
    ) {
        let mut world = lived(&history);
        let reconciled = world.audit(&audit);
        for item in &world.items {
            let shared = reconciled.action_ids.iter().flatten().filter(|id| **id == item.id).count();
            let findings = audit.findings.iter()
                .filter(|finding| finding.check_id == item.check_id);
            prop_assert_eq!(shared, findings.count());
        }
        let work: BTreeSet<_> = audit.findings.iter()
            .filter(|finding| finding.severity != Severity::Info && !is_waived(finding))
            .map(|finding| finding.check_id.as_str())
            .collect();
        for check in work {
            prop_assert!(world.items.iter().any(|item| item.check_id == check));
        }
    }
}
