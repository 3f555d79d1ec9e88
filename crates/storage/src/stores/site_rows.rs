//! Existence checks and row locks of sites.

use diesel::prelude::*;
use domain::id::{OrgId, SiteId};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::sites;

/// Whether the organization has the site.
pub(crate) fn is_there(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
) -> Result<bool, StorageError> {
    let found: Option<String> = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq(site.as_str()))
        .select(sites::id)
        .get_result(connection)
        .optional()?;
    Ok(found.is_some())
}

/// Locks a site until the transaction ends, so that it cannot be removed. Returns `false` if the organization has
/// no such site.
pub(crate) fn keep(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
) -> Result<bool, StorageError> {
    let query = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq(site.as_str()))
        .select(sites::id);
    let found: Option<String> = match connection {
        AnyConnection::Sqlite(sqlite) => query.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => query.for_key_share().first(postgres).optional()?,
    };
    Ok(found.is_some())
}

/// Locks the row of a site until the transaction ends. Other transactions can still insert rows that reference
/// it. Locks nothing if there is no such site.
pub(crate) fn lock(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
) -> Result<(), StorageError> {
    let query = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq(site.as_str()))
        .select(sites::id);
    // SQLite has only one writer, so it needs no row lock.
    if let AnyConnection::Postgres(postgres) = connection {
        let _kept: Vec<String> = query.for_no_key_update().load(postgres)?;
    }
    Ok(())
}
