//! What one exchange may connect to.

use std::net::IpAddr;
use std::sync::Arc;

tokio::task_local! {
    /// The addresses that were vetted for the exchange that is under way in this task.
    static PINNED: Pin;
}

/// A name, and the addresses that were vetted for one exchange with it.
///
/// The HTTP client's hook is given a name alone, so what an exchange vetted cannot be handed to it as
/// an argument. It is not kept in a map that exchanges share either, where another look-up could come
/// between vetting and connecting: it travels with the exchange, in its task, and the hook knows of no
/// other source. A name that nobody vetted has no address.
#[derive(Debug, Clone)]
pub(super) struct Pin {
    pub(super) host: String,
    pub(super) addresses: Arc<[IpAddr]>,
}

impl Pin {
    /// Runs an exchange whose connections go to these addresses alone.
    pub(super) async fn hold<T>(self, exchange: impl Future<Output = T>) -> T {
        PINNED.scope(self, exchange).await
    }

    /// What the exchange of this task vetted for the host; none where it vetted another host or none.
    pub(super) fn for_host(host: &str) -> Option<Self> {
        PINNED
            .try_with(|pin| (pin.host == host).then(|| pin.clone()))
            .ok()
            .flatten()
    }
}
