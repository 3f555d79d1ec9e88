//! Calls that may be sent twice and happen once.

use chrono::{DateTime, Utc};
use domain::id::OrgId;
use domain::idempotency::{
    Fingerprint, IdempotencyKey, IdempotentCall, KEPT_FOR, KeyReused, Once, StoredAnswer, Told,
};

use super::state::State;

/// What a call is named by: the organization, the operation and the key.
pub(super) type CallName = (OrgId, &'static str, IdempotencyKey);

/// A call that succeeded.
#[derive(Debug)]
pub(super) struct KeptCall {
    fingerprint: Fingerprint,
    answer: StoredAnswer,
    at: DateTime<Utc>,
}

impl KeptCall {
    pub(super) fn is_forgotten(&self, now: DateTime<Utc>) -> bool {
        now - self.at >= KEPT_FOR
    }
}

fn name(org: &OrgId, call: &IdempotentCall) -> CallName {
    (org.clone(), call.operation, call.key.clone())
}

impl State {
    /// Does something, unless the same call did it before, and keeps the answer. What is refused has
    /// to change nothing.
    pub(super) fn once<T, E: From<KeyReused>>(
        &mut self,
        org: &OrgId,
        once: Option<&Once<'_, T>>,
        work: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<Told<T>, E> {
        let Some(Once { call, answer }) = once else {
            return work(self).map(Told::Now);
        };
        if let Some(before) = self.answered(org, call)? {
            return Ok(Told::Before(before));
        }
        let done = work(self)?;
        let kept = KeptCall {
            fingerprint: call.fingerprint,
            answer: answer(&done),
            at: call.at,
        };
        self.calls.insert(name(org, call), kept);
        Ok(Told::Now(done))
    }

    /// What was answered to the same call before.
    fn answered(
        &self,
        org: &OrgId,
        call: &IdempotentCall,
    ) -> Result<Option<StoredAnswer>, KeyReused> {
        match self.calls.get(&name(org, call)) {
            Some(kept) if kept.is_forgotten(call.at) => Ok(None),
            Some(kept) if kept.fingerprint != call.fingerprint => Err(KeyReused),
            kept => Ok(kept.map(|kept| kept.answer.clone())),
        }
    }
}
