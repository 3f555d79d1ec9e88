//! Sessions.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::account::{MAX_SESSIONS, Session, SessionLifetime, SignInStage};
use domain::id::{AccountId, SessionId};
use domain::key::KeyHash;
use domain::ports::{NewSession, SignedIn};

use super::rows::{self, AccountRow, SessionRow};
use super::{pending, second_factors as factors};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{accounts, members, organizations, second_factors, sessions};
use crate::database::values::{storable, stored_time};
use crate::stores::members::MemberRow;
use crate::stores::rows::OrgRow;

/// Expired sessions that one sign-in deletes at most.
const EXPIRED_A_SIGN_IN: i64 = 100;

pub(super) fn sign_in(
    connection: &mut AnyConnection,
    new: &NewSession,
    replaced: Option<&KeyHash>,
    lifetime: SessionLifetime,
) -> Result<SignInStage, StorageError> {
    if let Some(replaced) = replaced {
        diesel::delete(sessions::table.find(replaced.as_str())).execute(connection)?;
        pending::delete(connection, replaced)?;
    }
    if asks_for_code(connection, new)? {
        pending::insert(connection, new)?;
        return Ok(SignInStage::CodeNeeded);
    }
    add(connection, new, lifetime)?;
    Ok(SignInStage::SignedIn)
}

/// Stores the session of a one-time link, or the sign-in that waits for a code.
pub(super) fn open(
    connection: &mut AnyConnection,
    new: &NewSession,
) -> Result<SignInStage, StorageError> {
    if asks_for_code(connection, new)? {
        pending::insert(connection, new)?;
        return Ok(SignInStage::CodeNeeded);
    }
    insert(connection, new)?;
    Ok(SignInStage::SignedIn)
}

/// Whether the account of a session has a second factor. The account is locked: the answer holds until the transaction
/// ends.
fn asks_for_code(connection: &mut AnyConnection, new: &NewSession) -> Result<bool, StorageError> {
    let account = &new.session.account_id;
    rows::keep(connection, account)?;
    factors::is_enabled(connection, account)
}

/// Stores a session, and deletes those of the account that are too many, and some that expired.
pub(super) fn add(
    connection: &mut AnyConnection,
    new: &NewSession,
    lifetime: SessionLifetime,
) -> Result<(), StorageError> {
    delete_expired(connection, new.session.created_at, lifetime)?;
    let account = new.session.account_id.as_str();
    let surplus: Vec<String> = sessions::table
        .filter(sessions::account_id.eq(account))
        .order((sessions::last_seen_at.desc(), sessions::token_hash))
        .offset(i64::try_from(MAX_SESSIONS - 1).unwrap_or(i64::MAX))
        .limit(i64::try_from(MAX_SESSIONS).unwrap_or(i64::MAX))
        .select(sessions::token_hash)
        .load(connection)?;
    diesel::delete(sessions::table.filter(sessions::token_hash.eq_any(surplus)))
        .execute(connection)?;
    insert(connection, new)
}

/// Deletes some of the sessions that expired, whosever they are.
fn delete_expired(
    connection: &mut AnyConnection,
    now: DateTime<Utc>,
    lifetime: SessionLifetime,
) -> Result<(), StorageError> {
    let (created, seen) = lifetime.expired_before(now);
    let expired: Vec<String> = sessions::table
        .filter(
            sessions::created_at
                .lt(stored_time(created))
                .or(sessions::last_seen_at.lt(stored_time(seen))),
        )
        .limit(EXPIRED_A_SIGN_IN)
        .select(sessions::token_hash)
        .load(connection)?;
    diesel::delete(sessions::table.filter(sessions::token_hash.eq_any(expired)))
        .execute(connection)?;
    Ok(())
}

fn insert(connection: &mut AnyConnection, new: &NewSession) -> Result<(), StorageError> {
    let session = &new.session;
    diesel::insert_into(sessions::table)
        .values((
            sessions::token_hash.eq(new.token.as_str()),
            sessions::id.eq(session.id.as_str()),
            sessions::account_id.eq(session.account_id.as_str()),
            sessions::org_id.eq(session.org_id.as_str()),
            sessions::created_at.eq(stored_time(session.created_at)),
            sessions::password_entered_at.eq(stored_time(session.password_entered_at)),
            sessions::last_seen_at.eq(stored_time(session.last_seen_at)),
            sessions::user_agent.eq(storable(&session.user_agent)),
            sessions::address.eq(storable(&session.address)),
        ))
        .execute(connection)?;
    Ok(())
}

pub(super) fn rotate(
    connection: &mut AnyConnection,
    old: &KeyHash,
    new: &NewSession,
) -> Result<bool, StorageError> {
    let session = &new.session;
    let changed = diesel::update(sessions::table.find(old.as_str()))
        .set((
            sessions::token_hash.eq(new.token.as_str()),
            sessions::org_id.eq(session.org_id.as_str()),
            sessions::password_entered_at.eq(stored_time(session.password_entered_at)),
        ))
        .execute(connection)?;
    Ok(changed == 1)
}

pub(super) fn by_hash(
    connection: &mut AnyConnection,
    token: &KeyHash,
) -> Result<Option<SignedIn>, StorageError> {
    type Found = (
        SessionRow,
        AccountRow,
        MemberRow,
        OrgRow,
        Option<NaiveDateTime>,
    );
    let found: Option<Found> = sessions::table
        .inner_join(accounts::table.on(accounts::id.eq(sessions::account_id)))
        .inner_join(
            members::table.on(members::account_id
                .eq(sessions::account_id.nullable())
                .and(members::org_id.eq(sessions::org_id))),
        )
        .inner_join(organizations::table.on(organizations::id.eq(sessions::org_id)))
        .left_join(second_factors::table.on(second_factors::account_id.eq(sessions::account_id)))
        .filter(sessions::token_hash.eq(token.as_str()))
        .select((
            SessionRow::as_select(),
            AccountRow::as_select(),
            MemberRow::as_select(),
            OrgRow::as_select(),
            second_factors::enabled_at.nullable(),
        ))
        .get_result(connection)
        .optional()?;
    found
        .map(|(session, account, member, org, factor_since)| {
            Ok(SignedIn {
                session: session.read()?,
                account: account.read()?,
                membership: rows::membership((member, org))?,
                has_second_factor: factor_since.is_some(),
            })
        })
        .transpose()
}

pub(super) fn touch(
    connection: &mut AnyConnection,
    token: &KeyHash,
    at: DateTime<Utc>,
) -> Result<(), StorageError> {
    let at = stored_time(at);
    diesel::update(sessions::table.find(token.as_str()))
        .filter(sessions::last_seen_at.lt(at))
        .set(sessions::last_seen_at.eq(at))
        .execute(connection)?;
    Ok(())
}

pub(super) fn all(
    connection: &mut AnyConnection,
    account: &AccountId,
) -> Result<Vec<Session>, StorageError> {
    let rows: Vec<SessionRow> = sessions::table
        .filter(sessions::account_id.eq(account.as_str()))
        .order((sessions::last_seen_at.desc(), sessions::token_hash))
        .select(SessionRow::as_select())
        .load(connection)?;
    rows.into_iter().map(SessionRow::read).collect()
}

pub(super) fn end(
    connection: &mut AnyConnection,
    account: &AccountId,
    session: &SessionId,
) -> Result<bool, StorageError> {
    let ended = diesel::delete(
        sessions::table
            .filter(sessions::account_id.eq(account.as_str()))
            .filter(sessions::id.eq(session.as_str())),
    )
    .execute(connection)?;
    Ok(ended == 1)
}

/// Ends all sessions of an account but one, and its sign-ins that wait for a code.
pub(super) fn end_all(
    connection: &mut AnyConnection,
    account: &AccountId,
    kept: Option<&SessionId>,
) -> Result<(), StorageError> {
    diesel::delete(
        sessions::table
            .filter(sessions::account_id.eq(account.as_str()))
            .filter(sessions::id.ne(kept.map_or("", SessionId::as_str))),
    )
    .execute(connection)?;
    pending::end_all(connection, account)
}
