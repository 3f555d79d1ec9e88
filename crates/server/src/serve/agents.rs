//! `/mcp`: the MCP tools for agents, which use the service's own HTTP API.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result};
use api::ApiState;
use client::ServerUrl;
use domain::report::Variant;
use mcp::{HttpSettings, Mount, Offers};

/// Returns the configuration that adds `/mcp` to the service.
///
/// Its requests go over the loopback interface to the service itself, with the key of the client.
pub(super) fn agents(state: &ApiState, listening: SocketAddr) -> Result<Mount> {
    let (authenticator, host_state) = (state.clone(), state.clone());
    let base_url = &state.settings.base_url;
    let settings = HttpSettings {
        api: ServerUrl::parse(&format!("http://{}", here(listening)), true)?,
        hosts: hosts(base_url, listening),
        origins: origins(base_url, listening),
        offers: match state.settings.variant {
            Variant::Current => Offers::Everything,
            Variant::Legacy => Offers::NoActions,
        },
        authentication: Arc::new(move |request| {
            Box::pin(api::authenticate(authenticator.clone(), request.clone()))
        }),
        is_foreign_host: Arc::new(move |request| api::is_foreign_host(&host_state, request)),
    };
    mcp::mount(settings).context("the MCP endpoint cannot be served")
}

/// Returns the address at which the service reaches itself.
fn here(listening: SocketAddr) -> SocketAddr {
    let ip = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listening.port())
}

/// Returns the allowed `Host` values: the host of the base URL with any port, because proxies rewrite it, and the
/// listen address. This blocks DNS rebinding.
fn hosts(base_url: &str, listening: SocketAddr) -> Vec<String> {
    let mut hosts = vec![host_of(base_url).to_owned(), here(listening).to_string()];
    if here(listening).ip().is_loopback() {
        hosts.extend(
            ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("{host}:{}", listening.port())),
        );
    }
    hosts
}

/// Returns the allowed `Origin` values: those of the service itself.
fn origins(base_url: &str, listening: SocketAddr) -> Vec<String> {
    let scheme_end = base_url.find("://").map_or(0, |at| at + 3);
    let path = base_url.get(scheme_end..).and_then(|rest| rest.find('/'));
    let origin = path
        .and_then(|path| base_url.get(..scheme_end + path))
        .unwrap_or(base_url);
    let with_port = |origin: &str| {
        let has_port = origin.get(scheme_end..).is_some_and(|rest| {
            rest.rsplit_once(':')
                .is_some_and(|(_, port)| port.parse::<u16>().is_ok())
        });
        match (has_port, origin.starts_with("https:")) {
            (true, _) => origin.to_owned(),
            (false, true) => format!("{origin}:443"),
            (false, false) => format!("{origin}:80"),
        }
    };
    let mut origins = vec![with_port(origin), format!("http://{}", here(listening))];
    if here(listening).ip().is_loopback() {
        origins.push(format!("http://localhost:{}", listening.port()));
    }
    origins
}

/// Returns the host of a URL, without its port.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or(rest);
    match authority.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_origins_are_those_of_the_base_url_and_of_the_listening_address() {
        let listening = SocketAddr::from(([0, 0, 0, 0], 8080));
        let base = "https://assay.example.com/tools";
        assert_eq!(
            hosts(base, listening),
            [
                "assay.example.com",
                "127.0.0.1:8080",
                "localhost:8080",
                "127.0.0.1:8080",
                "[::1]:8080"
            ]
        );
        assert_eq!(
            origins(base, listening),
            [
                "https://assay.example.com:443",
                "http://127.0.0.1:8080",
                "http://localhost:8080"
            ]
        );
        let private = SocketAddr::from(([10, 0, 0, 7], 80));
        assert_eq!(
            hosts("http://10.0.0.7:80", private),
            ["10.0.0.7", "10.0.0.7:80"]
        );
        assert_eq!(host_of("http://[::1]:9/x"), "[::1]");
    }
}
