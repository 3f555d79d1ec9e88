//! Sign-ins that wait for a code.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::account::{CodeProof, MAX_PENDING_SIGN_INS, PendingSignIn, SessionLifetime};
use domain::id::{AccountId, OrgId};
use domain::key::KeyHash;
use domain::ports::{NewSession, SignInNotCompleted};

use super::{rows, second_factors, sessions};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::pending_sign_ins;
use crate::database::values::{known, stored_time};

/// The most expired sign-ins that are deleted when a new one is stored.
const EXPIRED_A_SIGN_IN: i64 = 100;

#[derive(Queryable, Selectable)]
#[diesel(table_name = pending_sign_ins)]
struct PendingRow {
    account_id: String,
    org_id: String,
    created_at: NaiveDateTime,
}

impl PendingRow {
    fn read(self) -> Result<PendingSignIn, StorageError> {
        let account = AccountId::parse(&self.account_id);
        Ok(PendingSignIn {
            account_id: known("account", &self.account_id, account)?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            created_at: self.created_at.and_utc(),
        })
    }
}

/// Stores a sign-in that waits for a code, with the token of the session that it may become.
pub(super) fn insert(connection: &mut AnyConnection, new: &NewSession) -> Result<(), StorageError> {
    let session = &new.session;
    let oldest = stored_time(PendingSignIn::expired_before(session.created_at));
    let mut ended: Vec<String> = pending_sign_ins::table
        .filter(pending_sign_ins::created_at.le(oldest))
        .limit(EXPIRED_A_SIGN_IN)
        .select(pending_sign_ins::token_hash)
        .load(connection)?;
    let account = session.account_id.as_str();
    let surplus: Vec<String> = pending_sign_ins::table
        .filter(pending_sign_ins::account_id.eq(account))
        .order((
            pending_sign_ins::created_at.desc(),
            pending_sign_ins::token_hash,
        ))
        .offset(i64::try_from(MAX_PENDING_SIGN_INS - 1).unwrap_or(i64::MAX))
        .limit(i64::try_from(MAX_PENDING_SIGN_INS).unwrap_or(i64::MAX))
        .select(pending_sign_ins::token_hash)
        .load(connection)?;
    ended.extend(surplus);
    diesel::delete(pending_sign_ins::table.filter(pending_sign_ins::token_hash.eq_any(ended)))
        .execute(connection)?;
    diesel::insert_into(pending_sign_ins::table)
        .values((
            pending_sign_ins::token_hash.eq(new.token.as_str()),
            pending_sign_ins::account_id.eq(account),
            pending_sign_ins::org_id.eq(session.org_id.as_str()),
            pending_sign_ins::created_at.eq(stored_time(session.created_at)),
        ))
        .execute(connection)?;
    Ok(())
}

pub(super) fn find(
    connection: &mut AnyConnection,
    token: &KeyHash,
) -> Result<Option<PendingSignIn>, StorageError> {
    let row: Option<PendingRow> = pending_sign_ins::table
        .find(token.as_str())
        .select(PendingRow::as_select())
        .get_result(connection)
        .optional()?;
    row.map(PendingRow::read).transpose()
}

/// Replaces a sign-in that waits for a code by a session.
pub(super) fn complete(
    connection: &mut AnyConnection,
    token: &KeyHash,
    proof: &CodeProof,
    new: &NewSession,
    lifetime: SessionLifetime,
) -> Result<Result<(), SignInNotCompleted>, StorageError> {
    let account = &new.session.account_id;
    // Locked before the other rows, in the same order as in changes of the second factor.
    if rows::keep(connection, account)?.is_none() {
        return Ok(Err(SignInNotCompleted::Gone));
    }
    let oldest = stored_time(PendingSignIn::expired_before(new.session.created_at));
    let waiting = pending_sign_ins::table
        .filter(pending_sign_ins::token_hash.eq(token.as_str()))
        .filter(pending_sign_ins::account_id.eq(account.as_str()))
        .filter(pending_sign_ins::created_at.gt(oldest))
        .select(pending_sign_ins::token_hash);
    let found: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => waiting.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => waiting.for_update().first(postgres).optional()?,
    };
    if found.is_none() {
        return Ok(Err(SignInNotCompleted::Gone));
    }
    if !second_factors::use_up(connection, account, proof)? {
        return Ok(Err(SignInNotCompleted::CodeUsed));
    }
    delete(connection, token)?;
    sessions::add(connection, new, lifetime)?;
    Ok(Ok(()))
}

/// Ends the sign-in with a token.
pub(super) fn delete(connection: &mut AnyConnection, token: &KeyHash) -> Result<(), StorageError> {
    diesel::delete(pending_sign_ins::table.find(token.as_str())).execute(connection)?;
    Ok(())
}

/// Ends all sign-ins of an account that wait for a code.
pub(super) fn end_all(
    connection: &mut AnyConnection,
    account: &AccountId,
) -> Result<(), StorageError> {
    diesel::delete(
        pending_sign_ins::table.filter(pending_sign_ins::account_id.eq(account.as_str())),
    )
    .execute(connection)?;
    Ok(())
}
