//! Rows of accounts and sessions, and what they mean.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::account::{Account, Session};
use domain::id::{AccountId, OrgId, SessionId};
use domain::ports::{Credentials, Membership, NewAccount};

use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{accounts, sessions};
use crate::database::values::{known, storable, stored_time};
use crate::stores::members::MemberRow;
use crate::stores::rows::OrgRow;

#[derive(Queryable, Selectable)]
#[diesel(table_name = accounts)]
pub(super) struct AccountRow {
    id: String,
    email: String,
    name: String,
    password_hash: String,
    created_at: NaiveDateTime,
    password_changed_at: NaiveDateTime,
}

impl AccountRow {
    pub(super) fn read(self) -> Result<Account, StorageError> {
        Ok(self.with_password()?.account)
    }

    pub(super) fn with_password(self) -> Result<Credentials, StorageError> {
        Ok(Credentials {
            account: Account {
                id: known("account", &self.id, AccountId::parse(&self.id))?,
                email: self.email,
                name: self.name,
                created_at: self.created_at.and_utc(),
                password_changed_at: self.password_changed_at.and_utc(),
            },
            password_hash: self.password_hash,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions)]
pub(super) struct SessionRow {
    id: String,
    account_id: String,
    org_id: String,
    created_at: NaiveDateTime,
    password_entered_at: NaiveDateTime,
    last_seen_at: NaiveDateTime,
    user_agent: String,
    address: String,
}

impl SessionRow {
    pub(super) fn read(self) -> Result<Session, StorageError> {
        Ok(Session {
            id: known("session", &self.id, SessionId::parse(&self.id))?,
            account_id: known(
                "account",
                &self.account_id,
                AccountId::parse(&self.account_id),
            )?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            created_at: self.created_at.and_utc(),
            password_entered_at: self.password_entered_at.and_utc(),
            last_seen_at: self.last_seen_at.and_utc(),
            user_agent: self.user_agent,
            address: self.address,
        })
    }
}

pub(super) fn membership((member, org): (MemberRow, OrgRow)) -> Result<Membership, StorageError> {
    Ok(Membership {
        organization: org.read()?,
        member: member.read()?,
    })
}

/// Stores an account. False where there is one with the address.
pub(super) fn insert(
    connection: &mut AnyConnection,
    account: &NewAccount,
) -> Result<bool, StorageError> {
    let values = (
        accounts::id.eq(account.id.as_str()),
        accounts::email.eq(&account.email),
        accounts::name.eq(storable(&account.name)),
        accounts::password_hash.eq(&account.password_hash),
        accounts::created_at.eq(stored_time(account.created_at)),
        accounts::password_changed_at.eq(stored_time(account.created_at)),
    );
    let inserted = on_either!(connection, inner => {
        diesel::insert_into(accounts::table)
            .values(values)
            .on_conflict(accounts::email)
            .do_nothing()
            .execute(inner)?
    });
    Ok(inserted == 1)
}

/// Keeps an account from being deleted and from getting another address until the transaction ends. The address; none
/// where there is no such account.
pub(super) fn keep(
    connection: &mut AnyConnection,
    account: &AccountId,
) -> Result<Option<String>, StorageError> {
    let query = accounts::table
        .find(account.as_str())
        .select(accounts::email);
    Ok(match connection {
        AnyConnection::Sqlite(sqlite) => query.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => query.for_key_share().first(postgres).optional()?,
    })
}

pub(super) fn set_password(
    connection: &mut AnyConnection,
    account: &AccountId,
    password_hash: &str,
    at: DateTime<Utc>,
) -> Result<(), StorageError> {
    diesel::update(accounts::table.find(account.as_str()))
        .set((
            accounts::password_hash.eq(password_hash),
            accounts::password_changed_at.eq(stored_time(at)),
        ))
        .execute(connection)?;
    Ok(())
}
