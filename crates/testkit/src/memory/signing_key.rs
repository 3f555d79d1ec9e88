//! The keys of signed links.

use domain::link::SigningKey;
use domain::ports::{SigningKeyStore, StoreError};

use super::MemoryStores;

impl SigningKeyStore for MemoryStores {
    fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        let mut keys = self.open()?.signing_keys.clone();
        keys.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        Ok(keys)
    }

    fn add_first_signing_key(&self, key: &SigningKey) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        if !state.signing_keys.is_empty() {
            return Ok(false);
        }
        state.signing_keys.push(key.clone());
        Ok(true)
    }
}
