//! Whether there is a site, and the lock on its row.

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

/// Keeps others from removing a site until the transaction ends. False where the organization has no
/// such site.
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

/// Keeps the row of a site to this transaction. Rows that point at it can still be added by others.
/// Where there is no such site, nothing is kept.
pub(crate) fn lock(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
) -> Result<(), StorageError> {
    let query = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq(site.as_str()))
        .select(sites::id);
    // The one writer of SQLite is alone as it is.
    if let AnyConnection::Postgres(postgres) = connection {
        let _kept: Vec<String> = query.for_no_key_update().load(postgres)?;
    }
    Ok(())
}
