//! The addresses that one exchange may connect to.

use std::net::IpAddr;
use std::sync::Arc;

tokio::task_local! {
    /// The addresses that were vetted for the exchange in this task.
    static PINNED: Pin;
}

/// A name, and the addresses that were vetted for one exchange with it.
///
/// The DNS hook of the HTTP client receives only a name, so the vetted addresses cannot be passed to it as an
/// argument. They are not kept in a map that exchanges share either, because another lookup could replace them
/// between vetting and connecting. They travel with the exchange in its task, and the hook has no other source.
/// A name that was not vetted has no address.
#[derive(Debug, Clone)]
pub(super) struct Pin {
    pub(super) host: String,
    pub(super) addresses: Arc<[IpAddr]>,
}

impl Pin {
    /// Runs an exchange whose connections go only to these addresses.
    pub(super) async fn hold<T>(self, exchange: impl Future<Output = T>) -> T {
        PINNED.scope(self, exchange).await
    }

    /// The addresses that the exchange of this task vetted for the host; none if it vetted another host or
    /// none.
    pub(super) fn for_host(host: &str) -> Option<Self> {
        PINNED
            .try_with(|pin| (pin.host == host).then(|| pin.clone()))
            .ok()
            .flatten()
    }
}
