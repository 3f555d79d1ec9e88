//! Action items: what is to be done about a site.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::Dimension;
use crate::given::given;
use crate::report::Severity;

/// Something to be done, found by an audit or put down by a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionItem {
    /// Id of the item.
    pub action_id: String,
    /// What is to be done, in a line.
    pub title: String,
    /// What is to be done, in full; may be empty.
    pub description: String,
    /// Where it stands.
    pub status: ActionStatus,
    /// How much it matters.
    pub priority: Priority,
    /// The member who is to do it.
    pub assignee_id: Option<String>,
    /// Until when, `YYYY-MM-DD`.
    #[schema(format = "date")]
    pub due_date: Option<String>,
    /// The site it is about.
    pub site_id: Option<String>,
    /// The check that found it; `null` for an item that a person made.
    pub check_id: Option<String>,
    /// The dimension of the check; `null` for an item that a person made.
    pub dimension: Option<Dimension>,
    /// How much it hurts; `null` for an item that a person made.
    pub severity: Option<Severity>,
    /// The report that found it last; `null` for an item that a person made.
    pub report_id: Option<String>,
    /// How many pages it was found on; `null` for an item that a person made.
    pub affected_pages: Option<u64>,
    /// How many comments it has.
    pub comment_count: u64,
    /// Where its brief stands.
    pub brief_status: BriefStatus,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// When a person changed it last, or an audit its status, RFC 3339 in UTC.
    pub updated_at: String,
    /// When it became done or dismissed, RFC 3339 in UTC; `null` while it is neither.
    pub resolved_at: Option<String>,
    /// When an audit showed that nothing is left of it, RFC 3339 in UTC.
    pub verified_at: Option<String>,
}

/// Where an action item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionStatus {
    /// Nobody has begun.
    Open,
    /// Somebody is at it.
    InProgress,
    /// It is done, as a person says or an audit shows.
    Done,
    /// It shall not be done. No audit opens it again.
    Dismissed,
}

/// How much an action item matters. The first comes first in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Now.
    Critical,
    /// Next.
    High,
    /// In its turn.
    Medium,
    /// Some day.
    Low,
}

/// Where a brief stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BriefStatus {
    /// Nobody asked for it.
    None,
    /// It is to be written.
    Queued,
    /// It is being written.
    Generating,
    /// It is there.
    Ready,
    /// It could not be written, and `error` says why.
    Failed,
}

/// A page of a list of action items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionList {
    /// The items, by priority, newest first.
    pub actions: Vec<ActionItem>,
    /// Where the list goes on: the `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// An action item to make.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateActionRequest {
    /// What is to be done, in a line, without control characters.
    #[schema(min_length = 1, max_length = 200)]
    pub title: String,
    /// The site it is about; none unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_id: Option<String>,
    /// What is to be done, in full; empty unless said.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_length = 10_000)]
    pub description: Option<String>,
    /// How much it matters; `medium` unless said.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub priority: Option<Priority>,
    /// The member who is to do it; nobody unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee_id: Option<String>,
    /// Until when: a day of the calendar, `YYYY-MM-DD`; no day unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "date")]
    pub due_date: Option<String>,
}

/// What to change of an action item: at least one of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct UpdateActionRequest {
    /// Where it stands; any status may follow any other.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub status: Option<ActionStatus>,
    /// How much it matters.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub priority: Option<Priority>,
    /// The member who is to do it; `null` for nobody.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>)]
    pub assignee_id: Option<Option<String>>,
    /// Until when: a day of the calendar, `YYYY-MM-DD`; `null` for no day.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<String>, format = "date")]
    pub due_date: Option<Option<String>>,
    /// What is to be done, in a line, without control characters.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 200)]
    pub title: Option<String>,
    /// What is to be done, in full; may be empty.
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
