//! Where the keys of signed links are kept.

use super::StoreError;
use crate::link::SigningKey;

/// Where the keys of signed links are kept.
pub trait SigningKeyStore: Send + Sync {
    /// All keys, newest first.
    ///
    /// # Errors
    /// When the database fails.
    fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError>;

    /// Stores a key where there is none yet; of two processes starting at once one does it. False
    /// where there is one already.
    ///
    /// # Errors
    /// When the database fails.
    fn add_first_signing_key(&self, key: &SigningKey) -> Result<bool, StoreError>;
}
