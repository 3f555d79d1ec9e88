//! Creating and changing action items on behalf of a person.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::action::{ActionItem, ActionPatch, FieldPatch};
use domain::audit_log::Actor;
use domain::event::EventFacts;
use domain::id::{ActionId, OrgId};
use domain::ports::ChangeActionError;

use super::evidence::EvidenceRow;
use super::rows;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::actions;
use crate::database::values::stored_time;
use crate::stores::audit_log::{Line, note};
use crate::stores::members;
use crate::stores::outbox;
use crate::stores::site_rows;

/// Stores an item. Everything is validated before anything is written.
pub(super) fn create(
    connection: &mut AnyConnection,
    org: &OrgId,
    item: &ActionItem,
    by: &Actor,
) -> Result<Result<(), ChangeActionError>, StorageError> {
    if item.org_id != *org || item.audit.is_some() {
        let text = format!("{} is not an item that a person in {org} created", item.id);
        return Err(StorageError::Failed(text));
    }
    if let Some(site) = &item.site_id
        && !site_rows::keep(connection, org, site)?
    {
        return Ok(Err(ChangeActionError::SiteNotFound));
    }
    if let Some(member) = &item.assignee
        && !members::keep(connection, org, member)?
    {
        return Ok(Err(ChangeActionError::NoMember));
    }
    rows::insert(connection, item, EvidenceRow::default())?;
    let line = Line {
        event: "action.created",
        subject: item.id.as_str(),
        detail: item.priority.to_string(),
    };
    note(connection, org, item.created_at, by, &line)?;
    Ok(Ok(()))
}

/// Changes an item, and returns it as changed. Everything is validated before anything is written.
pub(super) fn patch(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    patch: &ActionPatch,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<Result<ActionItem, ChangeActionError>, StorageError> {
    // Locked before the item, in the same order as the removal of a member.
    let is_member = match &patch.assignee {
        FieldPatch::Set(member) => members::keep(connection, org, member)?,
        FieldPatch::Keep | FieldPatch::Clear => true,
    };
    if !rows::lock(connection, org, action)? {
        return Ok(Err(ChangeActionError::NotFound));
    }
    let Some(mut item) = rows::find(connection, org, action)? else {
        return Ok(Err(ChangeActionError::NotFound));
    };
    if !is_member {
        return Ok(Err(ChangeActionError::NoMember));
    }
    let changed = patch.apply(&mut item, now);
    if changed.is_empty() {
        return Ok(Ok(item));
    }
    store(connection, &item)?;
    let line = Line {
        event: "action.updated",
        subject: action.as_str(),
        detail: changed.join(", "),
    };
    note(connection, org, now, by, &line)?;
    outbox::publish(connection, org, now, EventFacts::of_patch(&item, &changed))?;
    Ok(Ok(item))
}

/// Stores the fields of an item that a person can change.
fn store(connection: &mut AnyConnection, item: &ActionItem) -> Result<(), StorageError> {
    diesel::update(actions::table.find(item.id.as_str()))
        .set((
            actions::status.eq(item.status.as_str()),
            actions::priority.eq(i64::from(item.priority.rank())),
            actions::assignee_id.eq(item.assignee.as_ref().map(|id| id.as_str())),
            actions::due_date.eq(item.due_date.map(|day| day.to_string())),
            actions::title.eq(item.title.as_str()),
            actions::description.eq(item.description.as_str()),
            actions::updated_at.eq(stored_time(item.updated_at)),
            actions::resolved_at.eq(item.resolved_at.map(stored_time)),
            actions::verified_at.eq(item.verified_at.map(stored_time)),
        ))
        .execute(connection)?;
    Ok(())
}
