//! Second factors of accounts, and their recovery codes.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::account::{CodeProof, SecondFactor, TimeStep, TotpSecret};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId, SessionId};
use domain::key::KeyHash;
use domain::ports::EnabledFactor;

use super::locked::Locked;
use super::{pending, rows, sessions};
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{members, recovery_codes, second_factors};
use crate::database::secret::{SealContext, SecretKey, open_text, seal_text};
use crate::database::values::{known, number, stored_time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = second_factors)]
struct FactorRow {
    sealed_secret: String,
    last_step: i64,
    created_at: NaiveDateTime,
    enabled_at: Option<NaiveDateTime>,
}

pub(super) fn start(
    connection: &mut AnyConnection,
    account: &AccountId,
    sealed_secret: &str,
    at: DateTime<Utc>,
) -> Result<bool, StorageError> {
    if rows::keep(connection, account)?.is_none() {
        return Ok(false);
    }
    diesel::delete(
        second_factors::table
            .filter(second_factors::account_id.eq(account.as_str()))
            .filter(second_factors::enabled_at.is_null()),
    )
    .execute(connection)?;
    let values = (
        second_factors::account_id.eq(account.as_str()),
        second_factors::sealed_secret.eq(sealed_secret),
        second_factors::last_step.eq(TimeStep::NONE.0),
        second_factors::created_at.eq(stored_time(at)),
    );
    let inserted = on_either!(connection, inner => {
        diesel::insert_into(second_factors::table)
            .values(values)
            .on_conflict(second_factors::account_id)
            .do_nothing()
            .execute(inner)?
    });
    Ok(inserted == 1)
}

/// Encrypts a secret for its row.
pub(super) fn seal(
    key: Option<&SecretKey>,
    account: &AccountId,
    secret: &TotpSecret,
) -> Result<String, StorageError> {
    seal_text(key, SealContext::SecondFactor(account), &secret.expose())
}

pub(super) fn find(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    account: &AccountId,
) -> Result<Option<SecondFactor>, StorageError> {
    let row: Option<FactorRow> = second_factors::table
        .find(account.as_str())
        .select(FactorRow::as_select())
        .get_result(connection)
        .optional()?;
    let Some(row) = row else {
        return Ok(None);
    };
    let left: i64 = recovery_codes::table
        .filter(recovery_codes::account_id.eq(account.as_str()))
        .count()
        .get_result(connection)?;
    let text = open_text(key, SealContext::SecondFactor(account), &row.sealed_secret)?;
    // The text is a secret, so the error does not have it.
    let secret = TotpSecret::parse(&text).ok_or_else(|| {
        StorageError::corrupt("secret of a second factor of the account", account.as_str())
    })?;
    Ok(Some(SecondFactor {
        secret,
        last_step: TimeStep(row.last_step),
        created_at: row.created_at.and_utc(),
        enabled_at: row.enabled_at.map(|at| at.and_utc()),
        recovery_codes: number("number of recovery codes", left)?,
    }))
}

/// Whether sign-ins of an account ask for a code.
pub(super) fn is_enabled(
    connection: &mut AnyConnection,
    account: &AccountId,
) -> Result<bool, StorageError> {
    let enabled: Option<Option<NaiveDateTime>> = second_factors::table
        .find(account.as_str())
        .select(second_factors::enabled_at)
        .get_result(connection)
        .optional()?;
    Ok(enabled.flatten().is_some())
}

/// Marks a code as used, in one statement with the condition that it was not used before. Returns `false` if it was.
pub(super) fn use_up(
    connection: &mut AnyConnection,
    account: &AccountId,
    proof: &CodeProof,
) -> Result<bool, StorageError> {
    let used = match proof {
        CodeProof::Totp { step, newest } => diesel::update(
            second_factors::table
                .filter(second_factors::account_id.eq(account.as_str()))
                .filter(second_factors::enabled_at.is_not_null())
                .filter(
                    second_factors::last_step
                        .lt(step.0)
                        .or(second_factors::last_step.gt(newest.0)),
                ),
        )
        .set(second_factors::last_step.eq(step.0))
        .execute(connection)?,
        CodeProof::Recovery(hash) => diesel::delete(
            recovery_codes::table
                .filter(recovery_codes::account_id.eq(account.as_str()))
                .filter(recovery_codes::code_hash.eq(hash.as_str())),
        )
        .execute(connection)?,
    };
    Ok(used == 1)
}

pub(super) fn enable(
    connection: &mut AnyConnection,
    account: &AccountId,
    factor: &EnabledFactor<'_>,
    kept: &SessionId,
    at: DateTime<Utc>,
) -> Result<bool, StorageError> {
    // A sign-in at the same time waits for the lock on the account, and then asks for a code.
    let Some(locked) = Locked::new(connection, account)? else {
        return Ok(false);
    };
    let enabled = diesel::update(
        second_factors::table
            .filter(second_factors::account_id.eq(account.as_str()))
            .filter(second_factors::enabled_at.is_null())
            .filter(second_factors::created_at.eq(stored_time(factor.created_at))),
    )
    .set((
        second_factors::enabled_at.eq(stored_time(at)),
        second_factors::last_step.eq(factor.step.0),
    ))
    .execute(connection)?;
    if enabled == 0 {
        return Ok(false);
    }
    insert_codes(connection, account, factor.recovery_codes)?;
    sessions::end_all(connection, account, Some(kept))?;
    locked.note(connection, "second_factor.enabled", None, at)?;
    Ok(true)
}

fn insert_codes(
    connection: &mut AnyConnection,
    account: &AccountId,
    codes: &[KeyHash],
) -> Result<(), StorageError> {
    for code in codes {
        diesel::insert_into(recovery_codes::table)
            .values((
                recovery_codes::account_id.eq(account.as_str()),
                recovery_codes::code_hash.eq(code.as_str()),
            ))
            .execute(connection)?;
    }
    Ok(())
}

pub(super) fn disable(
    connection: &mut AnyConnection,
    account: &AccountId,
    proof: &CodeProof,
    at: DateTime<Utc>,
) -> Result<bool, StorageError> {
    let Some(locked) = Locked::new(connection, account)? else {
        return Ok(false);
    };
    if !use_up(connection, account, proof)? {
        return Ok(false);
    }
    remove(connection, account)?;
    pending::end_all(connection, account)?;
    locked.note(connection, "second_factor.disabled", None, at)?;
    Ok(true)
}

pub(super) fn renew_codes(
    connection: &mut AnyConnection,
    account: &AccountId,
    proof: &CodeProof,
    codes: &[KeyHash],
    at: DateTime<Utc>,
) -> Result<bool, StorageError> {
    let Some(locked) = Locked::new(connection, account)? else {
        return Ok(false);
    };
    if !use_up(connection, account, proof)? {
        return Ok(false);
    }
    diesel::delete(recovery_codes::table.filter(recovery_codes::account_id.eq(account.as_str())))
        .execute(connection)?;
    insert_codes(connection, account, codes)?;
    locked.note(connection, "recovery_codes.renewed", None, at)?;
    Ok(true)
}

pub(super) fn reset(
    connection: &mut AnyConnection,
    account: &AccountId,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    let Some(locked) = Locked::new(connection, account)? else {
        return Ok(false);
    };
    if !is_enabled(connection, account)? {
        return Ok(false);
    }
    remove(connection, account)?;
    sessions::end_all(connection, account, None)?;
    locked.note(connection, "second_factor.reset", Some(by), at)?;
    Ok(true)
}

/// Removes a second factor; its recovery codes go with it.
fn remove(connection: &mut AnyConnection, account: &AccountId) -> Result<(), StorageError> {
    diesel::delete(second_factors::table.find(account.as_str())).execute(connection)?;
    Ok(())
}

pub(super) fn members_with(
    connection: &mut AnyConnection,
    org: &OrgId,
) -> Result<Vec<MemberId>, StorageError> {
    let ids: Vec<String> = members::table
        .inner_join(
            second_factors::table.on(members::account_id.eq(second_factors::account_id.nullable())),
        )
        .filter(members::org_id.eq(org.as_str()))
        .filter(second_factors::enabled_at.is_not_null())
        .order((members::created_at, members::id))
        .select(members::id)
        .load(connection)?;
    ids.iter()
        .map(|id| known("member", id, MemberId::parse(id)))
        .collect()
}
