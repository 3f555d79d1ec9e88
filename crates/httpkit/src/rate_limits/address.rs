//! Client addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use actix_web::http::header::{HeaderMap, HeaderName};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Returns the address that the limits of clients count. It is the peer address or, if the peer is a trusted proxy,
/// the last address in `X-Forwarded-For` that is not a trusted proxy. An IPv6 /64 network counts as one client.
pub fn client_address(peer: Option<IpAddr>, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let mut client = canonical(peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)));
    if !is_trusted(client, trusted) {
        return network(client);
    }
    let values: Vec<_> = headers.get_all(X_FORWARDED_FOR).collect();
    let forwarded = values
        .iter()
        .rev()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.rsplit(','));
    for text in forwarded {
        let Ok(address) = text.trim().parse() else {
            break;
        };
        client = canonical(address);
        if !is_trusted(client, trusted) {
            break;
        }
    }
    network(client)
}

/// Whether an address belongs to a trusted proxy.
pub(crate) fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    let address = canonical(address);
    trusted.iter().any(|network| network.contains(&address))
}

/// Converts an IPv4-mapped IPv6 address to IPv4.
fn canonical(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(address, IpAddr::V4),
        IpAddr::V4(_) => address,
    }
}

/// Returns the address that identifies a client: an IPv4 address or an IPv6 /64 network.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match canonical(address) {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::direct("203.0.113.7", &[], "203.0.113.7")]
    #[case::a_stranger_cannot_name_another("203.0.113.7", &["198.51.100.1"], "203.0.113.7")]
    #[case::behind_a_proxy("10.0.0.1", &["198.51.100.1"], "198.51.100.1")]
    #[case::what_the_client_added("10.0.0.1", &["1.1.1.1, 198.51.100.1"], "198.51.100.1")]
    #[case::two_proxies("10.0.0.1", &["1.1.1.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1")]
    #[case::two_headers("10.0.0.1", &["1.1.1.1", "198.51.100.1"], "198.51.100.1")]
    #[case::no_address("10.0.0.1", &["unknown"], "10.0.0.1")]
    #[case::nothing("10.0.0.1", &[], "10.0.0.1")]
    #[case::mapped("::ffff:10.0.0.1", &["::ffff:198.51.100.1"], "198.51.100.1")]
    #[case::version_6("2001:db8:1:2:3:4:5:6", &[], "2001:db8:1:2::")]
    fn clients_are_known_by(
        #[case] peer: &str,
        #[case] forwarded: &[&'static str],
        #[case] expected: &str,
    ) {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_static(value));
        }
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let client = client_address(Some(peer.parse().unwrap()), &headers, &trusted);
        assert_eq!(client, expected.parse::<IpAddr>().unwrap());
    }
}
