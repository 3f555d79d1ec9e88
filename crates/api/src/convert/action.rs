use api_types::action as wire;
use chrono::{DateTime, Utc};
use domain::action::{
    ActionCursor, ActionItem, ActionPatch, ActionStatus, BriefStatus, Description, DueDate,
    FieldPatch, Priority, Title,
};
use domain::id::{ActionId, MemberId, OrgId};
use domain::ports::{ActionPage, IdSource};
use report::json::{dimension, severity};

use super::same_variants::{ToDomain, ToWire, same_variants};
use super::time;
use crate::input::InvalidFields;

same_variants! { ActionStatus, wire::ActionStatus: Open, InProgress, Done, Dismissed }
same_variants! { Priority, wire::Priority: Critical, High, Medium, Low }
same_variants! { BriefStatus, wire::BriefStatus: None, Queued, Generating, Ready, Failed }

/// An action item.
pub(crate) fn action(item: &ActionItem) -> wire::ActionItem {
    let audit = item.audit.as_ref();
    wire::ActionItem {
        action_id: item.id.to_string(),
        title: item.title.as_str().to_owned(),
        description: item.description.as_str().to_owned(),
        status: item.status.to_wire(),
        priority: item.priority.to_wire(),
        assignee_id: item.assignee.as_ref().map(ToString::to_string),
        due_date: item.due_date.as_ref().map(ToString::to_string),
        site_id: item.site_id.as_ref().map(ToString::to_string),
        check_id: audit.map(|audit| audit.check_id.clone()),
        dimension: audit.map(|audit| dimension(audit.dimension)),
        severity: audit.map(|audit| severity(audit.severity)),
        report_id: audit.map(|audit| audit.report_id.to_string()),
        affected_pages: audit.map(|audit| audit.affected_pages),
        comment_count: item.comment_count,
        brief_status: item.brief_status.to_wire(),
        created_at: time(item.created_at),
        updated_at: time(item.updated_at),
        resolved_at: item.resolved_at.map(time),
        verified_at: item.verified_at.map(time),
    }
}

/// A page of a list of action items.
pub(crate) fn actions(page: &ActionPage) -> wire::ActionList {
    wire::ActionList {
        actions: page.items.iter().map(action).collect(),
        next_cursor: page.next.as_ref().map(ActionCursor::encode),
    }
}

/// The item that a caller creates, and the id of its site as the caller gives it: an unknown site is reported only if
/// all fields are valid.
pub(crate) fn new_action(
    asked: wire::CreateActionRequest,
    org: &OrgId,
    ids: &dyn IdSource,
    now: DateTime<Utc>,
    invalid: &mut InvalidFields,
) -> Option<(ActionItem, Option<String>)> {
    let title = invalid.check(Title::parse(&asked.title));
    let description = asked.description.as_deref().unwrap_or_default();
    let description = invalid.check(Description::parse(description));
    let due_date = invalid.check(asked.due_date.as_deref().map(DueDate::parse).transpose());
    let (title, description, due_date) = (title?, description?, due_date?);
    let item = ActionItem {
        id: ActionId::make(ids),
        org_id: org.clone(),
        title,
        description,
        status: ActionStatus::Open,
        priority: (asked.priority).map_or(Priority::Medium, ToDomain::to_domain),
        assignee: asked.assignee_id.as_deref().map(|id| member(id, ids)),
        due_date,
        site_id: None,
        audit: None,
        comment_count: 0,
        brief_status: BriefStatus::None,
        created_at: now,
        updated_at: now,
        resolved_at: None,
        verified_at: None,
    };
    Some((item, asked.site_id))
}

/// The changes that a caller makes to an item.
pub(crate) fn action_patch(
    asked: wire::UpdateActionRequest,
    ids: &dyn IdSource,
    invalid: &mut InvalidFields,
) -> Option<ActionPatch> {
    let due_date = asked.due_date.as_ref().and_then(Option::as_deref);
    let due_date = invalid.check(due_date.map(DueDate::parse).transpose());
    let title = invalid.check(asked.title.as_deref().map(Title::parse).transpose());
    let description = asked.description.as_deref().map(Description::parse);
    let description = invalid.check(description.transpose());
    let patch = ActionPatch {
        status: asked.status.map(ToDomain::to_domain),
        priority: asked.priority.map(ToDomain::to_domain),
        assignee: match asked.assignee_id {
            None => FieldPatch::Keep,
            Some(None) => FieldPatch::Clear,
            Some(Some(id)) => FieldPatch::Set(member(&id, ids)),
        },
        due_date: match (asked.due_date, due_date?) {
            (None, _) => FieldPatch::Keep,
            (Some(_), Some(date)) => FieldPatch::Set(date),
            (Some(_), None) => FieldPatch::Clear,
        },
        title: title?,
        description: description?,
    };
    invalid.check(patch.checked())
}

/// The member with this id. Text that is not an id becomes the id of no member, so that it is rejected in the
/// same step as unknown members: after the ids of items and sites.
pub(crate) fn member(text: &str, ids: &dyn IdSource) -> MemberId {
    MemberId::parse(text).unwrap_or_else(|| MemberId::make(ids))
}
