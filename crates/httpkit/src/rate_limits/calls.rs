//! Concurrent calls.

use std::net::IpAddr;
use std::sync::Arc;

use domain::id::{KeyId, OrgId};
use tokio::sync::Semaphore;

use super::known::KnownKey;
use super::limiter::RateLimitStatus;
use super::permits::{HeldPermits, KeyedPermits};
use crate::limits::{CallerLimits, Tiers};

/// Permits for concurrent calls.
pub struct Counters {
    pub addresses: Arc<KeyedPermits<IpAddr>>,
    pub anonymous: Arc<Semaphore>,
    pub calls: Tiered,
    pub agents: Tiered,
}

/// Permits of a key, of its organization and of all callers together.
pub struct Tiered {
    keys: Arc<KeyedPermits<KeyId>>,
    organizations: Arc<KeyedPermits<OrgId>>,
    total: Arc<Semaphore>,
}

/// The rate limit status of a counted call; `None` if there is no rate limit.
#[derive(Debug, Clone, Copy)]
pub struct KeyCounted(pub Option<RateLimitStatus>);

impl Counters {
    pub(super) fn new(limits: &CallerLimits) -> Self {
        Self {
            addresses: KeyedPermits::new(limits.anonymous_per_address),
            anonymous: Arc::new(Semaphore::new(limits.anonymous)),
            calls: Tiered::new(limits.calls),
            agents: Tiered::new(limits.agent_calls),
        }
    }
}

impl Tiered {
    fn new(limits: Tiers) -> Self {
        Self {
            keys: KeyedPermits::new(limits.key),
            organizations: KeyedPermits::new(limits.organization),
            total: Arc::new(Semaphore::new(limits.total)),
        }
    }

    /// Acquires one permit of each tier; the error names the owner of the reached limit.
    pub fn acquire(&self, key: &KnownKey, permits: &mut HeldPermits) -> Result<(), &'static str> {
        permits.add(self.keys.try_acquire(&key.key).ok_or("the key")?);
        let organization = self.organizations.try_acquire(&key.org);
        permits.add(organization.ok_or("the organization")?);
        let total = Arc::clone(&self.total).try_acquire_owned();
        permits.add(total.map_err(|_| "this server")?);
        Ok(())
    }
}
