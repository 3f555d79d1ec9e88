//! Open connections.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::address::{is_trusted, network};
use super::permits::{KeyedPermit, KeyedPermits};
use crate::limits::CallerLimits;

/// Permits for open connections.
pub struct Connections {
    addresses: Arc<KeyedPermits<IpAddr>>,
    total: Arc<Semaphore>,
    /// Permits for connections that get a 429 immediately.
    pub refusals: Semaphore,
}

/// Maximum concurrent 429 responses to connections; any further connection is closed without a response.
const MAX_REFUSALS: usize = 64;

/// A permit for a connection; released on drop.
pub struct ConnectionPermit {
    _address: Option<KeyedPermit<IpAddr>>,
    _total: OwnedSemaphorePermit,
}

impl Connections {
    pub(crate) fn new(limits: &CallerLimits) -> Self {
        Self {
            addresses: KeyedPermits::new(limits.connections_per_address),
            total: Arc::new(Semaphore::new(limits.connections)),
            refusals: Semaphore::new(MAX_REFUSALS),
        }
    }

    /// Acquires a permit for a connection from an address.
    pub fn try_acquire(&self, peer: IpAddr, limits: &CallerLimits) -> Option<ConnectionPermit> {
        let address = match is_trusted(peer, &limits.trusted_proxies) {
            true => None,
            false => Some(self.addresses.try_acquire(&network(peer))?),
        };
        Some(ConnectionPermit {
            _address: address,
            _total: Arc::clone(&self.total).try_acquire_owned().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_and_all_together_have_their_limits_and_proxies_only_those_of_all() {
        let limits = CallerLimits {
            connections_per_address: 2,
            connections: 4,
            trusted_proxies: vec!["10.0.0.1/32".parse().unwrap()],
            ..CallerLimits::default()
        };
        let connections = Connections::new(&limits);
        let (one, proxy) = ([192, 0, 2, 1].into(), [10, 0, 0, 1].into());
        let held = [(); 2].map(|()| connections.try_acquire(one, &limits));
        assert!(held.iter().all(Option::is_some));
        assert!(connections.try_acquire(one, &limits).is_none());
        let proxied = [(); 3].map(|()| connections.try_acquire(proxy, &limits));
        let taken: Vec<_> = proxied.iter().map(Option::is_some).collect();
        assert_eq!(taken, [true, true, false]);
        drop(held);
        assert!(connections.try_acquire(one, &limits).is_some());
    }
}
