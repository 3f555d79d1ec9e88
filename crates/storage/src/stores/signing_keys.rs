//! Keys for signed links.

use chrono::NaiveDateTime;
use data_encoding::HEXLOWER;
use diesel::prelude::*;
use domain::link::SigningKey;
use domain::ports::{SigningKeyStore, StoreError};

use crate::database::Database;
use crate::database::connection::{AnyConnection, keep_others_from_adding};
use crate::database::error::StorageError;
use crate::database::schema::signing_keys;
use crate::database::values::{known, stored_time};

#[derive(Queryable, Selectable)]
#[diesel(table_name = signing_keys)]
struct SigningKeyRow {
    id: String,
    secret: String,
    created_at: NaiveDateTime,
}

impl SigningKeyRow {
    fn read(self) -> Result<SigningKey, StorageError> {
        let secret = HEXLOWER.decode(self.secret.as_bytes());
        let secret = secret.ok().and_then(|bytes| bytes.try_into().ok());
        Ok(SigningKey {
            // The error names the key and does not show the secret.
            secret: known("secret of the signing key", &self.id, secret)?,
            id: self.id,
            created_at: self.created_at.and_utc(),
        })
    }
}

impl SigningKeyStore for Database {
    fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        Ok(self.read(|connection| {
            let rows: Vec<SigningKeyRow> = signing_keys::table
                .order((signing_keys::created_at.desc(), signing_keys::id.desc()))
                .select(SigningKeyRow::as_select())
                .load(connection)?;
            rows.into_iter().map(SigningKeyRow::read).collect()
        })?)
    }

    fn add_first_signing_key(&self, key: &SigningKey) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            keep_others_from_adding(connection, "signing_keys")?;
            if any(connection)? {
                return Ok(false);
            }
            diesel::insert_into(signing_keys::table)
                .values((
                    signing_keys::id.eq(&key.id),
                    signing_keys::secret.eq(HEXLOWER.encode(&key.secret)),
                    signing_keys::created_at.eq(stored_time(key.created_at)),
                ))
                .execute(connection)?;
            Ok(true)
        })?)
    }
}

fn any(connection: &mut AnyConnection) -> Result<bool, StorageError> {
    let first: Option<String> = signing_keys::table
        .select(signing_keys::id)
        .first(connection)
        .optional()?;
    Ok(first.is_some())
}
