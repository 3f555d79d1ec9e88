//! A person's changes of the own account.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use domain::id::{AccountId, SessionId};
use domain::ports::EmailInUse;

use super::locked::Locked;
use super::{links, sessions};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{accounts, members};
use crate::database::values::storable;

/// Another account got the address after it was looked up. The whole transaction is tried again and sees it then.
fn again_if_taken(error: DieselError) -> StorageError {
    match &error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, found) => {
            StorageError::Conflict(found.message().to_owned())
        }
        _ => error.into(),
    }
}

pub(super) fn set_name(
    connection: &mut AnyConnection,
    account: &AccountId,
    name: &str,
    at: DateTime<Utc>,
) -> Result<(), StorageError> {
    let name = storable(name);
    let Some(locked) = Locked::new(connection, account)? else {
        return Ok(());
    };
    if locked.account.name == name {
        return Ok(());
    }
    diesel::update(accounts::table.find(account.as_str()))
        .set(accounts::name.eq(&name))
        .execute(connection)?;
    diesel::update(members::table.filter(members::account_id.eq(account.as_str())))
        .set(members::name.eq(&name))
        .execute(connection)?;
    let detail = format!("{} to {name}", locked.account.name);
    locked.note_detail(connection, "account.name_changed", &detail, at)
}

pub(super) fn set_email(
    connection: &mut AnyConnection,
    account: &AccountId,
    email: &str,
    kept: &SessionId,
    at: DateTime<Utc>,
) -> Result<Result<(), EmailInUse>, StorageError> {
    let Some(locked) = Locked::new(connection, account)? else {
        return Ok(Ok(()));
    };
    if locked.account.email == email {
        return Ok(Ok(()));
    }
    if locked.is_in_use(connection, email)? {
        return Ok(Err(EmailInUse));
    }
    diesel::update(accounts::table.find(account.as_str()))
        .set(accounts::email.eq(email))
        .execute(connection)
        .map_err(again_if_taken)?;
    diesel::update(members::table.filter(members::account_id.eq(account.as_str())))
        .set(members::email.eq(email))
        .execute(connection)?;
    links::delete_resets(connection, account)?;
    sessions::end_all(connection, account, Some(kept))?;
    let detail = format!("{} to {email}", locked.account.email);
    locked.note_detail(connection, "account.email_changed", &detail, at)?;
    Ok(Ok(()))
}
