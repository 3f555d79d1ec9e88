//! `list_actions`, `get_action`, `update_action`, `comment_on_action`.

use api_types::action::{ActionItem, ActionList, ActionStatus, Priority, UpdateActionRequest};
use api_types::comment::ActionComment;
use client::ActionFilter;
use report::untrusted::excerpt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::{actions, given, more};
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::page;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct ListActions;

/// Filters and pagination.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListArguments {
    /// Filter by site; empty for all.
    #[serde(default)]
    #[schema(default = "")]
    site_id: String,
    /// Filter by status; empty for all.
    #[serde(default)]
    status: Vec<ActionStatus>,
    /// Filter by priority; empty for all.
    #[serde(default)]
    priority: Vec<Priority>,
    /// Filter by assignee, a member's id; empty for all.
    #[serde(default)]
    #[schema(default = "")]
    assignee_id: String,
    /// The maximum number of entries.
    #[serde(default = "actions")]
    #[schema(default = 20, minimum = 1, maximum = 200)]
    limit: u32,
    /// The nextCursor of the previous page.
    #[serde(default)]
    #[schema(default = "")]
    cursor: String,
}

impl Tool for ListActions {
    const NAME: &'static str = "list_actions";
    const TITLE: &'static str = "List action items";
    const DESCRIPTION: &'static str = "List action items by priority, with descriptions of at most 200 characters. Unfinished items have status [\"open\",\"in_progress\"].";
    const EFFECT: Effect = Effect::Reads;
    const ON_ACTIONS: bool = true;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = ListArguments;
    type Output = ActionList;

    async fn call(context: &Context, arguments: ListArguments) -> Result<ActionList, Failure> {
        let text = |text: &str| given(text).map(str::to_owned);
        let filter = ActionFilter {
            statuses: arguments.status,
            priorities: arguments.priority,
            site: text(&arguments.site_id),
            assignee: text(&arguments.assignee_id),
            limit: None,
            cursor: text(&arguments.cursor),
        };
        page::fitting(arguments.limit, Self::TEXT_ORIGIN, |limit| {
            let filter = ActionFilter {
                limit: Some(limit),
                ..filter.clone()
            };
            async move {
                let mut list = context.client.actions(&filter).await?;
                for item in &mut list.value.actions {
                    item.title = excerpt(&item.title);
                    item.description = excerpt(&item.description);
                }
                Ok(list)
            }
        })
        .await
    }

    fn next(list: &ActionList, _offers: Offers) -> String {
        let next = match list.actions.is_empty() {
            true => "start_audit finds what to do.",
            false => "Call handoff_actions with up to ten actionIds for instructions.",
        };
        more(list.next_cursor.as_deref(), next)
    }
}

/// An action item.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ActionArguments {
    /// Id of the action item.
    action_id: String,
}

pub(super) struct GetAction;

/// An action item with its comments.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActionWithComments {
    /// The item.
    action: ActionItem,
    /// The first comments, oldest first, at most 20.
    comments: Vec<ActionComment>,
}

impl Tool for GetAction {
    const NAME: &'static str = "get_action";
    const TITLE: &'static str = "Get an action item";
    const DESCRIPTION: &'static str = "Get an action item in full, with its first 20 comments. verifiedAt is set once an audit verified the fix.";
    const EFFECT: Effect = Effect::Reads;
    const ON_ACTIONS: bool = true;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = ActionArguments;
    type Output = ActionWithComments;

    async fn call(
        context: &Context,
        arguments: ActionArguments,
    ) -> Result<ActionWithComments, Failure> {
        let id = &arguments.action_id;
        let action = context.client.action(id).await?.value;
        let comments = if action.comment_count == 0 {
            Vec::new()
        } else {
            context
                .client
                .comments(id, Some(20), None)
                .await?
                .value
                .comments
        };
        Ok(ActionWithComments { action, comments })
    }

    fn next(found: &ActionWithComments, _offers: Offers) -> String {
        let item = &found.action;
        match item.status {
            ActionStatus::Open | ActionStatus::InProgress => format!(
                "Call handoff_actions with ids [{:?}] for instructions.",
                item.action_id
            ),
            ActionStatus::Done | ActionStatus::Dismissed => {
                "list_actions with status [\"open\"] lists what is left.".to_owned()
            }
        }
    }
}

pub(super) struct UpdateAction;

/// The changes; omitted fields stay unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct UpdateArguments {
    /// Id of the action item.
    action_id: String,
    /// Leave done to the next audit if possible: it verifies the fix.
    #[serde(default)]
    #[schema(nullable = false)]
    status: Option<ActionStatus>,
    /// The priority.
    #[serde(default)]
    #[schema(nullable = false)]
    priority: Option<Priority>,
    /// The assignee, a member's id; none removes the assignment.
    #[serde(default)]
    #[schema(nullable = false)]
    assignee_id: Option<String>,
    /// The due date, YYYY-MM-DD; none removes it.
    #[serde(default)]
    #[schema(nullable = false)]
    due_date: Option<String>,
    /// What to do, in one line.
    #[serde(default)]
    #[schema(nullable = false, min_length = 1, max_length = 200)]
    title: Option<String>,
    /// What to do, in detail.
    #[serde(default)]
    #[schema(nullable = false, max_length = 10_000)]
    description: Option<String>,
}

impl Tool for UpdateAction {
    const NAME: &'static str = "update_action";
    const TITLE: &'static str = "Update an action item";
    const DESCRIPTION: &'static str = "Update an action item. Pass only the fields to change.";
    const EFFECT: Effect = Effect::Replaces;
    const ON_ACTIONS: bool = true;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = UpdateArguments;
    type Output = ActionItem;

    async fn call(context: &Context, arguments: UpdateArguments) -> Result<ActionItem, Failure> {
        let or_none = |text: Option<String>| text.map(|text| (text != "none").then_some(text));
        let request = UpdateActionRequest {
            status: arguments.status,
            priority: arguments.priority,
            assignee_id: or_none(arguments.assignee_id),
            due_date: or_none(arguments.due_date),
            title: arguments.title,
            description: arguments.description,
        };
        if request == UpdateActionRequest::default() {
            return Err(Failure::argument(
                "",
                "at least one field to change is required",
            ));
        }
        let updated = context
            .client
            .update_action(&arguments.action_id, &request)
            .await?;
        Ok(updated.value)
    }

    fn next(item: &ActionItem, _offers: Offers) -> String {
        let is_dismissed = item.status == ActionStatus::Dismissed;
        let waiver = is_dismissed.then(|| waiver_call(item)).flatten();
        waiver.unwrap_or_else(|| verification(&item.action_id))
    }
}

/// What to call after work on an item.
fn verification(action_id: &str) -> String {
    format!(
        "When the fix is published, call start_audit with the site's url, then get_action with actionId {action_id} for verifiedAt."
    )
}

/// The call that accepts the finding of a dismissed item, which otherwise still costs points.
fn waiver_call(item: &ActionItem) -> Option<String> {
    let (site, check) = (item.site_id.as_ref()?, item.check_id.as_ref()?);
    Some(format!(
        "The finding still costs points. If the owner accepts it: waive \
         {{\"siteId\":\"{site}\",\"checkId\":\"{check}\",\"reason\":\"…\"}}"
    ))
}

pub(super) struct CommentOnAction;

/// The comment to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct CommentArguments {
    /// Id of the action item.
    action_id: String,
    /// The text.
    #[schema(min_length = 1, max_length = 10_000)]
    body: String,
}

impl Tool for CommentOnAction {
    const NAME: &'static str = "comment_on_action";
    const TITLE: &'static str = "Comment on an action item";
    const DESCRIPTION: &'static str =
        "Comment on an action item, for example what you changed. Comments are permanent.";
    const EFFECT: Effect = Effect::Adds;
    const ON_ACTIONS: bool = true;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = CommentArguments;
    type Output = ActionComment;

    async fn call(
        context: &Context,
        arguments: CommentArguments,
    ) -> Result<ActionComment, Failure> {
        let comment = context
            .client
            .comment(&arguments.action_id, &arguments.body)
            .await?;
        Ok(comment.value)
    }

    fn next(comment: &ActionComment, _offers: Offers) -> String {
        verification(&comment.action_id)
    }
}
