//! Action items: tasks on a site.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::Dimension;
use crate::given::given;
use crate::report::Severity;

/// A task, created by an audit or a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionItem {
    /// Id of the item.
    pub action_id: String,
    /// The title: what to do, in one line.
    pub title: String,
    /// The description: what to do, in detail; may be empty.
    pub description: String,
    /// The status.
    pub status: ActionStatus,
    /// The priority.
    pub priority: Priority,
    /// The member to whom the item is assigned.
    pub assignee_id: Option<String>,
    /// The due date, `YYYY-MM-DD`.
    #[schema(format = "date")]
    pub due_date: Option<String>,
    /// The site of the item.
    pub site_id: Option<String>,
    /// The check that found the issue; `null` for an item that a person created.
    pub check_id: Option<String>,
    /// The dimension of the check; `null` for an item that a person created.
    pub dimension: Option<Dimension>,
    /// The severity of the issue; `null` for an item that a person created.
    pub severity: Option<Severity>,
    /// The latest report with the issue; `null` for an item that a person created.
    pub report_id: Option<String>,
    /// The number of affected pages; `null` for an item that a person created.
    pub affected_pages: Option<u64>,
    /// The number of comments.
    pub comment_count: u64,
    /// The status of the brief.
    pub brief_status: BriefStatus,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
    /// When a person last changed the item or an audit last changed its status, RFC 3339 in UTC.
    pub updated_at: String,
    /// When the status became `done` or `dismissed`, RFC 3339 in UTC; `null` while it is neither.
    pub resolved_at: Option<String>,
    /// When an audit verified that the issue is fixed, RFC 3339 in UTC.
    pub verified_at: Option<String>,
}

/// The status of an action item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionStatus {
    /// Not started.
    Open,
    /// In progress.
    InProgress,
    /// Done, set by a person or by an audit that no longer finds the issue.
    Done,
    /// Won't be fixed. Audits do not reopen it.
    Dismissed,
}

/// The priority of an action item, highest first, which is the order in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Do it immediately.
    Critical,
    /// Do it next.
    High,
    /// Do it in the normal order.
    Medium,
    /// Do it when there is time.
    Low,
}

/// The status of a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BriefStatus {
    /// Not requested.
    None,
    /// Queued for generation.
    Queued,
    /// Generation is running.
    Generating,
    /// The brief is available.
    Ready,
    /// Generation failed; `error` has the reason.
    Failed,
}

/// A page of a list of action items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionList {
    /// The items, by priority, newest first.
    pub actions: Vec<ActionItem>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// An action item to create.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateActionRequest {
    /// The title: what to do, in one line without control characters.
    #[schema(min_length = 1, max_length = 200)]
    pub title: String,
    /// The site of the item; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_id: Option<String>,
    /// The description: what to do, in detail; empty by default.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_length = 10_000)]
    pub description: Option<String>,
    /// The priority; `medium` by default.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub priority: Option<Priority>,
    /// The member to whom the item is assigned; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee_id: Option<String>,
    /// The due date: a valid date `YYYY-MM-DD`; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "date")]
    pub due_date: Option<String>,
}

/// A change of an action item: at least one of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct UpdateActionRequest {
    /// The status; every transition is allowed.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub status: Option<ActionStatus>,
    /// The priority.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub priority: Option<Priority>,
    /// The member to whom the item is assigned; `null` removes the assignment.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>)]
    pub assignee_id: Option<Option<String>>,
    /// The due date: a valid date `YYYY-MM-DD`; `null` removes it.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>, format = "date")]
    pub due_date: Option<Option<String>>,
    /// The title: what to do, in one line without control characters.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 200)]
    pub title: Option<String>,
    /// The description: what to do, in detail; may be empty.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_length = 10_000)]
    pub description: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<UpdateActionRequest, serde_json::Error> {
        serde_json::from_str(text)
    }

    #[test]
    fn what_is_left_out_is_not_null() {
        let nothing = read("{}").unwrap();
        assert_eq!(nothing, UpdateActionRequest::default());
        let cleared = read(r#"{"assigneeId":null,"dueDate":null}"#).unwrap();
        assert_eq!(cleared.assignee_id, Some(None));
        assert_eq!(cleared.due_date, Some(None));
        let set = read(r#"{"assigneeId":"mem_1"}"#).unwrap();
        assert_eq!(set.assignee_id, Some(Some("mem_1".to_owned())));
        assert_eq!(set.due_date, None);
        for request in [nothing, cleared, set] {
            let text = serde_json::to_string(&request).unwrap();
            assert_eq!(read(&text).unwrap(), request, "{text}");
        }
    }

    #[test]
    fn other_fields_are_never_null() {
        for field in ["status", "priority", "title", "description"] {
            assert!(read(&format!(r#"{{"{field}":null}}"#)).is_err(), "{field}");
        }
        for field in ["description", "priority"] {
            let text = format!(r#"{{"title":"t","{field}":null}}"#);
            assert!(serde_json::from_str::<CreateActionRequest>(&text).is_err());
        }
    }
}
