//! The encrypted check value that shows whether a secret key is the one of the database.

use diesel::prelude::*;

use super::connection::AnyConnection;
use super::error::StorageError;
use super::schema::secret_checks;
use super::secret::{SealContext, SecretKey, open_text};

/// The id of the only row.
pub(crate) const ONLY: i64 = 1;

/// Whether the key is the one of the database. Returns `true` if the database has no check value, because
/// nothing contradicts it then.
pub(crate) fn is_ours(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
) -> Result<bool, StorageError> {
    let check = check(connection)?;
    Ok(check.is_none_or(|sealed| opens(key, SealContext::Check, &sealed)))
}

/// Whether the key decrypts a sealed text.
pub(crate) fn opens(key: Option<&SecretKey>, context: SealContext<'_>, sealed: &str) -> bool {
    open_text(key, context, sealed).is_ok()
}

/// The check value, encrypted with the key of the database; `None` if the database has no key yet.
pub(crate) fn check(connection: &mut AnyConnection) -> Result<Option<String>, StorageError> {
    let row = secret_checks::table.find(ONLY);
    let sealed = row.select(secret_checks::sealed).first(connection);
    Ok(sealed.optional()?)
}
