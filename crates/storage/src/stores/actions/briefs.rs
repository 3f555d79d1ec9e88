//! Briefs of action items. A brief that is not written yet has a job.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::action::{ActionBrief, BriefRequest, BriefStatus, Instructions};
use domain::audit_log::Actor;
use domain::id::{ActionId, OrgId};
use domain::ports::{JobClaim, JobKind, LeaseStatus};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::action_briefs;
use crate::database::values::{known, number, storable, stored_count, stored_time};
use crate::queue::job::{self, NewJob};
use crate::queue::lease;
use crate::stores::audit_log::{Line, note};

#[derive(Queryable, Selectable)]
#[diesel(table_name = action_briefs)]
struct BriefRow {
    status: String,
    instructions: Option<String>,
    content: Option<String>,
    generated_at: Option<NaiveDateTime>,
    error: Option<String>,
    generation: i64,
}

impl BriefRow {
    fn read(self, action: &ActionId) -> Result<ActionBrief, StorageError> {
        let instructions = self.instructions.map(|text| {
            let read = Instructions::parse(&text).ok().flatten();
            known("instructions", &text, read)
        });
        let status = BriefStatus::named(&self.status);
        Ok(ActionBrief {
            action_id: action.clone(),
            status: known("status of a brief", &self.status, status)?,
            instructions: instructions.transpose()?,
            content: self.content,
            generated_at: self.generated_at.map(|time| time.and_utc()),
            error: self.error,
            generation: number("generation", self.generation)?,
        })
    }
}

/// The brief of an item, if one was requested.
macro_rules! brief_of {
    ($org:expr, $action:expr) => {
        action_briefs::table
            .filter(action_briefs::action_id.eq($action.as_str()))
            .filter(action_briefs::org_id.eq($org.as_str()))
    };
}

pub(super) fn find(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
) -> Result<Option<ActionBrief>, StorageError> {
    let row: Option<BriefRow> = brief_of!(org, action)
        .select(BriefRow::as_select())
        .first(connection)
        .optional()?;
    row.map(|row| row.read(action)).transpose()
}

/// Requests the brief of an item, which the caller must have locked.
pub(super) fn queue(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    request: &BriefRequest,
    by: &Actor,
) -> Result<ActionBrief, StorageError> {
    let before = lock(connection, org, action)?;
    let is_new = before.is_none();
    let before = before.unwrap_or_else(|| ActionBrief::none(action.clone()));
    let mut brief = before.clone();
    let is_queued = brief.ask(request);
    if brief == before {
        return Ok(brief);
    }
    let instructions = brief.instructions.as_ref().map(|text| text.as_str());
    let to_be_written = (
        action_briefs::status.eq(brief.status.as_str()),
        action_briefs::error.eq(brief.error.as_deref()),
        action_briefs::generation.eq(stored_count(brief.generation)),
        action_briefs::queued_at.eq(stored_time(request.at)),
    );
    if is_new {
        diesel::insert_into(action_briefs::table)
            .values((
                action_briefs::action_id.eq(action.as_str()),
                action_briefs::org_id.eq(org.as_str()),
                action_briefs::instructions.eq(instructions),
                to_be_written,
            ))
            .execute(connection)?;
    } else if is_queued {
        diesel::update(brief_of!(org, action))
            .set((action_briefs::instructions.eq(instructions), to_be_written))
            .execute(connection)?;
    } else {
        diesel::update(brief_of!(org, action))
            .set(action_briefs::instructions.eq(instructions))
            .execute(connection)?;
    }
    let line = Line {
        event: "brief.queued",
        subject: action.as_str(),
        detail: format!("generation {}", brief.generation),
    };
    note(connection, org, request.at, by, &line)?;
    if is_queued {
        let job = NewJob::due(JobKind::Brief, org, action.as_str(), request.at);
        job::put(connection, &job)?;
    }
    Ok(brief)
}

/// Reads the brief of an item and locks it until the transaction ends.
fn lock(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
) -> Result<Option<ActionBrief>, StorageError> {
    if let AnyConnection::Postgres(postgres) = connection {
        let query = brief_of!(org, action).select(action_briefs::action_id);
        let _kept: Vec<String> = query.for_update().load(postgres)?;
    }
    find(connection, org, action)
}

/// Marks a brief as being generated, and returns it.
pub(super) fn begin(
    connection: &mut AnyConnection,
    claim: &JobClaim,
) -> Result<Option<ActionBrief>, StorageError> {
    let Some((action, mut brief)) = lock_claimed(connection, claim)? else {
        return Ok(None);
    };
    if !matches!(brief.status, BriefStatus::Queued | BriefStatus::Generating) {
        return Ok(None);
    }
    brief.status = BriefStatus::Generating;
    diesel::update(brief_of!(claim.org_id, action))
        .set(action_briefs::status.eq(brief.status.as_str()))
        .execute(connection)?;
    Ok(Some(brief))
}

/// Stores the result of a claim, either the brief or the reason for its failure, and ends the job.
pub(super) fn finish(
    connection: &mut AnyConnection,
    claim: &JobClaim,
    written: &Result<String, String>,
    now: DateTime<Utc>,
) -> Result<LeaseStatus, StorageError> {
    let Some((action, mut brief)) = lock_claimed(connection, claim)? else {
        return Ok(LeaseStatus::Lost);
    };
    let written = match written {
        Ok(content) => Ok(storable(content)),
        Err(why) => Err(storable(why)),
    };
    if !brief.finish(written, now) || lease::end(connection, claim.into())? == LeaseStatus::Lost {
        return Ok(LeaseStatus::Lost);
    }
    diesel::update(brief_of!(claim.org_id, action))
        .set((
            action_briefs::status.eq(brief.status.as_str()),
            action_briefs::content.eq(brief.content.as_deref()),
            action_briefs::generated_at.eq(brief.generated_at.map(stored_time)),
            action_briefs::error.eq(brief.error.as_deref()),
        ))
        .execute(connection)?;
    Ok(LeaseStatus::Held)
}

/// Reads the brief of a claim that is held, and locks it and its job until the transaction ends. The brief is
/// locked first, in the same order as in a request for a brief.
fn lock_claimed(
    connection: &mut AnyConnection,
    claim: &JobClaim,
) -> Result<Option<(ActionId, ActionBrief)>, StorageError> {
    let action = ActionId::parse(&claim.subject);
    let action = known("action", &claim.subject, action)?;
    let Some(brief) = lock(connection, &claim.org_id, &action)? else {
        return Ok(None);
    };
    Ok(match lease::lock(connection, claim.into())? {
        LeaseStatus::Held => Some((action, brief)),
        LeaseStatus::Lost => None,
    })
}
