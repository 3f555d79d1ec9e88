//! API keys.

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::{KeyId, OrgId};
use domain::key::{ApiKey, KeyHash};
use domain::ports::{AuthenticatedKey, KeyStore, NewKey, StoreError};

use super::MemoryStores;
use super::state::State;

impl State {
    /// The organization has to be there.
    pub(super) fn add_key(
        &mut self,
        org: &OrgId,
        key: &NewKey,
        by: &Actor,
    ) -> Result<(), StoreError> {
        let is_there = |(hash, known): &(KeyHash, ApiKey)| known.id == key.id || *hash == key.hash;
        if self.keys.iter().any(is_there) {
            return Err(StoreError::Failed(format!("{} is there", key.id)));
        }
        let added = ApiKey {
            id: key.id.clone(),
            org_id: org.clone(),
            name: key.name.clone(),
            prefix: key.prefix.clone(),
            role: key.role,
            created_at: key.created_at,
            last_used_at: None,
            expires_at: key.expires_at,
            revoked_at: None,
        };
        self.keys.push((key.hash.clone(), added));
        let what = (key.id.as_str(), format!("{}, {}", key.name, key.role));
        self.note(org, key.created_at, by, "key.created", what);
        Ok(())
    }

    fn key_mut(&mut self, org: &OrgId, key: &KeyId) -> Option<&mut ApiKey> {
        let mut keys = self.keys.iter_mut().map(|(_, known)| known);
        keys.find(|known| known.org_id == *org && known.id == *key)
    }
}

impl KeyStore for MemoryStores {
    fn create_key(&self, org: &OrgId, key: &NewKey, by: &Actor) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        if state.org(org).is_none() {
            return Ok(false);
        }
        state.add_key(org, key, by)?;
        Ok(true)
    }

    fn key_by_hash(&self, hash: &KeyHash) -> Result<Option<AuthenticatedKey>, StoreError> {
        let state = self.open()?;
        let found = state.keys.iter().find(|(known, _)| known == hash);
        Ok(found.and_then(|(hash, key)| {
            Some(AuthenticatedKey {
                key: key.clone(),
                hash: hash.clone(),
                organization: state.org(&key.org_id)?.clone(),
            })
        }))
    }

    fn keys(&self, org: &OrgId) -> Result<Vec<ApiKey>, StoreError> {
        let state = self.open()?;
        let keys = state.keys.iter().map(|(_, key)| key);
        let mut keys: Vec<_> = keys.filter(|key| key.org_id == *org).cloned().collect();
        keys.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        Ok(keys)
    }

    fn revoke_key(
        &self,
        org: &OrgId,
        key: &KeyId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        let Some(found) = state.key_mut(org, key) else {
            return Ok(false);
        };
        if found.revoked_at.is_none() {
            found.revoked_at = Some(at);
            let what = (key.as_str(), found.name.clone());
            state.note(org, at, by, "key.revoked", what);
        }
        Ok(true)
    }

    fn org_of_key(&self, key: &KeyId) -> Result<Option<OrgId>, StoreError> {
        let state = self.open()?;
        let mut keys = state.keys.iter().map(|(_, known)| known);
        let found = keys.find(|known| known.id == *key);
        Ok(found.map(|known| known.org_id.clone()))
    }

    fn touch_key(&self, org: &OrgId, key: &KeyId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let mut state = self.open()?;
        let found = state.key_mut(org, key);
        if let Some(key) = found.filter(|known| known.use_is_news(at)) {
            key.last_used_at = Some(at);
        }
        Ok(())
    }
}
