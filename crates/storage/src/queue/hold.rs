//! What a worker does under its claim. Every write matches run and epoch, and that the claim was not
//! given back; so it changes nothing once the claim is lost.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::ports::{Claim, HandBack, Held};

use crate::database::connection::AnyConnection;
use crate::database::error::Fault;
use crate::database::schema::jobs;
use crate::database::values::stored_time;
use crate::database::wake;
use crate::stores::runs::job::RUN;

/// The job of a claim that is held.
macro_rules! held {
    ($claim:expr) => {
        jobs::table
            .filter(jobs::kind.eq(RUN))
            .filter(jobs::subject_id.eq($claim.run_id.as_str()))
            .filter(jobs::org_id.eq($claim.org_id.as_str()))
            .filter(jobs::epoch.eq(i64::from($claim.epoch)))
            .filter(jobs::lease_owner.is_not_null())
    };
}

const fn held_where(changed: usize) -> Held {
    if changed == 0 { Held::Lost } else { Held::Yes }
}

pub(super) fn renew(
    connection: &mut AnyConnection,
    claim: &Claim,
    until: DateTime<Utc>,
) -> Result<Held, Fault> {
    let renewed = diesel::update(held!(claim))
        .set(jobs::lease_expires_at.eq(stored_time(until)))
        .execute(connection)?;
    Ok(held_where(renewed))
}

/// Whether the claim is held, without a lock.
pub(super) fn look(connection: &mut AnyConnection, claim: &Claim) -> Result<Held, Fault> {
    let found: Option<String> = held!(claim)
        .select(jobs::id)
        .get_result(connection)
        .optional()?;
    Ok(held_where(found.iter().count()))
}

/// Keeps others from claiming or ending the run until the transaction ends.
pub(super) fn lock(connection: &mut AnyConnection, claim: &Claim) -> Result<Held, Fault> {
    let query = held!(claim).select(jobs::id);
    let found: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => query.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => query.for_update().first(postgres).optional()?,
    };
    Ok(held_where(found.iter().count()))
}

/// Removes the job: whoever does so ends the run, in the same transaction.
pub(super) fn end(connection: &mut AnyConnection, claim: &Claim) -> Result<Held, Fault> {
    let removed = diesel::delete(held!(claim)).execute(connection)?;
    Ok(held_where(removed))
}

/// What is added to a job that is given back.
struct Added {
    attempts: i64,
    crashes: i64,
    interruptions: i64,
}

impl Added {
    const fn for_reason(why: HandBack) -> Self {
        let (attempts, crashes, interruptions) = match why {
            HandBack::Stopped => (0, 0, 0),
            HandBack::Fault => (1, 0, 0),
            HandBack::Crashed => (0, 1, 0),
            HandBack::Suspected => (0, 0, 1),
        };
        Self {
            attempts,
            crashes,
            interruptions,
        }
    }
}

/// Gives the run back.
pub(super) fn hand_back(
    connection: &mut AnyConnection,
    claim: &Claim,
    why: HandBack,
    now: DateTime<Utc>,
) -> Result<Held, Fault> {
    let added = Added::for_reason(why);
    let given_back = diesel::update(held!(claim))
        .set((
            jobs::attempts.eq(jobs::attempts + added.attempts),
            jobs::crashes.eq(jobs::crashes + added.crashes),
            jobs::interruptions.eq(jobs::interruptions + added.interruptions),
            jobs::suspect.eq(claim.alone || why == HandBack::Suspected),
            jobs::available_at.eq(stored_time(now)),
            jobs::lease_owner.eq(None::<String>),
            jobs::lease_process.eq(None::<String>),
            jobs::lease_expires_at.eq(None::<NaiveDateTime>),
            jobs::deadline_at.eq(None::<NaiveDateTime>),
        ))
        .execute(connection)?;
    wake::call(connection)?;
    Ok(held_where(given_back))
}

/// Gives all runs back as suspects.
pub(super) fn release_all(
    connection: &mut AnyConnection,
    now: DateTime<Utc>,
) -> Result<u64, Fault> {
    let released = diesel::update(jobs::table)
        .filter(jobs::kind.eq(RUN))
        .filter(jobs::lease_owner.is_not_null())
        .set((
            jobs::suspect.eq(true),
            jobs::interruptions.eq(jobs::interruptions + 1),
            jobs::available_at.eq(stored_time(now)),
            jobs::lease_owner.eq(None::<String>),
            jobs::lease_process.eq(None::<String>),
            jobs::lease_expires_at.eq(None::<NaiveDateTime>),
            jobs::deadline_at.eq(None::<NaiveDateTime>),
        ))
        .execute(connection)?;
    Ok(u64::try_from(released).unwrap_or(u64::MAX))
}
