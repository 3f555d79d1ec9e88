//! Permits for event streams.

use std::sync::Arc;

use domain::id::{KeyId, OrgId, SessionId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::permits::{KeyedPermit, KeyedPermits};
use crate::limits::Tiers;

/// What a stream is opened with. Each has its own limit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StreamHolder {
    /// A key.
    Key(KeyId),
    /// The session of a person.
    Session(SessionId),
}

/// Permits for streams.
pub(super) struct Streams {
    holders: Arc<KeyedPermits<StreamHolder>>,
    organizations: Arc<KeyedPermits<OrgId>>,
    total: Arc<Semaphore>,
}

/// A permit for an event stream; released on drop.
pub struct StreamPermit {
    _holder: KeyedPermit<StreamHolder>,
    _organization: KeyedPermit<OrgId>,
    _total: OwnedSemaphorePermit,
}

impl Streams {
    pub(super) fn new(limits: Tiers) -> Self {
        Self {
            holders: KeyedPermits::new(limits.key),
            organizations: KeyedPermits::new(limits.organization),
            total: Arc::new(Semaphore::new(limits.total)),
        }
    }

    pub(super) fn try_acquire(&self, org: &OrgId, holder: &StreamHolder) -> Option<StreamPermit> {
        Some(StreamPermit {
            _holder: self.holders.try_acquire(holder)?,
            _organization: self.organizations.try_acquire(org)?,
            _total: Arc::clone(&self.total).try_acquire_owned().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use testkit::SequentialIds;

    use super::*;

    #[test]
    fn a_holder_an_organization_and_all_together_have_their_limits() {
        let ids = SequentialIds::default();
        let orgs = [(); 3].map(|()| OrgId::make(&ids));
        let keys = [
            StreamHolder::Key(KeyId::make(&ids)),
            StreamHolder::Session(SessionId::make(&ids)),
            StreamHolder::Key(KeyId::make(&ids)),
            StreamHolder::Key(KeyId::make(&ids)),
        ];
        let streams = Streams::new(Tiers {
            key: 2,
            organization: 3,
            total: 4,
        });
        let first = streams.try_acquire(&orgs[0], &keys[0]);
        let second = streams.try_acquire(&orgs[0], &keys[0]);
        assert!(first.is_some() && second.is_some());
        assert!(
            streams.try_acquire(&orgs[0], &keys[0]).is_none(),
            "the holder"
        );
        let third = streams.try_acquire(&orgs[0], &keys[1]);
        assert!(third.is_some());
        assert!(
            streams.try_acquire(&orgs[0], &keys[2]).is_none(),
            "the organization"
        );
        let fourth = streams.try_acquire(&orgs[1], &keys[2]);
        assert!(fourth.is_some());
        assert!(streams.try_acquire(&orgs[2], &keys[3]).is_none(), "all");
        drop(first);
        assert!(streams.try_acquire(&orgs[2], &keys[3]).is_some());
    }
}
