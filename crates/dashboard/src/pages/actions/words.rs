//! The words and marks of action items.

use chrono::NaiveDate;
use domain::Severity;
use domain::action::{ActionItem, ActionStatus, FieldProblem, InvalidAction, Priority};
use domain::id::MemberId;
use domain::org::Member;

use crate::form::Form;

/// A mark with its word and the class of its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) mark: &'static str,
    pub(super) word: &'static str,
    pub(super) class: &'static str,
}

impl Mark {
    /// The mark of a priority.
    pub(super) const fn of_priority(priority: Priority) -> Self {
        let (mark, word, class) = match priority {
            Priority::Critical => ("▲", "Critical", "poor"),
            Priority::High => ("◆", "High", "fair"),
            Priority::Medium => ("●", "Medium", "ink"),
            Priority::Low => ("○", "Low", "quiet"),
        };
        Self { mark, word, class }
    }

    /// The mark of a severity.
    pub(super) const fn of_severity(severity: Severity) -> Self {
        let (mark, word, class) = match severity {
            Severity::Critical => ("▲", "critical", "poor"),
            Severity::Serious => ("◆", "serious", "fair"),
            Severity::Moderate => ("●", "moderate", "ink"),
            Severity::Minor => ("○", "minor", "quiet"),
            Severity::Info => ("○", "info", "quiet"),
        };
        Self { mark, word, class }
    }
}

/// The name that people read of a status.
pub(super) const fn status(status: ActionStatus) -> &'static str {
    match status {
        ActionStatus::Open => "Open",
        ActionStatus::InProgress => "In progress",
        ActionStatus::Done => "Done",
        ActionStatus::Dismissed => "Dismissed",
    }
}

/// When an item is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) date: String,
    /// Whether the day has passed and the item is neither done nor dismissed.
    pub(super) is_overdue: bool,
}

impl Due {
    /// The due date of an item, seen on a day.
    pub(super) fn new(item: &ActionItem, today: NaiveDate) -> Option<Self> {
        let date = item.due_date?;
        Some(Self {
            date: date.to_string(),
            is_overdue: date.day() < today && !item.status.is_resolved(),
        })
    }
}

/// The name of a member; none for somebody who is no member any more.
pub(super) fn member_name<'a>(members: &'a [Member], id: &MemberId) -> Option<&'a str> {
    let mut members = members.iter();
    let found = members.find(|member| member.id == *id)?;
    Some(&found.name)
}

/// A text of several lines that a person typed. Browsers send CR LF where the person sees one character, and the limits
/// are those that the person sees.
pub(super) fn typed(form: &Form, name: &str) -> String {
    form.raw(name).replace("\r\n", "\n")
}

/// What is wrong with a form, as a sentence that names the field as the form does.
pub(super) fn problem(error: &InvalidAction) -> String {
    let label = match error.field() {
        Some("status") => "Status",
        Some("priority") => "Priority",
        Some("assigneeId") => "Assignee",
        Some("dueDate") => "Due date",
        Some("body") => "Comment",
        Some("instructions") => "Instructions",
        Some("format") => "Format",
        _ => return format!("The form was not accepted: {}.", error.problem()),
    };
    match error.problem() {
        FieldProblem::NotADate | FieldProblem::NoSuchDate => {
            format!("{label}: enter a day of the calendar, for example 2026-12-24.")
        }
        other => format!("{label}: {other}."),
    }
}

#[cfg(test)]
mod tests {
    use domain::action::{CommentBody, DueDate};

    use super::*;

    #[test]
    fn lines_end_with_one_character() {
        let form = Form::parse(b"body=a%0D%0Ab%0A");
        assert_eq!(typed(&form, "body"), "a\nb\n");
    }

    #[test]
    fn problems_name_the_field() {
        let no_day = DueDate::parse("tomorrow").unwrap_err();
        assert_eq!(
            problem(&no_day),
            "Due date: enter a day of the calendar, for example 2026-12-24."
        );
        let empty = CommentBody::parse(" ").unwrap_err();
        assert_eq!(problem(&empty), "Comment: text is required.");
    }
}
