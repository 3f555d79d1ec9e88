//! What is done with the items that are chosen in the list or on the board: a change of all, or a handoff.

use std::collections::BTreeSet;

use domain::action::{
    ActionPatch, ActionStatus, DueDate, FieldPatch, FieldProblem, InvalidAction, Priority,
};
use domain::id::{ActionId, MemberId};
use domain::ports::{ChangeActionError, IdSource};

use super::{handoff, item, list, words};
use crate::failure::Failure;
use crate::form::Form;
use crate::reply::Reply;
use crate::visit::Visit;

/// Items that are changed at once, at most: those of a page of the list.
pub(super) const MOST: usize = 50;
/// The value of the choice that leaves an item to nobody.
const NOBODY: &str = "nobody";

/// Answers the form of the list: the button that was pressed says what is done.
pub(super) fn act(visit: &Visit) -> Result<Reply, Failure> {
    match visit.form.text("do") {
        "handoff" => handoff::show(visit),
        _ => change(visit),
    }
}

/// Changes the chosen items. All are looked up before any is changed; each is changed by itself, as if the person had
/// opened it.
fn change(visit: &Visit) -> Result<Reply, Failure> {
    let query = visit.form.raw("list");
    let chosen: Vec<_> = visit.form.all("id").map(str::to_owned).collect();
    let refused = |problem: String| list::refused(visit, query, &chosen, problem);
    // An item that is chosen twice is changed once.
    let ids: BTreeSet<_> = chosen.iter().collect();
    if ids.is_empty() {
        return refused("Choose at least one item to change.".to_owned());
    }
    if ids.len() > MOST {
        let chosen = ids.len();
        return refused(format!(
            "Choose at most {MOST} items to change at once; you chose {chosen}."
        ));
    }
    let patch = match patch(&visit.form, &*visit.state.ids).and_then(ActionPatch::checked) {
        Ok(patch) => patch,
        Err(error) => return refused(problem(&error)),
    };
    let (org, stores, by) = (visit.org()?, &visit.state.stores, visit.by()?);
    let mut items = Vec::new();
    for id in ids {
        let id = ActionId::parse(id).ok_or(Failure::NotFound)?;
        let item = stores.action(org, &id, visit.variant())?;
        items.push(item.ok_or(Failure::NotFound)?.id);
    }
    for id in &items {
        match stores.patch_action(org, id, &patch, visit.now(), &by) {
            Ok(_) => {}
            Err(ChangeActionError::NoMember) => {
                let error = InvalidAction::new("assigneeId", FieldProblem::NoMember);
                return refused(problem(&error));
            }
            Err(error) => return Err(item::not_changed(error)),
        }
    }
    let path = list::path(query);
    let mark = if path.contains('?') { '&' } else { '?' };
    Ok(Reply::redirect(format!(
        "{path}{mark}changed={}",
        items.len()
    )))
}

/// What the form changes: the fields that are chosen.
fn patch(form: &Form, ids: &dyn IdSource) -> Result<ActionPatch, InvalidAction> {
    // As with the API, a text that is no id is the id of no member.
    let member = |text: &str| MemberId::parse(text).unwrap_or_else(|| MemberId::make(ids));
    Ok(ActionPatch {
        status: form.given("status").map(ActionStatus::parse).transpose()?,
        priority: form.given("priority").map(Priority::parse).transpose()?,
        assignee: match form.given("assignee") {
            None => FieldPatch::Keep,
            Some(NOBODY) => FieldPatch::Clear,
            Some(id) => FieldPatch::Set(member(id)),
        },
        due_date: match form.given("due-date") {
            None => FieldPatch::Keep,
            Some(date) => FieldPatch::Set(DueDate::parse(date)?),
        },
        ..ActionPatch::default()
    })
}

fn problem(error: &InvalidAction) -> String {
    match error.problem() {
        FieldProblem::NothingToChange => {
            "Choose what to change: a status, a priority, an assignee or a due date.".to_owned()
        }
        _ => words::problem(error),
    }
}

#[cfg(test)]
mod tests {
    use testkit::SequentialIds;

    use super::*;

    fn parsed(form: &str) -> Result<ActionPatch, InvalidAction> {
        patch(&Form::parse(form.as_bytes()), &SequentialIds::default())
    }

    #[test]
    fn only_what_is_chosen_is_changed() {
        let kept = parsed("status=&priority=&assignee=&due-date=&id=x");
        assert_eq!(kept, Ok(ActionPatch::default()));
        let error = kept.and_then(ActionPatch::checked).unwrap_err();
        assert!(problem(&error).starts_with("Choose what to change"));
        let patch = parsed("status=done&assignee=nobody").unwrap();
        assert_eq!(patch.status, Some(ActionStatus::Done));
        assert_eq!(patch.assignee, FieldPatch::Clear);
        assert_eq!((patch.priority, patch.due_date), (None, FieldPatch::Keep));
        for (form, field) in [
            ("status=x", "status"),
            ("priority=x", "priority"),
            ("due-date=x", "dueDate"),
        ] {
            assert_eq!(parsed(form).unwrap_err().field(), Some(field));
        }
    }
}
