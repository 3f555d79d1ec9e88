//! Whether a store can work.

use super::StoreError;

/// Whether a store can work.
pub trait Health: Send + Sync {
    /// Asks the database for an answer, the schema for its version and the queue for its length.
    ///
    /// # Errors
    /// When one of them is not as it should be.
    fn ready(&self) -> Result<(), StoreError>;
}
