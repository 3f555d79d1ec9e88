//! The keys of signed links.

use domain::link::SigningKey;
use domain::ports::{SigningKeyStore, StoreError};

use super::MemoryStores;

impl SigningKeyStore for MemoryStores {
    fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn add_first_signing_key(&self, _key: &SigningKey) -> Result<bool, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }
}
