//! The text by which a secret key is known to be the database's.

use diesel::prelude::*;

use super::connection::AnyConnection;
use super::error::StorageError;
use super::schema::secret_checks;
use super::secret::{Place, SecretKey, open_text};

/// The id of the one row.
pub(crate) const ONLY: i64 = 1;

/// Whether a key is that of the database, as far as that can be told: without a check nothing says
/// that it is not.
pub(crate) fn is_ours(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
) -> Result<bool, StorageError> {
    let check = check(connection)?;
    Ok(check.is_none_or(|sealed| opens(key, Place::Check, &sealed)))
}

/// Whether a key opens what is encrypted.
pub(crate) fn opens(key: Option<&SecretKey>, place: Place<'_>, sealed: &str) -> bool {
    open_text(key, place, sealed).is_ok()
}

/// What is encrypted with the key of the database; none where it has no key yet.
pub(crate) fn check(connection: &mut AnyConnection) -> Result<Option<String>, StorageError> {
    let row = secret_checks::table.find(ONLY);
    let sealed = row.select(secret_checks::sealed).first(connection);
    Ok(sealed.optional()?)
}
