//! Where a start URL may land, and which origins are this machine.

use std::net::IpAddr;

use url::{Host, Url};

use super::name;

/// Tells whether a start URL that landed on `landed` is still the site that was asked for.
///
/// Names must share their registrable domain by the public suffix list, so `example.com`,
/// `www.example.com` and `shop.example.com` are one site while `a.github.io` and `b.github.io` are
/// two. A name without one (a single label, a private ending) counts only as itself, with or
/// without `www.`; an address counts only as itself. The same host, with or without `www.`, may be on
/// another port, as where a development server redirects from http to https. Another name of the site
/// must be on the same port; the default ports of `http` and `https` are equal.
#[must_use]
pub fn same_landing(requested: &Url, landed: &Url) -> bool {
    let (Some(from), Some(to)) = (requested.host(), landed.host()) else {
        return false;
    };
    is_same_host(&from, &to)
        || (explicit_port(requested) == explicit_port(landed) && same_registrable(&from, &to))
}

/// The port, unless it is the default one of the URL's scheme.
fn explicit_port(url: &Url) -> Option<u16> {
    // The parser drops a port that equals the scheme's default.
    url.port()
}

/// Whether both are the same name, with or without `www.`, or the same address.
fn is_same_host(from: &Host<&str>, to: &Host<&str>) -> bool {
    match (from, to) {
        (Host::Domain(from), Host::Domain(to)) => {
            without_www(&name::canonical(from)) == without_www(&name::canonical(to))
        }
        _ => match (address(from), address(to)) {
            (Some(from), Some(to)) => from == to,
            _ => false,
        },
    }
}

/// Whether both are names with the same registrable domain.
fn same_registrable(from: &Host<&str>, to: &Host<&str>) -> bool {
    let (Host::Domain(from), Host::Domain(to)) = (from, to) else {
        return false;
    };
    let (from, to) = (name::canonical(from), name::canonical(to));
    registrable(&from).is_some_and(|domain| registrable(&to) == Some(domain))
}

fn without_www(name: &str) -> &str {
    name.strip_prefix("www.").unwrap_or(name)
}

/// The registrable domain, where the public suffix list knows the ending.
fn registrable(name: &str) -> Option<&[u8]> {
    let domain = psl::domain(name.as_bytes())?;
    domain.suffix().is_known().then_some(domain.as_bytes())
}

fn address(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(addr) => Some(IpAddr::V4(*addr)),
        Host::Ipv6(addr) => Some(IpAddr::V6(*addr).to_canonical()),
    }
}

/// Tells whether the origin is this machine: 127.0.0.0/8, `::1`, `localhost` or a name below it.
///
/// Such origins are potentially trustworthy without TLS (W3C Secure Contexts, section 3.1), so
/// HTTPS checks do not apply to them.
#[must_use]
pub fn is_loopback_origin(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name::is_under(&name::canonical(name), "localhost"),
        Some(host) => address(&host).is_some_and(|addr| addr.is_loopback()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[rstest]
    #[case::itself("https://example.com/", "https://example.com/home")]
    #[case::to_www("https://example.com/", "https://www.example.com/")]
    #[case::to_apex("https://www.example.com/", "https://example.com/")]
    #[case::to_subdomain("https://example.com/", "https://shop.example.com/")]
    #[case::between_subdomains("https://a.example.co.uk/", "https://b.example.co.uk/")]
    #[case::to_https("http://example.com/", "https://example.com/")]
    #[case::to_http("https://example.com/", "http://example.com/")]
    #[case::default_ports("http://example.com:80/", "https://example.com:443/")]
    #[case::same_port("http://example.com:8080/", "http://www.example.com:8080/")]
    #[case::same_port_other_scheme("http://example.com:8443/", "https://example.com:8443/")]
    #[case::other_port("http://example.com:8080/", "https://example.com:8443/")]
    #[case::port_dropped("http://example.com:8080/", "http://example.com/")]
    #[case::port_and_www("http://example.com:8080/", "https://www.example.com/")]
    #[case::port_443_on_http("http://example.com:443/", "https://example.com/")]
    #[case::port_of_an_address("http://127.0.0.1:8080/", "https://127.0.0.1:8443/")]
    #[case::root_dot("https://example.com./", "https://example.com/")]
    #[case::case("https://EXAMPLE.com/", "https://example.COM/")]
    #[case::international("https://bücher.example.com/", "https://example.com/")]
    #[case::international_suffix("https://食狮.公司.cn/", "https://www.食狮.公司.cn/")]
    #[case::address("http://127.0.0.1:8080/", "http://127.0.0.1:8080/x")]
    #[case::odd_spelling("http://0x7f.1:8080/", "http://127.0.0.1:8080/")]
    #[case::mapped("http://[::ffff:127.0.0.1]/", "http://127.0.0.1/")]
    #[case::v6("http://[::1]:8080/", "http://[0:0::1]:8080/")]
    #[case::single_label("http://intranet/", "http://intranet/start")]
    #[case::single_label_www("http://intranet/", "http://www.intranet/")]
    #[case::private_name("http://app.corp/", "https://app.corp/")]
    #[case::private_site("https://alice.github.io/", "https://www.alice.github.io/")]
    fn one_site(#[case] requested: &str, #[case] landed: &str) {
        assert!(same_landing(&url(requested), &url(landed)));
    }

    #[rstest]
    #[case::another_domain("https://example.com/", "https://example.org/")]
    #[case::lookalike("https://example.com/", "https://notexample.com/")]
    #[case::suffix_only("https://a.co.uk/", "https://b.co.uk/")]
    #[case::private_suffix("https://alice.github.io/", "https://bob.github.io/")]
    #[case::other_port_of_a_subdomain("http://example.com:8080/", "http://a.example.com:8443/")]
    #[case::port_dropped_by_a_subdomain("http://example.com:8080/", "http://a.example.com/")]
    #[case::other_address("http://127.0.0.1/", "http://127.0.0.2/")]
    #[case::address_to_name("http://127.0.0.1/", "http://localhost/")]
    #[case::name_to_address("http://localhost/", "http://[::1]/")]
    #[case::other_family("http://127.0.0.1/", "http://[::1]/")]
    #[case::single_labels("http://intranet/", "http://extranet/")]
    #[case::unknown_ending("http://a.corp/", "http://b.corp/")]
    #[case::below_unknown_ending("http://x.app.corp/", "http://app.corp/")]
    fn another_site(#[case] requested: &str, #[case] landed: &str) {
        assert!(!same_landing(&url(requested), &url(landed)));
    }

    #[rstest]
    #[case("http://127.0.0.1:18080/", true)]
    #[case("http://127.255.255.255/", true)]
    #[case("http://2130706433/", true)]
    #[case("http://[::1]/", true)]
    #[case("http://[::ffff:127.0.0.1]/", true)]
    #[case("http://localhost:3000/", true)]
    #[case("http://LOCALHOST./", true)]
    #[case("http://app.localhost/", true)]
    #[case("http://128.0.0.1/", false)]
    #[case("http://[::2]/", false)]
    #[case("http://notlocalhost/", false)]
    #[case("http://localhost.example.com/", false)]
    #[case("http://10.0.0.1/", false)]
    #[case("data:,x", false)]
    fn loopback_origins(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_loopback_origin(&url(text)), expected);
    }
}
