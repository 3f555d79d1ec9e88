//! DNS queries.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig,
};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::Name;
use hickory_resolver::{ResolverBuilder, TokioResolver};

/// The timeout for one lookup, regardless of the servers' own limits.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// The timeout for one server, so that a second one can be queried within [`TIME_LIMIT`].
const SERVER_TIME_LIMIT: Duration = Duration::from_secs(2);

/// A name that does not exist.
const NONEXISTENT_NAME: &str = "assay-doctor.test";

/// The addresses of a name.
#[derive(Debug)]
pub(super) struct DnsResponse {
    pub(super) addresses: Vec<IpAddr>,
    pub(super) ttl: Duration,
}

/// Why there are no addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// The name does not exist, or has no address.
    NoAddress,
    /// No server answered in time.
    TimedOut,
    /// The servers returned a failure.
    Failed,
}

/// The name servers to query, and the hosts file that is consulted before them.
///
/// There is no cache here, and no thread is blocked.
pub(super) struct NameServers {
    resolver: TokioResolver,
    time_limit: Duration,
}

impl fmt::Debug for NameServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NameServers").finish_non_exhaustive()
    }
}

impl NameServers {
    /// The system's configuration, including its hosts file. Without a configuration, the server on this
    /// machine is queried, as the C library does, and never one on the internet.
    pub(super) fn of_system() -> Result<Self, NetError> {
        match TokioResolver::builder_tokio() {
            Ok(builder) => Self::build(builder),
            Err(error) => {
                tracing::debug!(%error, "no name server configured in the system");
                Self::build(only(SocketAddr::from(([127, 0, 0, 1], 53))))
            }
        }
    }

    /// Only this server. The hosts file is not read.
    pub(super) fn at(server: SocketAddr) -> Result<Self, NetError> {
        let mut builder = only(server);
        builder.options_mut().use_hosts_file = ResolveHosts::Never;
        Self::build(builder)
    }

    fn build(mut builder: ResolverBuilder<TokioRuntimeProvider>) -> Result<Self, NetError> {
        let options = builder.options_mut();
        options.cache_size = 0;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        options.timeout = options.timeout.min(SERVER_TIME_LIMIT);
        #[expect(
            clippy::disallowed_methods,
            reason = "the egress guard is where names are resolved"
        )]
        let resolver = builder.build()?;
        Ok(Self {
            resolver,
            time_limit: TIME_LIMIT,
        })
    }

    #[cfg(test)]
    pub(super) fn within(mut self, time_limit: Duration) -> Self {
        self.time_limit = time_limit;
        self
    }

    /// All addresses of the name, which is canonical: lower case, without the root dot.
    pub(super) async fn look_up(&self, host: &str) -> Result<DnsResponse, NoAnswer> {
        let mut name = Name::from_ascii(host).map_err(|_| NoAnswer::NoAddress)?;
        // The system's search list applies to names without a dot. They get here only if the operator listed
        // them. `www.example.com` never means `www.example.com.office.example`.
        name.set_fqdn(host.contains('.'));
        let asked = Instant::now();
        match tokio::time::timeout(self.time_limit, self.resolver.lookup_ip(name)).await {
            Ok(Ok(found)) => Ok(DnsResponse {
                ttl: found.valid_until().saturating_duration_since(asked),
                addresses: found.iter().collect(),
            }),
            Ok(Err(error)) => {
                tracing::debug!(host, %error, "name resolution failed");
                Err(match error {
                    NetError::Timeout => NoAnswer::TimedOut,
                    error if error.is_nx_domain() || error.is_no_records_found() => {
                        NoAnswer::NoAddress
                    }
                    _ => NoAnswer::Failed,
                })
            }
            Err(_) => Err(NoAnswer::TimedOut),
        }
    }
}

/// Why a name server is unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameServerTrouble {
    /// It did not respond in time.
    TimedOut,
    /// It returned a failure.
    Failed,
    /// It cannot be queried at all.
    Unusable(String),
}

/// Queries a name server, or those of the system, for a name that cannot exist, and returns how long the
/// response took. This takes a few seconds at most.
///
/// Resolvers know that the name does not exist (RFC 6761), so they do not forward the query.
///
/// # Errors
/// [`NameServerTrouble`] if no server responded.
pub async fn ask_name_server(server: Option<SocketAddr>) -> Result<Duration, NameServerTrouble> {
    let servers = match server {
        Some(server) => NameServers::at(server),
        None => NameServers::of_system(),
    };
    let servers = servers.map_err(|error| NameServerTrouble::Unusable(error.to_string()))?;
    let asked = Instant::now();
    match servers.look_up(NONEXISTENT_NAME).await {
        Ok(_) | Err(NoAnswer::NoAddress) => Ok(asked.elapsed()),
        Err(NoAnswer::TimedOut) => Err(NameServerTrouble::TimedOut),
        Err(NoAnswer::Failed) => Err(NameServerTrouble::Failed),
    }
}

fn only(server: SocketAddr) -> ResolverBuilder<TokioRuntimeProvider> {
    let mut named = NameServerConfig::udp_and_tcp(server.ip());
    named.connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()]
        .into_iter()
        .map(|mut connection| {
            connection.port = server.port();
            connection
        })
        .collect();
    let config = ResolverConfig::from_name_servers(vec![named]);
    TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
}
