//! Permits for full reports.

use std::sync::Arc;

use domain::id::{KeyId, OrgId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::permits::{KeyedPermit, KeyedPermits};
use crate::limits::Tiers;

/// Permits for full reports that are read or sent.
pub struct Reports {
    keys: Arc<KeyedPermits<KeyId>>,
    organizations: Arc<KeyedPermits<OrgId>>,
    total: Arc<Semaphore>,
}

/// A permit for a report; released on drop.
pub struct ReportPermit {
    _key: KeyedPermit<KeyId>,
    _organization: KeyedPermit<OrgId>,
    _total: OwnedSemaphorePermit,
}

impl Reports {
    pub(super) fn new(limits: Tiers) -> Self {
        Self {
            keys: KeyedPermits::new(limits.key),
            organizations: KeyedPermits::new(limits.organization),
            total: Arc::new(Semaphore::new(limits.total)),
        }
    }

    /// Waits for a permit. A waiting request holds no response.
    pub async fn acquire(&self, org: &OrgId, key: &KeyId) -> Option<ReportPermit> {
        Some(ReportPermit {
            _key: self.keys.acquire(key).await?,
            _organization: self.organizations.acquire(org).await?,
            _total: Arc::clone(&self.total).acquire_owned().await.ok()?,
        })
    }
}
