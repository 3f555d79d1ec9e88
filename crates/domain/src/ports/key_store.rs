//! Where keys are kept.

use chrono::{DateTime, Utc};

use super::StoreError;
use crate::audit_log::Actor;
use crate::id::{KeyId, OrgId};
use crate::key::{ApiKey, KeyHash, Role};
use crate::org::Organization;

/// A key to be stored. The secret itself is never handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// Its id.
    pub id: KeyId,
    /// What it is for, in words.
    pub name: String,
    /// What callers are shown of the secret.
    pub prefix: String,
    /// The hash of the secret.
    pub hash: KeyHash,
    /// What it allows.
    pub role: Role,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it stops working.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A key with the organization it belongs to, found by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthenticatedKey {
    /// The key; it may be expired or revoked.
    pub key: ApiKey,
    /// The hash as it is stored.
    pub hash: KeyHash,
    /// Whose key it is.
    pub organization: Organization,
}

/// Where keys are kept.
pub trait KeyStore: Send + Sync {
    /// Stores a key, and a line in the audit log. False where the organization does not exist.
    ///
    /// # Errors
    /// When the database fails.
    fn create_key(&self, org: &OrgId, key: &NewKey, by: &Actor) -> Result<bool, StoreError>;

    /// The key with that hash, whatever its state. The one look-up that knows no organization yet.
    ///
    /// # Errors
    /// When the database fails.
    fn key_by_hash(&self, hash: &KeyHash) -> Result<Option<AuthenticatedKey>, StoreError>;

    /// All keys of an organization, oldest first, revoked ones too.
    ///
    /// # Errors
    /// When the database fails.
    fn keys(&self, org: &OrgId) -> Result<Vec<ApiKey>, StoreError>;

    /// Revokes a key, and writes a line in the audit log. True where there is such a key; revoking
    /// it again changes nothing.
    ///
    /// # Errors
    /// When the database fails.
    fn revoke_key(
        &self,
        org: &OrgId,
        key: &KeyId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// The organization a key belongs to; for administration alone, which names keys by id.
    ///
    /// # Errors
    /// When the database fails.
    fn org_of_key(&self, key: &KeyId) -> Result<Option<OrgId>, StoreError>;

    /// Notes that a key was used, unless a use less than a minute before `at` is noted already. May be
    /// skipped while others write, so that who only reads does not wait for them; the next use notes
    /// it then.
    ///
    /// # Errors
    /// When the database fails.
    fn touch_key(&self, org: &OrgId, key: &KeyId, at: DateTime<Utc>) -> Result<(), StoreError>;
}
