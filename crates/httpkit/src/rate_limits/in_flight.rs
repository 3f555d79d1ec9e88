//! Idempotent requests in progress.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::OrgId;
use domain::idempotency::IdempotencyKey;

/// Identifies a request: the organization, the operation and the idempotency key.
type Name = (OrgId, &'static str, IdempotencyKey);

/// The requests in progress.
#[derive(Debug, Default)]
pub(super) struct InFlight(Mutex<HashSet<Name>>);

/// A request in progress, until this is dropped.
#[derive(Debug)]
pub struct InProgress {
    calls: Arc<InFlight>,
    name: Name,
}

impl InFlight {
    /// Begins a request; `None` while a request of the same name is in progress.
    pub(super) fn begin(calls: &Arc<Self>, name: Name) -> Option<InProgress> {
        let mut names = calls.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(name.clone()).then(|| InProgress {
            calls: Arc::clone(calls),
            name,
        })
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        let mut names = self.calls.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.remove(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn name(org: &str, operation: &'static str, key: &str) -> Name {
        let org = OrgId::parse(&format!("org_01KXZZ9Q80000000000000000{org}")).unwrap();
        (org, operation, IdempotencyKey::parse(key).unwrap())
    }

    #[test]
    fn an_idempotent_request_is_in_progress_until_it_ends_and_blocks_no_other() {
        let calls = Arc::default();
        let first = InFlight::begin(&calls, name("1", "start_audit", "k"));
        assert!(InFlight::begin(&calls, name("1", "start_audit", "k")).is_none());
        for other in [
            name("2", "start_audit", "k"),
            name("1", "add_comment", "k"),
            name("1", "start_audit", "K"),
        ] {
            assert!(InFlight::begin(&calls, other).is_some());
        }
        drop(first);
        assert!(InFlight::begin(&calls, name("1", "start_audit", "k")).is_some());
    }

    #[test]
    fn a_call_that_panics_has_ended() {
        let calls = Arc::default();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _call = InFlight::begin(&calls, name("1", "start_audit", "k"));
            panic!("failure injected by the test");
        }));
        assert!(panicked.is_err());
        assert!(InFlight::begin(&calls, name("1", "start_audit", "k")).is_some());
    }
}
