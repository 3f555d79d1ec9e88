//! An account that is locked for a change, with its organizations.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::account::Account;
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId};

use super::rows::AccountRow;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{accounts, members};
use crate::database::values::known;
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;

/// An account that is locked until the transaction ends, with its members.
pub(super) struct Locked {
    pub(super) account: Account,
    memberships: Vec<(OrgId, MemberId)>,
}

impl Locked {
    /// Locks an account; `None` if there is no such account.
    ///
    /// Organizations, members and the account are locked in the order in which removing a member locks them.
    pub(super) fn new(
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

    /// Whether another member of one of the organizations, or another account, has the address.
    pub(super) fn is_in_use(
        &self,
        connection: &mut AnyConnection,
        email: &str,
    ) -> Result<bool, StorageError> {
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

    /// Writes a line about the account to the audit log of each organization. The person did it, unless `by` says who.
    pub(super) fn note(
        &self,
        connection: &mut AnyConnection,
        event: &'static str,
        by: Option<&Actor>,
        at: DateTime<Utc>,
    ) -> Result<(), StorageError> {
        self.write(connection, event, &self.account.email, by, at)
    }

    /// Writes a line with this detail, about a change that the person made.
    pub(super) fn note_detail(
        &self,
        connection: &mut AnyConnection,
        event: &'static str,
        detail: &str,
        at: DateTime<Utc>,
    ) -> Result<(), StorageError> {
        self.write(connection, event, detail, None, at)
    }

    fn write(
        &self,
        connection: &mut AnyConnection,
        event: &'static str,
        detail: &str,
        by: Option<&Actor>,
        at: DateTime<Utc>,
    ) -> Result<(), StorageError> {
        for (org, member) in &self.memberships {
            let person = Actor::Member(member.clone());
            let line = Line {
                event,
                subject: member.as_str(),
                detail: detail.to_owned(),
            };
            note(connection, org, at, by.unwrap_or(&person), &line)?;
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
