//! A person's changes of the own account.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use domain::account::Account;
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId, SessionId};
use domain::ports::EmailInUse;

use super::rows::AccountRow;
use super::{links, sessions};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{accounts, members};
use crate::database::values::{known, storable};
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;

/// An account that nobody else changes until the transaction ends, and the members that it is.
struct Locked {
    account: Account,
    memberships: Vec<(OrgId, MemberId)>,
}

impl Locked {
    /// None where there is no such account.
    ///
    /// Organizations, members and the account are locked in the order in which removing a member locks them.
    fn new(
        connection: &mut AnyConnection,
        account: &AccountId,
    ) -> Result<Option<Self>, StorageError> {
        let memberships = memberships(connection, account)?;
        for (org, _) in &memberships {
            orgs::lock(connection, org)?;
        }
        if let AnyConnection::Postgres(postgres) = connection {
            let _kept: Vec<String> = members::table
                .filter(members::account_id.eq(account.as_str()))
                .order(members::org_id)
                .select(members::id)
                .for_no_key_update()
                .load(postgres)?;
        }
        let of_account = accounts::table.find(account.as_str());
        let row: Option<AccountRow> = match connection {
            AnyConnection::Sqlite(sqlite) => of_account
                .select(AccountRow::as_select())
                .get_result(sqlite)
                .optional()?,
            AnyConnection::Postgres(postgres) => of_account
                .select(AccountRow::as_select())
                .for_update()
                .first(postgres)
                .optional()?,
        };
        let Some(row) = row else {
            return Ok(None);
        };
        if self::memberships(connection, account)? != memberships {
            let message = "a membership of the account began or ended at the same time";
            return Err(StorageError::Conflict(message.to_owned()));
        }
        Ok(Some(Self {
            account: row.read()?,
            memberships,
        }))
    }

    /// Whether another member of one of the organizations, or another account, has an address.
    fn is_in_use(&self, connection: &mut AnyConnection, email: &str) -> Result<bool, StorageError> {
        let account: Option<String> = accounts::table
            .filter(accounts::email.eq(email))
            .select(accounts::id)
            .get_result(connection)
            .optional()?;
        let orgs = self.memberships.iter().map(|(org, _)| org.as_str());
        let member: Option<String> = members::table
            .filter(members::org_id.eq_any(orgs))
            .filter(members::email.eq(email))
            .select(members::id)
            .first(connection)
            .optional()?;
        Ok(account.is_some() || member.is_some())
    }

    /// Writes a line to the audit log of each organization.
    fn note(
        &self,
        connection: &mut AnyConnection,
        event: &'static str,
        (before, after): (&str, &str),
        at: DateTime<Utc>,
    ) -> Result<(), StorageError> {
        for (org, member) in &self.memberships {
            let line = Line {
                event,
                subject: member.as_str(),
                detail: format!("{before} to {after}"),
            };
            note(connection, org, at, &Actor::Member(member.clone()), &line)?;
        }
        Ok(())
    }
}

fn memberships(
    connection: &mut AnyConnection,
    account: &AccountId,
) -> Result<Vec<(OrgId, MemberId)>, StorageError> {
    let rows: Vec<(String, String)> = members::table
        .filter(members::account_id.eq(account.as_str()))
        .order(members::org_id)
        .select((members::org_id, members::id))
        .load(connection)?;
    rows.iter()
        .map(|(org, member)| {
            Ok((
                known("organization", org, OrgId::parse(org))?,
                known("member", member, MemberId::parse(member))?,
            ))
        })
        .collect()
}

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
    let names = (locked.account.name.as_str(), &*name);
    locked.note(connection, "account.name_changed", names, at)
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
    let emails = (locked.account.email.as_str(), email);
    locked.note(connection, "account.email_changed", emails, at)?;
    Ok(Ok(()))
}
