//! Rows of action items.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::action::{
    ActionItem, ActionStatus, AuditFacts, BriefStatus, Description, DueDate, Priority, Title,
};
use domain::id::{ActionId, MemberId, OrgId, ReportId, SiteId};

use super::evidence::EvidenceRow;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{action_briefs, actions};
use crate::database::values::{known, number, stored_count, stored_time};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = actions, treat_none_as_default_value = false)]
pub(super) struct ActionRow {
    id: String,
    org_id: String,
    site_id: Option<String>,
    title: String,
    description: String,
    status: String,
    priority: i64,
    assignee_id: Option<String>,
    due_date: Option<String>,
    comment_count: i64,
    created_at: NaiveDateTime,
    updated_at: NaiveDateTime,
    resolved_at: Option<NaiveDateTime>,
    verified_at: Option<NaiveDateTime>,
    #[diesel(embed)]
    audit: AuditRow,
}

/// The fields that an audit sets; empty for an item that a person created.
#[derive(Queryable, Selectable, Insertable, AsChangeset, Default)]
#[diesel(table_name = actions, treat_none_as_default_value = false, treat_none_as_null = true)]
pub(super) struct AuditRow {
    check_id: Option<String>,
    dimension: Option<String>,
    severity: Option<String>,
    report_id: Option<String>,
    affected_pages: Option<i64>,
}

#[derive(Insertable)]
#[diesel(table_name = actions, treat_none_as_default_value = false)]
struct NewRow {
    #[diesel(embed)]
    item: ActionRow,
    #[diesel(embed)]
    evidence: EvidenceRow,
}

impl ActionRow {
    fn from_item(item: &ActionItem) -> Self {
        Self {
            id: item.id.as_str().to_owned(),
            org_id: item.org_id.as_str().to_owned(),
            site_id: item.site_id.as_ref().map(|id| id.as_str().to_owned()),
            title: item.title.as_str().to_owned(),
            description: item.description.as_str().to_owned(),
            status: item.status.as_str().to_owned(),
            priority: item.priority.rank().into(),
            assignee_id: item.assignee.as_ref().map(|id| id.as_str().to_owned()),
            due_date: item.due_date.map(|day| day.to_string()),
            comment_count: stored_count(item.comment_count),
            created_at: stored_time(item.created_at),
            updated_at: stored_time(item.updated_at),
            resolved_at: item.resolved_at.map(stored_time),
            verified_at: item.verified_at.map(stored_time),
            audit: item.audit.as_ref().map(AuditRow::new).unwrap_or_default(),
        }
    }

    /// Converts the row to an item; `brief` is the status of its brief, if one was requested.
    pub(super) fn read(self, brief: Option<&str>) -> Result<ActionItem, StorageError> {
        let brief_status = match brief {
            None => BriefStatus::None,
            Some(name) => known("status of a brief", name, BriefStatus::named(name))?,
        };
        let site = self
            .site_id
            .map(|id| known("site", &id, SiteId::parse(&id)));
        let assignee = self
            .assignee_id
            .map(|id| known("member", &id, MemberId::parse(&id)));
        let due_date = self
            .due_date
            .map(|day| known("day", &day, DueDate::parse(&day).ok()));
        let rank: u8 = number("priority", self.priority)?;
        Ok(ActionItem {
            id: known("action", &self.id, ActionId::parse(&self.id))?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            title: known("title", &self.title, Title::parse(&self.title).ok())?,
            description: known(
                "description",
                &self.description,
                Description::parse(&self.description).ok(),
            )?,
            status: known("status", &self.status, ActionStatus::named(&self.status))?,
            priority: known("priority", &rank.to_string(), Priority::ranked(rank))?,
            assignee: assignee.transpose()?,
            due_date: due_date.transpose()?,
            site_id: site.transpose()?,
            audit: self.audit.read()?,
            comment_count: number("number of comments", self.comment_count)?,
            brief_status,
            created_at: self.created_at.and_utc(),
            updated_at: self.updated_at.and_utc(),
            resolved_at: self.resolved_at.map(|time| time.and_utc()),
            verified_at: self.verified_at.map(|time| time.and_utc()),
        })
    }
}

impl AuditRow {
    pub(super) fn new(audit: &AuditFacts) -> Self {
        Self {
            check_id: Some(audit.check_id.clone()),
            dimension: Some(audit.dimension.as_str().to_owned()),
            severity: Some(audit.severity.as_str().to_owned()),
            report_id: Some(audit.report_id.as_str().to_owned()),
            affected_pages: Some(stored_count(audit.affected_pages)),
        }
    }

    fn read(self) -> Result<Option<AuditFacts>, StorageError> {
        let Self {
            check_id: Some(check_id),
            dimension: Some(dimension),
            severity: Some(severity),
            report_id: Some(report_id),
            affected_pages: Some(affected_pages),
        } = self
        else {
            return Ok(None);
        };
        Ok(Some(AuditFacts {
            check_id,
            dimension: known("dimension", &dimension, dimension.parse().ok())?,
            severity: known("severity", &severity, severity.parse().ok())?,
            report_id: known("report", &report_id, ReportId::parse(&report_id))?,
            affected_pages: number("number of pages", affected_pages)?,
        }))
    }
}

/// Stores an item, with its evidence if an audit created it.
pub(super) fn insert(
    connection: &mut AnyConnection,
    item: &ActionItem,
    evidence: EvidenceRow,
) -> Result<(), StorageError> {
    let row = NewRow {
        item: ActionRow::from_item(item),
        evidence,
    };
    on_either!(connection, inner => diesel::insert_into(actions::table)
        .values(&row)
        .execute(inner)?);
    Ok(())
}

/// One item of an organization.
pub(super) fn find(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
) -> Result<Option<ActionItem>, StorageError> {
    let found: Option<(ActionRow, Option<String>)> = actions::table
        .left_join(action_briefs::table.on(action_briefs::action_id.eq(actions::id)))
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::id.eq(action.as_str()))
        .select((ActionRow::as_select(), action_briefs::status.nullable()))
        .get_result(connection)
        .optional()?;
    found
        .map(|(row, brief)| row.read(brief.as_deref()))
        .transpose()
}

/// Whether the organization has the item.
pub(super) fn is_there(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
) -> Result<bool, StorageError> {
    let found: Option<String> = actions::table
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::id.eq(action.as_str()))
        .select(actions::id)
        .get_result(connection)
        .optional()?;
    Ok(found.is_some())
}

/// Locks an item until the transaction ends. Returns `false` if there is no such item.
pub(super) fn lock(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
) -> Result<bool, StorageError> {
    let query = actions::table
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::id.eq(action.as_str()))
        .select(actions::id);
    let found: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => query.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => {
            query.for_no_key_update().first(postgres).optional()?
        }
    };
    Ok(found.is_some())
}
