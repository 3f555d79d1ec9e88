//! Changing the status, the priority, the assignee and the due date of an action item.

use domain::action::{
    ActionPatch, ActionStatus, DueDate, FieldPatch, FieldProblem, InvalidAction, Priority,
};
use domain::id::MemberId;
use domain::ports::{ChangeActionError, IdSource};

use super::item::{self, Problems};
use super::words;
use crate::failure::Failure;
use crate::form::Form;
use crate::reply::Reply;
use crate::visit::Visit;

/// The prefix of the fields that carry the values the page was made with.
pub(super) const BEFORE: &str = "before-";

/// Saves what the person changed. A form that changes nothing is no error.
pub(super) fn save(visit: &Visit) -> Result<Reply, Failure> {
    let item = item::find(visit)?;
    let path = format!("/actions/{}", item.id);
    let refused = |error: &InvalidAction| {
        let problems = Problems {
            change: Some(words::problem(error)),
            ..Problems::default()
        };
        Reply::invalid(&item::page(visit, &item.id, problems)?)
    };
    let patch = match patch(&visit.form, &*visit.state.ids) {
        Ok(patch) if patch == ActionPatch::default() => return Ok(Reply::redirect(path)),
        Ok(patch) => patch,
        Err(error) => return refused(&error),
    };
    let (org, stores, by) = (visit.org()?, &visit.state.stores, visit.by()?);
    match stores.patch_action(org, &item.id, &patch, visit.now(), &by) {
        Ok(_) => Ok(Reply::redirect(path)),
        Err(ChangeActionError::NoMember) => {
            refused(&InvalidAction::new("assigneeId", FieldProblem::NoMember))
        }
        Err(error) => Err(item::not_changed(error)),
    }
}

/// What a form changes: the fields that differ from what the page showed. The others stay as they are now, so that a
/// form never takes back what an audit or somebody else changed after the page was loaded.
fn patch(form: &Form, ids: &dyn IdSource) -> Result<ActionPatch, InvalidAction> {
    // As with the API, a text that is no id is the id of no member.
    let member = |text: &str| MemberId::parse(text).unwrap_or_else(|| MemberId::make(ids));
    Ok(ActionPatch {
        status: changed(form, "status")
            .map(ActionStatus::parse)
            .transpose()?,
        priority: changed(form, "priority").map(Priority::parse).transpose()?,
        assignee: match changed(form, "assignee") {
            None => FieldPatch::Keep,
            Some("") => FieldPatch::Clear,
            Some(id) => FieldPatch::Set(member(id)),
        },
        due_date: match changed(form, "due-date") {
            None => FieldPatch::Keep,
            Some("") => FieldPatch::Clear,
            Some(date) => FieldPatch::Set(DueDate::parse(date)?),
        },
        ..ActionPatch::default()
    })
}

/// The value of a field, where it is in the form and is not that of the page.
fn changed<'a>(form: &'a Form, name: &str) -> Option<&'a str> {
    let is_there = form.fields().iter().any(|(known, _)| known == name);
    let value = form.text(name);
    (is_there && value != form.text(&format!("{BEFORE}{name}"))).then_some(value)
}

#[cfg(test)]
mod tests {
    use testkit::SequentialIds;

    use super::*;

    fn parsed(form: &str) -> Result<ActionPatch, InvalidAction> {
        patch(&Form::parse(form.as_bytes()), &SequentialIds::default())
    }

    #[test]
    fn only_what_differs_from_the_page_is_changed() {
        let same =
            "status=open&before-status=open&due-date=&before-due-date=&assignee=&before-assignee=";
        assert_eq!(parsed(same), Ok(ActionPatch::default()));
        assert_eq!(parsed("token=x"), Ok(ActionPatch::default()));
        let form = "status=open&before-status=open&priority=high&before-priority=low\
            &due-date=2026-12-24&before-due-date=&assignee=&before-assignee=x";
        let expected = ActionPatch {
            priority: Some(Priority::High),
            assignee: FieldPatch::Clear,
            due_date: FieldPatch::Set(DueDate::parse("2026-12-24").unwrap()),
            ..ActionPatch::default()
        };
        assert_eq!(parsed(form), Ok(expected));
    }

    #[test]
    fn invalid_values_name_their_field() {
        for (form, field) in [
            ("status=closed", "status"),
            ("status=", "status"),
            ("priority=urgent", "priority"),
            ("due-date=tomorrow", "dueDate"),
        ] {
            let form = format!("{form}&before-status=open");
            assert_eq!(parsed(&form).unwrap_err().field(), Some(field), "{form}");
        }
    }

    #[test]
    fn a_text_that_is_no_id_is_the_id_of_nobody() {
        let patch = parsed("assignee=ada").unwrap();
        assert!(matches!(patch.assignee, FieldPatch::Set(_)));
    }
}
