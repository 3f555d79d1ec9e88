//! What an account loses with a membership: its sessions in the organization, and with the last one itself.

use diesel::prelude::*;
use domain::id::OrgId;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{accounts, members, pending_sign_ins, sessions};

/// Ends the sessions of an account that work in an organization, and its sign-ins that would work there.
pub(crate) fn end_sessions(
    connection: &mut AnyConnection,
    org: &OrgId,
    account: &str,
) -> Result<(), StorageError> {
    diesel::delete(
        sessions::table
            .filter(sessions::account_id.eq(account))
            .filter(sessions::org_id.eq(org.as_str())),
    )
    .execute(connection)?;
    diesel::delete(
        pending_sign_ins::table
            .filter(pending_sign_ins::account_id.eq(account))
            .filter(pending_sign_ins::org_id.eq(org.as_str())),
    )
    .execute(connection)?;
    Ok(())
}

/// Ends what an account had of an organization that it is no longer a member of. An account without an organization
/// is deleted.
pub(crate) fn leave(
    connection: &mut AnyConnection,
    org: &OrgId,
    account: &str,
) -> Result<(), StorageError> {
    if let AnyConnection::Postgres(postgres) = connection {
        // Two organizations that are left at once see each other's membership otherwise, and nobody deletes the account.
        let _kept: Option<String> = accounts::table
            .find(account)
            .select(accounts::id)
            .for_update()
            .first(postgres)
            .optional()?;
    }
    end_sessions(connection, org, account)?;
    let memberships: i64 = members::table
        .filter(members::account_id.eq(account))
        .count()
        .get_result(connection)?;
    if memberships == 0 {
        diesel::delete(accounts::table.find(account)).execute(connection)?;
    }
    Ok(())
}
