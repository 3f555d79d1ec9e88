//! Responses of operations that change nothing, for their idempotency keys.

use domain::id::OrgId;
use domain::idempotency::{Idempotent, IdempotentCall, IdempotentWrite, StoredAnswer};
use domain::ports::{AnswerStore, KeepAnswerError, MAX_KEPT_ANSWERS};

use crate::database::Database;
use crate::stores::idempotency;

impl AnswerStore for Database {
    fn kept_answer(
        &self,
        org: &OrgId,
        call: &IdempotentCall,
    ) -> Result<Option<StoredAnswer>, KeepAnswerError> {
        Ok(self.write(|connection| idempotency::kept(connection, org, call))??)
    }

    fn keep_answer(
        &self,
        org: &OrgId,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, KeepAnswerError> {
        self.write(|connection| {
            let kept = idempotency::once(connection, org, Some(once), |_| Ok(Ok(())))?;
            if matches!(kept, Ok(Idempotent::Executed(()))) {
                idempotency::keep_newest(connection, org, once.call.operation, MAX_KEPT_ANSWERS)?;
            }
            Ok(kept)
        })?
    }
}
