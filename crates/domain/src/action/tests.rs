//! What a person does with items, and what lists show.

use rstest::rstest;

use super::testing::{ULID, at, item};
use super::*;

fn status(status: ActionStatus) -> ActionPatch {
    ActionPatch {
        status: Some(status),
        ..ActionPatch::default()
    }
}

fn patched(mut item: ActionItem, patch: &ActionPatch, seconds: i64) -> ActionItem {
    patch.apply(&mut item, at(seconds));
    item
}

#[test]
fn a_patch_names_a_field() {
    let error = ActionPatch::default().checked().unwrap_err();
    assert_eq!(
        (error.field(), error.problem()),
        (None, &FieldProblem::NothingToChange)
    );
    let clear = ActionPatch {
        due_date: FieldPatch::Clear,
        ..ActionPatch::default()
    };
    assert_eq!(clear.clone().checked(), Ok(clear));
}

#[rstest]
#[case(ActionStatus::Open, false)]
#[case(ActionStatus::InProgress, false)]
#[case(ActionStatus::Done, true)]
#[case(ActionStatus::Dismissed, true)]
fn a_status_resolves_or_reopens(#[case] to: ActionStatus, #[case] resolves: bool) {
    for from in ActionStatus::ALL.into_iter().filter(|from| *from != to) {
        let before = patched(item(), &status(from), 200);
        let after = patched(before, &status(to), 300);
        assert_eq!(after.status, to);
        assert_eq!(
            after.resolved_at,
            resolves.then(|| at(300)),
            "{from} → {to}"
        );
        assert_eq!(after.updated_at, at(300));
    }
}

#[test]
fn what_an_audit_showed_goes_with_the_status() {
    let verified = ActionItem {
        status: ActionStatus::Done,
        resolved_at: Some(at(150)),
        verified_at: Some(at(150)),
        ..item()
    };
    let same = patched(verified.clone(), &status(ActionStatus::Done), 300);
    assert_eq!(same, verified);
    for to in [ActionStatus::Open, ActionStatus::Dismissed] {
        assert_eq!(
            patched(verified.clone(), &status(to), 300).verified_at,
            None
        );
    }
}

#[test]
fn fields_are_kept_set_and_cleared() {
    let member = MemberId::parse(&format!("mem_{ULID}")).unwrap();
    let due = DueDate::parse("2026-12-24").unwrap();
    let set = ActionPatch {
        assignee: FieldPatch::Set(member.clone()),
        due_date: FieldPatch::Set(due),
        title: Some(Title::parse("Other").unwrap()),
        ..ActionPatch::default()
    };
    let changed = patched(item(), &set, 200);
    assert_eq!(changed.assignee, Some(member));
    assert_eq!((changed.due_date, changed.updated_at), (Some(due), at(200)));
    assert_eq!(changed.title.as_str(), "Other");
    assert_eq!(changed.priority, item().priority);

    let again = patched(changed.clone(), &set, 300);
    assert_eq!(again, changed, "nothing became different");

    let clear = ActionPatch {
        assignee: FieldPatch::Clear,
        due_date: FieldPatch::Clear,
        ..ActionPatch::default()
    };
    let cleared = patched(changed, &clear, 400);
    assert_eq!((cleared.assignee, cleared.due_date), (None, None));
}

#[test]
fn a_patch_tells_what_became_different() {
    let patch = ActionPatch {
        title: Some(item().title),
        due_date: FieldPatch::Set(DueDate::parse("2026-12-24").unwrap()),
        ..status(ActionStatus::Done)
    };
    let mut item = item();
    assert_eq!(patch.apply(&mut item, at(200)), ["status", "dueDate"]);
    assert!(patch.apply(&mut item, at(300)).is_empty());
}

#[test]
fn filters_combine() {
    let all = ActionFilter::all(Variant::Current);
    assert!(all.shows(&item()));
    let filter = ActionFilter {
        statuses: ActionFilter::parse_statuses("open,done").unwrap(),
        priorities: ActionFilter::parse_priorities("high").unwrap(),
        site: item().site_id,
        ..all
    };
    assert!(filter.shows(&item()));
    let others = [
        patched(item(), &status(ActionStatus::Dismissed), 1),
        ActionItem {
            priority: Priority::Low,
            ..item()
        },
        ActionItem {
            site_id: None,
            ..item()
        },
    ];
    for other in others {
        assert!(!filter.shows(&other), "{other:?}");
    }
    let of_somebody = ActionFilter {
        assignee: MemberId::parse(&format!("mem_{ULID}")),
        ..filter
    };
    assert!(!of_somebody.shows(&item()));
}

#[rstest]
#[case("")]
#[case("open,")]
#[case("open, done")]
#[case("Open")]
fn an_unknown_value_of_a_filter_is_refused(#[case] text: &str) {
    let error = ActionFilter::parse_statuses(text).unwrap_err();
    assert_eq!(error.field(), Some("status"));
    let error = ActionFilter::parse_priorities(text).unwrap_err();
    assert_eq!(error.field(), Some("priority"));
}

#[test]
fn the_older_variant_does_not_show_ai_readiness() {
    let mut readiness = item();
    readiness.audit.as_mut().unwrap().dimension = Dimension::AiReadiness;
    assert!(readiness.is_shown_in(Variant::Current));
    assert!(!ActionFilter::all(Variant::Legacy).shows(&readiness));
    assert!(ActionFilter::all(Variant::Legacy).shows(&item()));
    let of_a_person = ActionItem {
        audit: None,
        ..item()
    };
    assert!(of_a_person.is_shown_in(Variant::Legacy));
}
