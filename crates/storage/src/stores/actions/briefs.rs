//! Briefs of action items, and the queue of those to be written.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::action::{
    ActionBrief, BRIEF_GIVEN_UP, BriefRequest, BriefStatus, Instructions, MAX_BRIEF_ATTEMPTS,
};
use domain::audit_log::Actor;
use domain::id::{ActionId, OrgId};
use domain::ports::{BriefClaim, Held, WorkerId};

use crate::database::connection::AnyConnection;
use crate::database::error::Fault;
use crate::database::schema::action_briefs;
use crate::database::values::{known, number, storable, stored_count, stored_time};
use crate::database::wake;
use crate::stores::audit_log::{Line, note};

/// Briefs that one claim gives up at most.
const GIVEN_UP_AT_MOST: usize = 100;

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
    fn read(self, action: &ActionId) -> Result<ActionBrief, Fault> {
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

/// The brief of an item, where somebody asked for one.
macro_rules! brief_of {
    ($org:expr, $action:expr) => {
        action_briefs::table
            .filter(action_briefs::action_id.eq($action.as_str()))
            .filter(action_briefs::org_id.eq($org.as_str()))
    };
}

/// Briefs that may be claimed: nobody writes them.
macro_rules! claimable {
    ($now:expr) => {{
        let to_be_written = [
            BriefStatus::Queued.as_str(),
            BriefStatus::Generating.as_str(),
        ];
        action_briefs::table
            .filter(action_briefs::status.eq_any(to_be_written))
            .filter(
                action_briefs::lease_expires_at
                    .is_null()
                    .or(action_briefs::lease_expires_at.le(stored_time($now))),
            )
    }};
}

pub(super) fn find(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
) -> Result<Option<ActionBrief>, Fault> {
    let row: Option<BriefRow> = brief_of!(org, action)
        .select(BriefRow::as_select())
        .first(connection)
        .optional()?;
    row.map(|row| row.read(action)).transpose()
}

/// Asks for the brief of an item, which has to be locked.
pub(super) fn queue(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    request: &BriefRequest,
    by: &Actor,
) -> Result<ActionBrief, Fault> {
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
        action_briefs::attempts.eq(0),
        action_briefs::lease_owner.eq(None::<String>),
        action_briefs::lease_expires_at.eq(None::<NaiveDateTime>),
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
    wake::call(connection)?;
    Ok(brief)
}

/// The brief of an item, kept to this transaction.
fn lock(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
) -> Result<Option<ActionBrief>, Fault> {
    if let AnyConnection::Postgres(postgres) = connection {
        let query = brief_of!(org, action).select(action_briefs::action_id);
        let _kept: Vec<String> = query.for_update().load(postgres)?;
    }
    find(connection, org, action)
}

/// Whether there is anything to claim.
pub(super) fn is_any(connection: &mut AnyConnection, now: DateTime<Utc>) -> Result<bool, Fault> {
    Ok(diesel::select(exists(claimable!(now))).get_result(connection)?)
}

/// Claims the brief that has waited longest.
pub(super) fn claim(
    connection: &mut AnyConnection,
    worker: &WorkerId,
    lease: TimeDelta,
    now: DateTime<Utc>,
) -> Result<Option<BriefClaim>, Fault> {
    for _ in 0..GIVEN_UP_AT_MOST {
        let Some((action, org, generation, attempts)) = lock_oldest(connection, now)? else {
            return Ok(None);
        };
        if attempts >= i64::from(MAX_BRIEF_ATTEMPTS) {
            give_up(connection, &action)?;
            continue;
        }
        diesel::update(action_briefs::table.find(&action))
            .set((
                action_briefs::status.eq(BriefStatus::Generating.as_str()),
                action_briefs::attempts.eq(attempts + 1),
                action_briefs::lease_owner.eq(&worker.0),
                action_briefs::lease_expires_at.eq(stored_time(now + lease)),
            ))
            .execute(connection)?;
        return Ok(Some(BriefClaim {
            org_id: known("organization", &org, OrgId::parse(&org))?,
            action_id: known("action", &action, ActionId::parse(&action))?,
            generation: number("generation", generation)?,
            worker: worker.clone(),
        }));
    }
    Ok(None)
}

/// Ends a brief whose writers all died over it.
fn give_up(connection: &mut AnyConnection, action: &str) -> Result<(), Fault> {
    tracing::error!(
        action.id = action,
        "a brief is given up after its last attempt"
    );
    diesel::update(action_briefs::table.find(action))
        .set((
            action_briefs::status.eq(BriefStatus::Failed.as_str()),
            action_briefs::error.eq(BRIEF_GIVEN_UP),
            action_briefs::lease_owner.eq(None::<String>),
            action_briefs::lease_expires_at.eq(None::<NaiveDateTime>),
        ))
        .execute(connection)?;
    Ok(())
}

/// Item, organization, generation and attempts of the brief that has waited longest, kept to this transaction.
/// On PostgreSQL those that others are just claiming are passed over.
fn lock_oldest(
    connection: &mut AnyConnection,
    now: DateTime<Utc>,
) -> Result<Option<(String, String, i64, i64)>, Fault> {
    let oldest = claimable!(now)
        .order((action_briefs::queued_at, action_briefs::action_id))
        .limit(1)
        .select((
            action_briefs::action_id,
            action_briefs::org_id,
            action_briefs::generation,
            action_briefs::attempts,
        ));
    Ok(match connection {
        AnyConnection::Sqlite(sqlite) => oldest.first(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => oldest
            .for_update()
            .skip_locked()
            .first(postgres)
            .optional()?,
    })
}

/// Keeps what was written under a claim, or why nothing was.
pub(super) fn finish(
    connection: &mut AnyConnection,
    claim: &BriefClaim,
    written: &Result<String, String>,
    now: DateTime<Utc>,
) -> Result<Held, Fault> {
    let (org, action) = (&claim.org_id, &claim.action_id);
    let Some(mut brief) = lock(connection, org, action)? else {
        return Ok(Held::Lost);
    };
    let written = match written {
        Ok(content) => Ok(storable(content)),
        Err(why) => Err(storable(why)),
    };
    if !brief.finish(claim.generation, written, now) {
        return Ok(Held::Lost);
    }
    let its_own = brief_of!(org, action).filter(action_briefs::lease_owner.eq(&claim.worker.0));
    let finished = diesel::update(its_own)
        .set((
            action_briefs::status.eq(brief.status.as_str()),
            action_briefs::content.eq(brief.content.as_deref()),
            action_briefs::generated_at.eq(brief.generated_at.map(stored_time)),
            action_briefs::error.eq(brief.error.as_deref()),
            action_briefs::lease_owner.eq(None::<String>),
            action_briefs::lease_expires_at.eq(None::<NaiveDateTime>),
        ))
        .execute(connection)?;
    Ok(match finished {
        0 => Held::Lost,
        _ => Held::Yes,
    })
}
