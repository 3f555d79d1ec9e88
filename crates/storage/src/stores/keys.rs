//! API keys.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::{KeyId, OrgId};
use domain::key::{ApiKey, KeyHash};
use domain::ports::{AuthenticatedKey, KeyStore, NewKey, StoreError};

use crate::database::Database;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{api_keys, organizations};
use crate::database::values::{known, storable, stored_time};
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;
use crate::stores::rows::OrgRow;

#[derive(Queryable, Selectable)]
#[diesel(table_name = api_keys)]
struct KeyRow {
    id: String,
    org_id: String,
    name: String,
    prefix: String,
    role: String,
    created_at: NaiveDateTime,
    last_used_at: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
    revoked_at: Option<NaiveDateTime>,
}

impl KeyRow {
    fn read(self) -> Result<ApiKey, StorageError> {
        Ok(ApiKey {
            id: known("key", &self.id, KeyId::parse(&self.id))?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            name: self.name,
            prefix: self.prefix,
            role: known("role", &self.role, self.role.parse().ok())?,
            created_at: self.created_at.and_utc(),
            last_used_at: self.last_used_at.map(|time| time.and_utc()),
            expires_at: self.expires_at.map(|time| time.and_utc()),
            revoked_at: self.revoked_at.map(|time| time.and_utc()),
        })
    }
}

impl KeyStore for Database {
    fn create_key(&self, org: &OrgId, key: &NewKey, by: &Actor) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            if !orgs::lock(connection, org)? {
                return Ok(false);
            }
            insert(connection, org, key, by)?;
            Ok(true)
        })?)
    }

    fn key_by_hash(&self, hash: &KeyHash) -> Result<Option<AuthenticatedKey>, StoreError> {
        Ok(self.read(|connection| {
            // Every request runs this query, so it bypasses `AnyConnection`: see `on_either`.
            let found: Option<(KeyRow, String, OrgRow)> = on_either!(connection, inner => api_keys::table
                .inner_join(organizations::table.on(organizations::id.eq(api_keys::org_id)))
                .filter(api_keys::hash.eq(hash.as_str()))
                .select((KeyRow::as_select(), api_keys::hash, OrgRow::as_select()))
                .get_result(inner)
                .optional()?);
            found
                .map(|(key, hash, org)| {
                    Ok(AuthenticatedKey {
                        key: key.read()?,
                        hash: KeyHash::stored(hash),
                        organization: org.read()?,
                    })
                })
                .transpose()
        })?)
    }

    fn keys(&self, org: &OrgId) -> Result<Vec<ApiKey>, StoreError> {
        Ok(self.read(|connection| {
            let rows: Vec<KeyRow> = api_keys::table
                .filter(api_keys::org_id.eq(org.as_str()))
                .order((api_keys::created_at, api_keys::id))
                .select(KeyRow::as_select())
                .load(connection)?;
            rows.into_iter().map(KeyRow::read).collect()
        })?)
    }

    fn revoke_key(
        &self,
        org: &OrgId,
        key: &KeyId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| revoke(connection, org, key, at, by))?)
    }

    fn org_of_key(&self, key: &KeyId) -> Result<Option<OrgId>, StoreError> {
        Ok(self.read(|connection| {
            let org: Option<String> = api_keys::table
                .find(key.as_str())
                .select(api_keys::org_id)
                .get_result(connection)
                .optional()?;
            org.map(|org| known("organization", &org, OrgId::parse(&org)))
                .transpose()
        })?)
    }

    fn touch_key(&self, org: &OrgId, key: &KeyId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let a_minute_before = stored_time(at - TimeDelta::minutes(1));
        let noted = self.write_if_free(|connection| {
            diesel::update(api_keys::table)
                .filter(api_keys::org_id.eq(org.as_str()))
                .filter(api_keys::id.eq(key.as_str()))
                .filter(
                    api_keys::last_used_at
                        .is_null()
                        .or(api_keys::last_used_at.le(a_minute_before)),
                )
                .set(api_keys::last_used_at.eq(stored_time(at)))
                .execute(connection)?;
            Ok(())
        });
        // If another writer is active, the next use records the time.
        Ok(noted.map(|_| ())?)
    }
}

/// Stores a key. The organization must exist.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    org: &OrgId,
    key: &NewKey,
    by: &Actor,
) -> Result<(), StorageError> {
    diesel::insert_into(api_keys::table)
        .values((
            api_keys::id.eq(key.id.as_str()),
            api_keys::org_id.eq(org.as_str()),
            api_keys::name.eq(storable(&key.name)),
            api_keys::prefix.eq(&key.prefix),
            api_keys::hash.eq(key.hash.as_str()),
            api_keys::role.eq(key.role.as_str()),
            api_keys::created_at.eq(stored_time(key.created_at)),
            api_keys::expires_at.eq(key.expires_at.map(stored_time)),
        ))
        .execute(connection)?;
    let line = Line {
        event: "key.created",
        subject: key.id.as_str(),
        detail: format!("{}, {}", key.name, key.role),
    };
    note(connection, org, key.created_at, by, &line)
}

fn revoke(
    connection: &mut AnyConnection,
    org: &OrgId,
    key: &KeyId,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    let wanted = api_keys::table
        .filter(api_keys::org_id.eq(org.as_str()))
        .filter(api_keys::id.eq(key.as_str()));
    let name: Option<String> = wanted
        .select(api_keys::name)
        .get_result(connection)
        .optional()?;
    let Some(name) = name else {
        return Ok(false);
    };
    let revoked = diesel::update(wanted.filter(api_keys::revoked_at.is_null()))
        .set(api_keys::revoked_at.eq(stored_time(at)))
        .execute(connection)?;
    if revoked > 0 {
        let line = Line {
            event: "key.revoked",
            subject: key.as_str(),
            detail: name,
        };
        note(connection, org, at, by, &line)?;
    }
    Ok(true)
}
