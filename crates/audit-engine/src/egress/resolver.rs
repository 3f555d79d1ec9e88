//! Name resolution that vets every answer and pins it.

use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::target::{AllowTargets, TargetError, gate_address};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How long an answer is used without asking again.
const TTL: Duration = Duration::from_secs(30);

/// Why a name was not resolved.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum ResolveError {
    /// No address, or no answer.
    #[error("{0} has no address")]
    NoAddress(String),
    /// An address that is forbidden.
    #[error(transparent)]
    Forbidden(#[from] TargetError),
}

#[derive(Debug)]
struct Pinned {
    addresses: Vec<IpAddr>,
    ports: BTreeSet<u16>,
    until: Instant,
}

/// Resolves names, fixed answers first, then the system's resolver, and remembers what it vetted.
///
/// The HTTP client's own hook is given a name without a port, while exceptions can be bound to a
/// port. So each exchange vets its host and port here first, and the hook only hands out addresses
/// that pass for every port the host was asked for.
#[derive(Debug)]
pub(super) struct GuardedResolver {
    allow: Arc<AllowTargets>,
    fixed: HashMap<String, Vec<IpAddr>>,
    pinned: Mutex<HashMap<String, Pinned>>,
}

impl GuardedResolver {
    pub(super) fn new(allow: Arc<AllowTargets>, fixed: HashMap<String, Vec<IpAddr>>) -> Self {
        let fixed = fixed
            .into_iter()
            .map(|(host, to)| (canonical(&host), to))
            .collect();
        Self {
            allow,
            fixed,
            pinned: Mutex::default(),
        }
    }

    /// Resolves the name, vets every address for the port, and pins the answer for the client.
    pub(super) async fn vet(&self, host: &str, port: u16) -> Result<(), ResolveError> {
        let host = canonical(host);
        let addresses = match self.fresh(&host, port) {
            Some(addresses) => addresses,
            None => self.look_up(&host, port).await,
        };
        if addresses.is_empty() {
            return Err(ResolveError::NoAddress(host));
        }
        for address in &addresses {
            gate_address(*address, port, Some(&host), &self.allow)?;
        }
        self.pin(host, port, addresses);
        Ok(())
    }

    fn fresh(&self, host: &str, port: u16) -> Option<Vec<IpAddr>> {
        let mut pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = pinned
            .get_mut(host)
            .filter(|entry| entry.until > Instant::now())?;
        entry.ports.insert(port);
        Some(entry.addresses.clone())
    }

    fn pin(&self, host: String, port: u16, addresses: Vec<IpAddr>) {
        let mut pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = pinned.entry(host).or_insert_with(|| Pinned {
            addresses: Vec::new(),
            ports: BTreeSet::new(),
            until: Instant::now() + TTL,
        });
        if entry.until <= Instant::now() {
            entry.until = Instant::now() + TTL;
        }
        entry.addresses = addresses;
        entry.ports.insert(port);
    }

    /// The addresses the client may connect to.
    fn handed_out(&self, host: &str) -> Result<Vec<SocketAddr>, ResolveError> {
        let host = canonical(host);
        let pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = pinned
            .get(&host)
            .ok_or_else(|| ResolveError::NoAddress(host.clone()))?;
        for address in &entry.addresses {
            for port in &entry.ports {
                gate_address(*address, *port, Some(&host), &self.allow)?;
            }
        }
        // Port 0 makes the client use the URL's port.
        Ok(entry
            .addresses
            .iter()
            .map(|address| SocketAddr::new(*address, 0))
            .collect())
    }

    async fn look_up(&self, host: &str, port: u16) -> Vec<IpAddr> {
        if let Some(fixed) = self.fixed.get(host) {
            return fixed.clone();
        }
        // RFC 6761, section 6.4: such names never exist, and asking for one would leak it.
        if host == "invalid" || host.ends_with(".invalid") {
            return Vec::new();
        }
        ask_system(host, port).await
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the egress guard is where names are resolved"
)]
async fn ask_system(host: &str, port: u16) -> Vec<IpAddr> {
    match tokio::net::lookup_host((host, port)).await {
        Ok(addresses) => addresses.map(|address| address.ip()).collect(),
        Err(error) => {
            tracing::debug!(host, %error, "name resolution failed");
            Vec::new()
        }
    }
}

fn canonical(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// The hook of the HTTP client.
#[derive(Debug, Clone)]
pub(super) struct ClientResolver(pub(super) Arc<GuardedResolver>);

impl Resolve for ClientResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let handed_out = self.0.handed_out(name.as_str());
        Box::pin(async move {
            let addresses: Addrs = Box::new(handed_out?.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolver(allow: &[&str], fixed: &[(&str, &[&str])]) -> GuardedResolver {
        let allow = allow.iter().map(|target| target.parse().unwrap()).collect();
        let fixed = fixed
            .iter()
            .map(|(host, to)| {
                (
                    (*host).to_owned(),
                    to.iter().map(|ip| ip.parse().unwrap()).collect(),
                )
            })
            .collect();
        GuardedResolver::new(Arc::new(allow), fixed)
    }

    #[tokio::test]
    async fn one_forbidden_address_refuses_the_name() {
        let resolver = resolver(&[], &[("mixed.example", &["93.184.216.34", "10.0.0.1"])]);
        let refused = resolver.vet("mixed.example", 443).await.unwrap_err();
        assert!(matches!(refused, ResolveError::Forbidden(_)));
        assert!(!refused.to_string().contains("10.0.0.1"), "{refused}");
        assert!(resolver.handed_out("mixed.example").is_err());
    }

    #[tokio::test]
    async fn an_address_allowed_for_one_port_is_not_handed_out_once_another_was_asked_for() {
        let resolver = resolver(&["10.0.0.1:8080"], &[("app.example", &["10.0.0.1"])]);
        assert!(resolver.vet("app.example", 8080).await.is_ok());
        assert!(resolver.handed_out("app.example").is_ok());
        assert!(resolver.vet("app.example", 443).await.is_err());
        assert!(resolver.handed_out("app.example").is_err());
    }

    #[tokio::test]
    async fn a_name_that_cannot_exist_is_not_asked_for() {
        let error = resolver(&[], &[])
            .vet("site.invalid", 443)
            .await
            .unwrap_err();
        assert!(matches!(error, ResolveError::NoAddress(_)));
    }
}
