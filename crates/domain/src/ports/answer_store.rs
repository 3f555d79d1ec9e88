//! Where responses of operations that change nothing are kept for their `Idempotency-Key`.

use super::StoreError;
use crate::id::OrgId;
use crate::idempotency::{Idempotent, IdempotentCall, IdempotentWrite, KeyReused, StoredAnswer};

/// The maximum number of such responses that an organization keeps of one operation. Beyond it the oldest are removed;
/// a repeated request is then executed again, which changes nothing either.
pub const MAX_KEPT_ANSWERS: u32 = 100;

/// Why a response is neither found nor stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeepAnswerError {
    /// The Idempotency-Key was used for another call.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where responses of operations that change nothing are kept for their `Idempotency-Key`.
pub trait AnswerStore: Send + Sync {
    /// The stored response of the same call.
    ///
    /// # Errors
    /// When the key was used for another call, or the database fails.
    fn kept_answer(
        &self,
        org: &OrgId,
        call: &IdempotentCall,
    ) -> Result<Option<StoredAnswer>, KeepAnswerError>;

    /// Stores the response that `once` makes, unless one of the same call is stored. Keeps at most
    /// [`MAX_KEPT_ANSWERS`] of the operation.
    ///
    /// # Errors
    /// When the key was used for another call, or the database fails.
    fn keep_answer(
        &self,
        org: &OrgId,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, KeepAnswerError>;
}
