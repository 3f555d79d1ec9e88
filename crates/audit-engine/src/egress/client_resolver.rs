//! Name resolution for the HTTP client, which connects to vetted addresses only.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::pin::Pin;
use super::resolver::{GuardedResolver, ResolveError, canonical};

/// Resolves names for the HTTP client: only to the addresses that the exchange of the current task vetted.
#[derive(Debug)]
pub(super) struct ClientResolver {
    /// The operator's own proxy by name. The gates do not apply to its addresses.
    pub(super) proxy: Option<(String, Arc<GuardedResolver>)>,
}

impl Resolve for ClientResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = canonical(name.as_str());
        if let Some((proxy, resolver)) = &self.proxy
            && *proxy == host
        {
            let resolver = Arc::clone(resolver);
            return Box::pin(async move { Ok(handed_out(&resolver.resolve(&host).await?)) });
        }
        // Read here and not when the future runs, because that may happen in another task.
        let pinned = Pin::for_host(&host).ok_or(ResolveError::NotVetted(host));
        Box::pin(async move { Ok(handed_out(&pinned?.addresses)) })
    }
}

/// With port 0 the client uses the port of the URL.
fn handed_out(addresses: &[IpAddr]) -> Addrs {
    let sockets: Vec<SocketAddr> = addresses
        .iter()
        .map(|address| SocketAddr::new(*address, 0))
        .collect();
    Box::new(sockets.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pin(host: &str, address: [u8; 4]) -> Pin {
        Pin {
            host: host.to_owned(),
            addresses: Arc::from([IpAddr::from(address)]),
        }
    }

    async fn resolved(host: &str) -> Result<Vec<SocketAddr>, String> {
        let hook = ClientResolver { proxy: None };
        match hook.resolve(host.parse().unwrap()).await {
            Ok(addresses) => Ok(addresses.collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[tokio::test]
    async fn the_hook_returns_the_addresses_that_this_exchange_vetted() {
        let found = pin("a.example", [192, 0, 2, 1])
            .hold(resolved("A.example."))
            .await;
        assert_eq!(found.unwrap(), ["192.0.2.1:0".parse().unwrap()]);
    }

    #[tokio::test]
    async fn a_name_that_was_not_vetted_has_no_address() {
        assert!(resolved("a.example").await.is_err());
        let other = pin("b.example", [192, 0, 2, 1]).hold(resolved("a.example"));
        assert!(other.await.is_err());
    }

    #[tokio::test]
    async fn exchanges_at_the_same_time_do_not_see_each_others_addresses() {
        let one = pin("a.example", [192, 0, 2, 1]).hold(async {
            tokio::task::yield_now().await;
            resolved("a.example").await
        });
        let two = pin("a.example", [192, 0, 2, 2]).hold(resolved("a.example"));
        let (one, two) = tokio::join!(one, two);
        assert_eq!(one.unwrap(), ["192.0.2.1:0".parse().unwrap()]);
        assert_eq!(two.unwrap(), ["192.0.2.2:0".parse().unwrap()]);
    }
}
