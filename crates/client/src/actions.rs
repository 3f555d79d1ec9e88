//! Action items, comments, briefs, handoffs.

use api_types::action::{
    ActionItem, ActionList, ActionStatus, CreateActionRequest, Priority, UpdateActionRequest,
};
use api_types::brief::{ActionBrief, QueueBriefRequest, QueuedBrief};
use api_types::comment::{ActionComment, AddCommentRequest, CommentList};
use api_types::handoff::{Handoff, HandoffRequest};
use reqwest::Method;

use crate::call::{Call, listed};
use crate::{Client, Error, Reply};

/// Filters of a list of action items; without filters, it has all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActionFilter {
    /// Items with one of these statuses.
    pub statuses: Vec<ActionStatus>,
    /// Items with one of these priorities.
    pub priorities: Vec<Priority>,
    /// Items of a site.
    pub site: Option<String>,
    /// Items assigned to a member.
    pub assignee: Option<String>,
    /// The maximum number of items.
    pub limit: Option<u32>,
    /// The cursor of an earlier page.
    pub cursor: Option<String>,
}

impl Client {
    /// A page of the action items, by priority.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn actions(&self, filter: &ActionFilter) -> Result<Reply<ActionList>, Error> {
        let call = Call::get(&["actions"])
            .with("status", listed(&filter.statuses)?)
            .with("priority", listed(&filter.priorities)?)
            .with("siteId", filter.site.clone())
            .with("assigneeId", filter.assignee.clone())
            .with("limit", filter.limit.map(|limit| limit.to_string()))
            .with("cursor", filter.cursor.clone());
        self.call(call).await
    }

    /// Creates an action item.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn create_action(
        &self,
        request: &CreateActionRequest,
    ) -> Result<Reply<ActionItem>, Error> {
        self.call(Call::post(&["actions"]).json(request)?.once())
            .await
    }

    /// An action item.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn action(&self, action: &str) -> Result<Reply<ActionItem>, Error> {
        self.call(Call::get(&["actions", action])).await
    }

    /// Updates an action item.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn update_action(
        &self,
        action: &str,
        request: &UpdateActionRequest,
    ) -> Result<Reply<ActionItem>, Error> {
        self.call(Call::new(Method::PATCH, &["actions", action]).json(request)?)
            .await
    }

    /// A page of the comments on an action item, oldest first.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn comments(
        &self,
        action: &str,
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<CommentList>, Error> {
        let call = Call::get(&["actions", action, "comments"])
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }

    /// Comments on an action item, with an idempotency key.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn comment(&self, action: &str, body: &str) -> Result<Reply<ActionComment>, Error> {
        let request = AddCommentRequest {
            body: body.to_owned(),
        };
        let call = Call::post(&["actions", action, "comments"]).json(&request)?;
        self.call(call.once()).await
    }

    /// The brief of an action item, with its status.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn brief(&self, action: &str) -> Result<Reply<ActionBrief>, Error> {
        self.call(Call::get(&["actions", action, "brief"])).await
    }

    /// Queues the brief of an action item, with an idempotency key.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn queue_brief(
        &self,
        action: &str,
        request: &QueueBriefRequest,
    ) -> Result<Reply<QueuedBrief>, Error> {
        let call = Call::post(&["actions", action, "brief"]).json(request)?;
        self.call(call.once()).await
    }

    /// One prompt for several action items.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn handoff(&self, request: &HandoffRequest) -> Result<Reply<Handoff>, Error> {
        self.call(Call::post(&["actions", "handoff"]).json(request)?.once())
            .await
    }
}
