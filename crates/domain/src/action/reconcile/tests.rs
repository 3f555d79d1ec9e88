//! What becomes of items from audit to audit.

use rstest::rstest;

use super::world::{Audit, Scenario, on, url};
use super::*;
use crate::Severity;
use crate::action::testing::at;
use crate::action::{MAX_EVIDENCE_PAGES, PageKey};
use crate::report::{CrawlMode, Finding};

/// A world with one open item, of `image-alt` on the pages a and b, found from 0 s to 10 s.
fn found_on_a_and_b() -> Scenario {
    let mut world = Scenario::default();
    world.audit(&Audit::new(&["a", "b", "c"], 0).found(on("image-alt", &["a", "b"])));
    assert_eq!(world.status(), ActionStatus::Open);
    world
}

fn opened(reconciled: &Reconciliation) -> Vec<&NewAction> {
    let changes = reconciled.changes.iter();
    changes
        .filter_map(|change| match change {
            Change::Open(new) => Some(&**new),
            _ => None,
        })
        .collect()
}

#[test]
fn a_new_issue_opens_an_item() {
    let reconciled =
        Scenario::default().audit(&Audit::new(&["a"], 0).found(on("image-alt", &["a"])));
    let [new] = opened(&reconciled)[..] else {
        panic!("{reconciled:?}")
    };
    assert_eq!(new.title.as_str(), "Finding of image-alt");
    assert_eq!(
        new.description.as_str(),
        "People are hindered.\n\nHow to fix it: Repair image-alt. Then look again."
    );
    assert_eq!(new.priority, Priority::High);
    assert_eq!(new.audit.affected_pages, 1);
    assert_eq!(new.created_at, at(10));
    assert_eq!(new.evidence.pages, [PageKey::from_url(&url("a"))].into());
    assert!(new.evidence.all_pages);
    assert_eq!(reconciled.action_ids, [Some(new.id.clone())]);
}

#[test]
fn all_causes_of_a_check_are_one_item() {
    let mut links = on("broken-link", &["a", "b", "c", "d"]).with_causes(&["x", "y"]);
    links.title = "Broken links".to_owned();
    for (cause, affected) in links.causes.iter_mut().zip([3, 2]) {
        cause.title = format!("Broken: {}", cause.key);
        cause.affected = affected;
    }
    let reconciled = Scenario::default().audit(&Audit::new(&["a", "b"], 0).found(links));
    let [new] = opened(&reconciled)[..] else {
        panic!("{reconciled:?}")
    };
    assert_eq!(new.title.as_str(), "Broken: x (and 1 more)");
    assert_eq!(new.audit.affected_pages, 4);
    assert_eq!(reconciled.action_ids, [Some(new.id.clone())]);
}

#[test]
fn ids_rise_from_the_worst_on() {
    let minor = Finding {
        severity: Severity::Minor,
        ..on("broken-link", &["a"])
    };
    let audit = Audit::new(&["a"], 0)
        .found(minor)
        .found(on("image-alt", &["a"]));
    let reconciled = Scenario::default().audit(&audit);
    let new = opened(&reconciled);
    assert_eq!(new[0].audit.check_id, "image-alt");
    assert!(new[0].id < new[1].id);
}

#[test]
fn a_note_makes_no_item_and_keeps_one_fresh() {
    let note = Finding {
        severity: Severity::Info,
        ..on("image-alt", &["c"])
    };
    let mut world = Scenario::default();
    let reconciled = world.audit(&Audit::new(&["a"], 0).found(note.clone()));
    assert_eq!(
        (reconciled.changes.len(), &reconciled.action_ids[..]),
        (0, &[None][..])
    );

    let mut world = found_on_a_and_b();
    let audit = Audit::new(&["a", "b", "c"], 20).found(note);
    let reconciled = world.audit(&audit);
    assert_eq!(reconciled.action_ids, [Some(world.items[0].id.clone())]);
    assert_eq!(
        world.items[0].evidence.pages,
        [PageKey::from_url(&url("c"))].into()
    );
    world.set(ActionStatus::Done, 40);
    world.audit(&Audit {
        started_at: 50,
        now: 60,
        ..audit
    });
    assert_eq!(world.status(), ActionStatus::Done);
}

#[rstest]
#[case::all_pages_audited(Audit::new(&["a", "b"], 20).incomplete(), true)]
#[case::one_page_not_met(Audit::new(&["a", "c"], 20), false)]
#[case::one_page_gone(Audit { gone: vec![url("b")], ..Audit::new(&["a"], 20) }, true)]
#[case::no_verdict(Audit { unjudged: vec!["image-alt"], ..Audit::new(&["a", "b"], 20) }, false)]
#[case::judged_in_part(Audit { limited: vec!["image-alt"], ..Audit::new(&["a", "b"], 20) }, false)]
#[case::check_retired(Audit { catalogue: vec!["orphan-page"], ..Audit::new(&["a", "b"], 20) }, false)]
#[case::rendered(Audit { mode: CrawlMode::Rendered, ..Audit::new(&["a", "b"], 20) }, true)]
#[case::begun_before_it_was_found(Audit { now: 20, ..Audit::new(&["a", "b"], 9) }, false)]
fn not_found_is_fixed_only_where_the_run_looked(#[case] audit: Audit, #[case] fixed: bool) {
    for before in [ActionStatus::Open, ActionStatus::InProgress] {
        let mut world = found_on_a_and_b();
        world.set(before, 15);
        world.audit(&audit);
        let item = &world.items[0];
        let (status, time) = if fixed {
            (ActionStatus::Done, Some(at(audit.now)))
        } else {
            (before, None)
        };
        assert_eq!(
            (item.status, item.resolved_at, item.verified_at),
            (status, time, time)
        );
        assert_eq!(world.comments.len(), usize::from(fixed));
    }
}

#[test]
fn what_a_browser_saw_no_static_run_refutes() {
    let mut world = Scenario::default();
    let rendered = |start| Audit {
        mode: CrawlMode::Rendered,
        ..Audit::new(&["a"], start)
    };
    world.audit(&rendered(0).found(on("image-alt", &["a"])));
    world.audit(&Audit::new(&["a"], 20));
    assert_eq!(world.status(), ActionStatus::Open);
    world.audit(&rendered(40));
    assert_eq!(world.status(), ActionStatus::Done);
}

#[rstest]
#[case::site(SubjectKind::Site, false)]
#[case::files(SubjectKind::Resource, false)]
#[case::origin(SubjectKind::Origin, true)]
fn checks_of_more_than_pages(#[case] subject: SubjectKind, #[case] any_run: bool) {
    let found = Finding {
        subject,
        ..on("orphan-page", &["a"])
    };
    let mut world = Scenario::default();
    world.audit(&Audit::new(&["a"], 0).found(found));
    world.audit(&Audit::new(&[], 20).incomplete());
    assert_eq!(world.status() == ActionStatus::Done, any_run);
    world.audit(&Audit::new(&[], 40));
    assert_eq!(world.status(), ActionStatus::Done);
}

#[test]
fn beyond_the_known_pages_only_a_complete_crawl_tells() {
    let names: Vec<_> = (0..=MAX_EVIDENCE_PAGES).map(|n| format!("p{n}")).collect();
    let pages: Vec<_> = names.iter().map(String::as_str).collect();
    let more_than_known = on("image-alt", &["a", "b"]).on(3);
    for (found, seen) in [
        (more_than_known, vec!["a", "b"]),
        (on("image-alt", &pages), pages),
    ] {
        let mut world = Scenario::default();
        world.audit(&Audit::new(&seen, 0).found(found));
        assert!(!world.items[0].evidence.all_pages);
        assert!(world.items[0].evidence.pages.len() <= MAX_EVIDENCE_PAGES);
        world.audit(&Audit::new(&seen, 20).incomplete());
        assert_eq!(world.status(), ActionStatus::Open);
        world.audit(&Audit::new(&[], 40));
        assert_eq!(
            world.status(),
            ActionStatus::Open,
            "known pages were not met"
        );
        world.audit(&Audit::new(&seen, 60));
        assert_eq!(world.status(), ActionStatus::Done);
        assert!(
            world.comments[0].contains("whole site"),
            "{:?}",
            world.comments
        );
    }
}

#[test]
fn what_comes_back_is_a_regression() {
    let mut world = found_on_a_and_b();
    world.audit(&Audit::new(&["a", "b"], 20));
    world.audit(&Audit::new(&["a", "b"], 40).found(on("image-alt", &["b"])));
    let item = &world.items[0];
    assert_eq!(
        (item.status, item.resolved_at, item.verified_at),
        (ActionStatus::Open, None, None)
    );
    assert_eq!(item.evidence.pages, [PageKey::from_url(&url("b"))].into());
    assert_eq!(
        world.comments,
        [
            "Verified: run run_01JD2Y3Z4A5B6C7D8E9F0GHJKM audited every affected page and no \
             longer found the issue.",
            "Found again by run run_01JD2Y3Z4A5B6C7D8E9F0GHJKM: reopened as a regression.",
        ]
    );
}

#[test]
fn a_run_that_began_before_the_repair_reopens_nothing() {
    let mut world = found_on_a_and_b();
    world.set(ActionStatus::Done, 25);
    let audit = Audit::new(&["a", "b"], 20).found(on("image-alt", &["a"]));
    world.audit(&audit);
    assert_eq!(world.status(), ActionStatus::Done);
    assert_eq!(world.items[0].evidence.found_at, at(30));
    world.audit(&Audit {
        started_at: 40,
        now: 50,
        ..audit
    });
    assert_eq!(world.status(), ActionStatus::Open);
}

#[test]
fn what_a_person_did_is_verified_once() {
    let mut world = found_on_a_and_b();
    world.set(ActionStatus::Done, 15);
    world.audit(&Audit::new(&["a"], 20));
    assert_eq!(world.items[0].verified_at, None);
    world.audit(&Audit::new(&["a", "b"], 40));
    world.audit(&Audit::new(&["a", "b"], 60));
    let item = &world.items[0];
    assert_eq!(
        (item.resolved_at, item.verified_at),
        (Some(at(15)), Some(at(50)))
    );
    assert_eq!(world.comments.len(), 1);
}

#[test]
fn what_waivers_accept_opens_and_reopens_nothing() {
    let mut world = found_on_a_and_b();
    world.set(ActionStatus::Done, 15);
    let waived = |check: &str| on(check, &["a"]).waived();
    let audit = Audit::new(&["a", "b"], 20).found(waived("image-alt"));
    let reconciled = world.audit(&audit.found(waived("broken-link")));
    assert_eq!(world.status(), ActionStatus::Done);
    assert_eq!(world.items.len(), 1);
    assert!(reconciled.action_ids.contains(&None));
    // Without the waiver it is a regression.
    world.audit(&Audit::new(&["a", "b"], 40).found(on("image-alt", &["a"])));
    assert_eq!(world.status(), ActionStatus::Open);
}

/// The audit of the pages a and b on which waivers accept everything that is found.
fn waived_on_a_and_b(started_at: i64) -> Audit {
    Audit::new(&["a", "b"], started_at).found(on("image-alt", &["a", "b"]).waived())
}

#[test]
fn what_waivers_accept_is_dismissed_and_reopened_without_them() {
    for before in [ActionStatus::Open, ActionStatus::InProgress] {
        let mut world = found_on_a_and_b();
        world.set(before, 15);
        world.audit(&waived_on_a_and_b(20));
        let item = &world.items[0];
        assert_eq!(
            (item.status, item.resolved_at, item.verified_at),
            (ActionStatus::Dismissed, Some(at(30)), None)
        );
        assert_eq!(item.evidence.found_at, at(30));
        world.audit(&waived_on_a_and_b(40));
        assert_eq!(world.status(), ActionStatus::Dismissed);
        let reconciled = world.audit(&Audit::new(&["a", "b"], 60).found(on("image-alt", &["b"])));
        let [Change::Reopen { why, .. }] = &reconciled.changes[..] else {
            panic!("{reconciled:?}")
        };
        assert_eq!(*why, Reopened::NoLongerWaived);
        assert_eq!(
            (world.status(), world.items[0].resolved_at),
            (ActionStatus::Open, None)
        );
        assert_eq!(
            world.comments,
            [
                "Dismissed: waivers accept everything that run run_01JD2Y3Z4A5B6C7D8E9F0GHJKM found of it.",
                "Reopened: waivers no longer accept everything that run run_01JD2Y3Z4A5B6C7D8E9F0GHJKM found of \
                 it.",
            ]
        );
    }
}

#[rstest]
#[case::in_part(Audit::new(&["a", "b"], 20).found(Finding { waived: 1, ..on("image-alt", &["a", "b"]) }))]
#[case::one_page_not_met(Audit::new(&["a"], 20).found(on("image-alt", &["a"]).waived()))]
fn what_waivers_may_not_accept_stays_open(#[case] audit: Audit) {
    let mut world = found_on_a_and_b();
    world.audit(&audit);
    assert_eq!(world.status(), ActionStatus::Open);
    assert!(world.comments.is_empty(), "{:?}", world.comments);
}

#[test]
fn a_run_that_began_before_the_dismissal_reopens_nothing() {
    let mut world = found_on_a_and_b();
    world.audit(&waived_on_a_and_b(20));
    let found = Audit::new(&["a", "b"], 25).found(on("image-alt", &["a"]));
    world.audit(&found);
    assert_eq!(world.status(), ActionStatus::Dismissed);
}

#[test]
fn what_a_person_dismissed_stays_dismissed_without_waivers() {
    let mut world = found_on_a_and_b();
    world.audit(&waived_on_a_and_b(20));
    world.set(ActionStatus::Open, 32);
    world.set(ActionStatus::Dismissed, 34);
    world.audit(&Audit::new(&["a", "b"], 40).found(on("image-alt", &["a"])));
    assert_eq!(world.status(), ActionStatus::Dismissed);
}

#[test]
fn dismissed_stays_dismissed() {
    let mut world = found_on_a_and_b();
    world.set(ActionStatus::Dismissed, 15);
    world.audit(&Audit::new(&["a", "b"], 20));
    assert_eq!(world.status(), ActionStatus::Dismissed);
    let reconciled = world.audit(&Audit::new(&["a", "b"], 40).found(on("image-alt", &["b"])));
    assert_eq!(world.status(), ActionStatus::Dismissed);
    assert_eq!(reconciled.action_ids, [Some(world.items[0].id.clone())]);
    assert_eq!(world.items[0].evidence.found_at, at(50));
    assert!(world.comments.is_empty());
}

/// Each run looked at a part of the site, and no part alone shows that the item is gone.
#[test]
fn pages_that_a_run_did_not_look_at_stay_part_of_the_evidence() {
    let mut world = found_on_a_and_b();
    // Only a is looked at, where it is found again; then only a again, where it is fixed.
    world.audit(
        &Audit::new(&["a"], 20)
            .incomplete()
            .found(on("image-alt", &["a"])),
    );
    world.audit(&Audit::new(&["a"], 40).incomplete());
    assert_eq!(world.status(), ActionStatus::Open);
    // A complete run that does not meet b says nothing of it, either.
    world.audit(&Audit::new(&["a", "c"], 60));
    assert_eq!(world.status(), ActionStatus::Open);
    world.audit(
        &Audit::new(&["b"], 80)
            .incomplete()
            .found(on("image-alt", &["b"])),
    );
    world.audit(&Audit::new(&["a", "b"], 100).incomplete());
    assert_eq!(world.status(), ActionStatus::Done);
}

#[test]
fn a_part_of_the_pages_does_not_make_fewer_of_them() {
    let mut world = found_on_a_and_b();
    let again = world.audit(
        &Audit::new(&["a"], 20)
            .incomplete()
            .found(on("image-alt", &["a"])),
    );
    let [
        Change::Refresh {
            audit, evidence, ..
        },
    ] = &again.changes[..]
    else {
        panic!("{again:?}")
    };
    assert_eq!((audit.affected_pages, evidence.pages.len()), (2, 2));
    assert!(evidence.all_pages);
}
