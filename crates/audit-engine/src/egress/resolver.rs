//! Name resolution that vets every address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domain::target::{AllowTargets, TargetError, gate_address};
use tokio::sync::OnceCell;

use super::dns::{NameServers, NoAnswer};
use super::pin::Pin;
use crate::bounds::crawl::MAX_RESOLVED_NAMES;

/// The shortest and the longest time for which a DNS response is cached.
const TTL_FLOOR: Duration = Duration::from_secs(5);
const TTL_CEILING: Duration = Duration::from_secs(30);
/// Why a name was not resolved.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum ResolveError {
    /// No address.
    #[error("{0} has no address")]
    NoAddress(String),
    /// The servers returned a failure.
    #[error("{0} cannot be resolved: the name servers returned a failure")]
    Failed(String),
    /// No server responded in time.
    #[error("{0} cannot be resolved: no name server responded in time")]
    TimedOut(String),
    /// An address is forbidden.
    #[error(transparent)]
    Forbidden(#[from] TargetError),
    /// The client looked up a name that its exchange did not vet.
    #[error("{0} was not vetted for this exchange")]
    NotVetted(String),
}

/// The cached addresses of a name, and when they expire.
#[derive(Debug, Clone)]
struct Known {
    addresses: Result<Arc<[IpAddr]>, NoAnswer>,
    until: Instant,
}

/// Resolves names: fixed addresses first, then DNS. The cache holds addresses, not verdicts: every exchange
/// vets all addresses for its own port, and connects only to those.
#[derive(Debug)]
pub(super) struct GuardedResolver {
    allow: Arc<AllowTargets>,
    fixed: HashMap<String, Arc<[IpAddr]>>,
    servers: NameServers,
    known: Mutex<HashMap<String, Arc<OnceCell<Known>>>>,
}

impl GuardedResolver {
    pub(super) fn new(
        allow: Arc<AllowTargets>,
        fixed: HashMap<String, Vec<IpAddr>>,
        servers: NameServers,
    ) -> Self {
        let fixed = fixed
            .into_iter()
            .map(|(host, to)| (canonical(&host), to.into()))
            .collect();
        Self {
            allow,
            fixed,
            servers,
            known: Mutex::default(),
        }
    }

    /// Resolves the name and vets every address for the port. The connection goes to one of the returned
    /// addresses.
    pub(super) async fn vet(&self, host: &str, port: u16) -> Result<Pin, ResolveError> {
        let host = canonical(host);
        let addresses = self.resolve(&host).await?;
        for address in addresses.iter() {
            gate_address(*address, port, Some(&host), &self.allow)?;
        }
        Ok(Pin { host, addresses })
    }

    /// The addresses of a canonical name, at least one, not vetted.
    pub(super) async fn resolve(&self, host: &str) -> Result<Arc<[IpAddr]>, ResolveError> {
        if let Some(fixed) = self.fixed.get(host) {
            return Ok(Arc::clone(fixed));
        }
        // RFC 6761, section 6.4: such names never exist, and a query would leak the name.
        if host == "invalid" || host.ends_with(".invalid") {
            return Err(ResolveError::NoAddress(host.to_owned()));
        }
        // Lookups of the same name wait for the query that is in flight.
        let cell = self.cell(host);
        let known = cell.get_or_init(|| self.query(host)).await;
        known.addresses.clone().map_err(|why| match why {
            NoAnswer::NoAddress => ResolveError::NoAddress(host.to_owned()),
            NoAnswer::Failed => ResolveError::Failed(host.to_owned()),
            NoAnswer::TimedOut => ResolveError::TimedOut(host.to_owned()),
        })
    }

    async fn query(&self, host: &str) -> Known {
        let answer = self.servers.look_up(host).await;
        let ttl = answer.as_ref().map_or(TTL_FLOOR, |answer| answer.ttl);
        let addresses = match answer {
            Ok(answer) if answer.addresses.is_empty() => Err(NoAnswer::NoAddress),
            answer => answer.map(|answer| answer.addresses.into()),
        };
        Known {
            addresses,
            until: Instant::now() + ttl.clamp(TTL_FLOOR, TTL_CEILING),
        }
    }

    /// The cache entry for the name.
    fn cell(&self, host: &str) -> Arc<OnceCell<Known>> {
        let now = Instant::now();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = known.get(host)
            && cell.get().is_none_or(|known| known.until > now)
        {
            return Arc::clone(cell);
        }
        if known.len() >= MAX_RESOLVED_NAMES {
            make_room(&mut known, now);
        }
        let cell = Arc::default();
        known.insert(host.to_owned(), Arc::clone(&cell));
        cell
    }
}

/// Removes expired entries. If there are none, removes all entries; the names are queried again.
fn make_room(known: &mut HashMap<String, Arc<OnceCell<Known>>>, now: Instant) {
    known.retain(|_, cell| cell.get().is_some_and(|known| known.until > now));
    if known.len() >= MAX_RESOLVED_NAMES {
        known.clear();
    }
}

/// The canonical form of a name for comparisons: lower case, without the root dot.
pub(super) fn canonical(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
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
        // Never queried.
        let servers = NameServers::at("127.0.0.1:9".parse().unwrap()).unwrap();
        GuardedResolver::new(Arc::new(allow), fixed, servers)
    }

    #[tokio::test]
    async fn a_forbidden_address_refuses_the_name() {
        let resolver = resolver(&[], &[("mixed.example", &["93.184.216.34", "10.0.0.1"])]);
        let refused = resolver.vet("mixed.example", 443).await.unwrap_err();
        assert!(matches!(refused, ResolveError::Forbidden(_)));
        assert!(!refused.to_string().contains("10.0.0.1"), "{refused}");
    }

    #[tokio::test]
    async fn an_address_allowed_for_one_port_is_refused_for_another() {
        let resolver = resolver(&["10.0.0.1:8080"], &[("app.example", &["10.0.0.1"])]);
        assert!(resolver.vet("app.example", 8080).await.is_ok());
        assert!(resolver.vet("app.example", 443).await.is_err());
        assert!(resolver.vet("app.example", 8080).await.is_ok());
    }

    #[tokio::test]
    async fn a_name_that_cannot_exist_is_not_queried() {
        let resolver = resolver(&[], &[]);
        let error = resolver.vet("site.invalid", 443).await.unwrap_err();
        assert!(matches!(error, ResolveError::NoAddress(_)));
        assert!(resolver.known.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_server_that_does_not_respond_times_out() {
        let silent = testkit::DnsServer::start(|_| testkit::DnsAnswer::Silence).unwrap();
        let servers = NameServers::at(silent.address()).unwrap();
        let servers = servers.within(Duration::from_millis(50));
        let resolver = GuardedResolver::new(Arc::default(), HashMap::new(), servers);
        let error = resolver.vet("slow.example", 443).await;
        assert!(matches!(error, Err(ResolveError::TimedOut(_))), "{error:?}");
    }

    #[test]
    fn the_number_of_cached_names_is_limited() {
        let resolver = resolver(&[], &[]);
        for number in 0..3 * MAX_RESOLVED_NAMES {
            let cell = resolver.cell(&format!("{number}.example"));
            let answer = Known {
                addresses: Err(NoAnswer::NoAddress),
                until: Instant::now() + TTL_CEILING,
            };
            cell.set(answer).unwrap();
            assert!(resolver.known.lock().unwrap().len() <= MAX_RESOLVED_NAMES);
        }
    }

    #[tokio::test]
    async fn the_ttl_of_a_response_is_honored_within_limits() {
        let server = testkit::DnsServer::start(|question| {
            let ttl = question.name.trim_end_matches(".example").parse().unwrap();
            testkit::DnsAnswer::Addresses(vec!["93.184.216.34".parse().unwrap()], ttl)
        });
        let server = server.unwrap();
        let servers = NameServers::at(server.address()).unwrap();
        let resolver = GuardedResolver::new(Arc::default(), HashMap::new(), servers);
        for (ttl, used) in [(0, 5), (17, 17), (86_400, 30)] {
            let name = format!("{ttl}.example");
            let asked = Instant::now();
            resolver.vet(&name, 443).await.unwrap();
            let until = resolver.cell(&name).get().unwrap().until;
            let used_for = until.duration_since(asked).as_secs_f64();
            assert!(
                (used_for - f64::from(used)).abs() < 1.0,
                "{ttl}: {used_for}"
            );
        }
    }

    #[tokio::test]
    async fn a_cached_name_is_queried_once() {
        let answer = |_: &testkit::DnsQuestion| testkit::DnsAnswer::fleeting(&["93.184.216.34"]);
        let server = testkit::DnsServer::start(answer).unwrap();
        let servers = NameServers::at(server.address()).unwrap();
        let resolver = GuardedResolver::new(Arc::default(), HashMap::new(), servers);
        let exchanges = (0..50).map(|_| resolver.vet("a.example", 443));
        for vetted in futures_util::future::join_all(exchanges).await {
            vetted.unwrap();
        }
        assert_eq!(server.asked("a.example", testkit::DnsRecord::A), 1);
    }

    #[test]
    fn an_expired_name_is_queried_again() {
        let resolver = resolver(&[], &[]);
        let first = resolver.cell("a.example");
        assert!(
            Arc::ptr_eq(&first, &resolver.cell("a.example")),
            "queried once"
        );
        let until = Instant::now();
        let addresses = Err(NoAnswer::NoAddress);
        first.set(Known { addresses, until }).unwrap();
        assert!(!Arc::ptr_eq(&first, &resolver.cell("a.example")));
    }
}
