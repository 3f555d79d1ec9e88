//! DNS rebinding: names whose addresses change between lookup and connection, or that mix allowed
//! and forbidden addresses.
//!
//! The site listens on a loopback address that is allowed; the canary listens on another one that is
//! not.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchError, FetchErrorKind, Fetcher, Request, Response};
use rstest::rstest;
use testkit::{Canary, DnsAnswer, DnsQuestion, DnsRecord, DnsServer};
use url::Url;

/// A port that names may use without being listed, which would otherwise open private addresses to
/// them.
const PORT: u16 = 8_080;
const TRIES: usize = 200;

struct Neighbours {
    site: Canary,
    canary: Canary,
}

impl Neighbours {
    /// Each test has its own network, so that tests can run in parallel.
    fn new(network: u8) -> Self {
        let on = |host, body| {
            Canary::on((Ipv4Addr::new(127, 101, network, host), PORT).into(), body).unwrap()
        };
        Self {
            site: on(2, "site"),
            canary: on(1, "canary"),
        }
    }

    fn client(&self, dns: &DnsServer) -> GuardedFetcher {
        let allow = [self.site.address().to_string().parse().unwrap()];
        let mut options = EgressOptions::new(allow.into_iter().collect(), "Assay/1".to_owned());
        options.dns_server = Some(dns.address());
        options.header_timeout = Duration::from_secs(2);
        GuardedFetcher::new(options).unwrap()
    }

    fn addresses(&self) -> (IpAddr, IpAddr) {
        (self.site.address().ip(), self.canary.address().ip())
    }
}

async fn fetch(client: &GuardedFetcher, name: &str) -> Result<Response, FetchError> {
    let url = Url::parse(&format!("http://{name}:{PORT}/")).unwrap();
    client.fetch(Request::get(url, 1_000)).await
}

fn fleeting(addresses: &[IpAddr]) -> DnsAnswer {
    DnsAnswer::Addresses(addresses.to_vec(), 0)
}

/// Resolves to the site, then to the canary, then to the site again.
fn alternating(neighbours: &Neighbours) -> DnsServer {
    let (site, canary) = neighbours.addresses();
    DnsServer::start(move |question: &DnsQuestion| {
        fleeting(&[if question.asked_before.is_multiple_of(2) {
            site
        } else {
            canary
        }])
    })
    .unwrap()
}

#[tokio::test]
async fn an_address_that_changes_after_the_check_is_not_connected_to() {
    let neighbours = Neighbours::new(1);
    let dns = alternating(&neighbours);
    let client = neighbours.client(&dns);
    for number in 0..TRIES {
        let name = format!("n{number}.rebind.example");
        let answer = fetch(&client, &name).await.unwrap();
        assert_eq!(&answer.body[..], b"site");
        assert_eq!(dns.asked(&name, DnsRecord::A), 1);
    }
    assert_eq!(neighbours.site.connections(), TRIES);
    assert_eq!(neighbours.canary.connections(), 0);
}

/// Counterpart of the test above: a client that checks one lookup and connects with the next reaches
/// the canary.
#[test]
fn without_pinning_the_canary_is_reached() {
    let neighbours = Neighbours::new(2);
    let dns = alternating(&neighbours);
    let (site, _) = neighbours.addresses();
    for number in 0..TRIES {
        let name = format!("n{number}.rebind.example");
        let vetted = dns.look_up(&name).unwrap();
        assert_eq!(vetted, [site], "the gates have nothing to say against it");
        #[expect(
            clippy::disallowed_methods,
            reason = "this is what a client without the guard does"
        )]
        for address in dns.look_up(&name).unwrap() {
            std::net::TcpStream::connect((address, PORT)).unwrap();
        }
    }
    // Another thread counts connections.
    while neighbours.canary.connections() < TRIES {
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn concurrent_requests_connect_to_the_addresses_they_checked() {
    let neighbours = Neighbours::new(3);
    let dns = alternating(&neighbours);
    let clients: Vec<_> = (0..4).map(|_| neighbours.client(&dns)).collect();
    let fetches = (0..TRIES).map(|number| {
        let client = clients.get(number % clients.len()).unwrap();
        // Names that several requests share, each name with its own cache.
        let name = format!("n{}.rebind.example", number / 8);
        async move { fetch(client, &name).await }
    });
    let (mut reached, mut refused) = (0, 0);
    for answer in futures_util::future::join_all(fetches).await {
        match answer {
            Ok(answer) => {
                assert_eq!(&answer.body[..], b"site");
                reached += 1;
            }
            Err(error) => {
                assert_eq!(error.kind, FetchErrorKind::NotAllowed, "{error}");
                refused += 1;
            }
        }
    }
    assert!(reached > 0 && refused > 0, "{reached}, {refused}");
    assert_eq!(neighbours.canary.connections(), 0);
}

#[rstest]
#[case::forbidden_first(4, &["127.101.4.1", "127.101.4.2"])]
#[case::forbidden_last(5, &["127.101.5.2", "127.101.5.1"])]
#[case::forbidden_alone(6, &["127.101.6.1"])]
#[case::forbidden_by_ipv6(7, &["127.101.7.2", "::1"])]
#[case::forbidden_by_mapped_ipv6(8, &["127.101.8.2", "::ffff:127.101.8.1"])]
#[case::unspecified(9, &["0.0.0.0"])]
#[case::metadata_among_many(10, &["127.101.10.2", "127.101.10.2", "169.254.169.254"])]
#[tokio::test]
async fn one_forbidden_address_makes_the_name_forbidden(
    #[case] network: u8,
    #[case] addresses: &'static [&'static str],
) {
    let neighbours = Neighbours::new(network);
    let dns = DnsServer::start(|_| DnsAnswer::fleeting(addresses)).unwrap();
    let client = neighbours.client(&dns);
    for number in 0..TRIES / 8 {
        let refused = fetch(&client, &format!("n{number}.mixed.example")).await;
        let error = refused.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::NotAllowed, "{error}");
        // The error message is the same for every address and never contains it.
        assert_eq!(
            error.message,
            format!("n{number}.mixed.example resolves to an address that is not public")
        );
    }
    assert_eq!(neighbours.canary.connections(), 0);
    assert_eq!(neighbours.site.connections(), 0);
}

/// Counterpart of the test above: if the canary is allowed as well, both are reached.
#[tokio::test]
async fn an_allowed_canary_is_reached() {
    let neighbours = Neighbours::new(11);
    let (_, canary) = neighbours.addresses();
    let dns = DnsServer::start(move |_| fleeting(&[canary])).unwrap();
    let allow = ["127.101.11.0/24".parse().unwrap()];
    let mut options = EgressOptions::new(allow.into_iter().collect(), "Assay/1".to_owned());
    options.dns_server = Some(dns.address());
    let client = GuardedFetcher::new(options).unwrap();
    let answer = fetch(&client, "mixed.example").await.unwrap();
    assert_eq!(&answer.body[..], b"canary");
    assert_eq!(neighbours.canary.connections(), 1);
}

#[rstest]
#[case::no_such_name(DnsAnswer::NoSuchName, "has no address")]
#[case::no_address(DnsAnswer::Addresses(Vec::new(), 60), "has no address")]
#[case::failure(DnsAnswer::Failure, "returned a failure")]
#[tokio::test]
async fn a_name_that_does_not_resolve_is_a_dns_error(
    #[case] answer: DnsAnswer,
    #[case] says: &str,
) {
    let dns = DnsServer::start(move |_| answer.clone()).unwrap();
    let mut options = EgressOptions::new(Default::default(), "Assay/1".to_owned());
    options.dns_server = Some(dns.address());
    let client = GuardedFetcher::new(options).unwrap();
    let error = fetch(&client, "gone.example").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Dns);
    assert!(error.message.contains(says), "{error}");
}

#[tokio::test]
async fn names_with_fixed_addresses_are_not_resolved_but_still_checked() {
    let neighbours = Neighbours::new(12);
    let (site, canary) = neighbours.addresses();
    let dns = DnsServer::start(|_| DnsAnswer::NoSuchName).unwrap();
    let allow = [neighbours.site.address().to_string().parse().unwrap()];
    let mut options = EgressOptions::new(allow.into_iter().collect(), "Assay/1".to_owned());
    options.dns_server = Some(dns.address());
    options
        .resolve
        .insert("Site.example".to_owned(), vec![site]);
    options
        .resolve
        .insert("canary.example".to_owned(), vec![canary]);
    let client = GuardedFetcher::new(options).unwrap();
    assert!(fetch(&client, "site.example").await.is_ok());
    let error = fetch(&client, "canary.example").await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::NotAllowed);
    assert_eq!(neighbours.canary.connections(), 0);
    assert!(dns.questions().is_empty());
}

#[tokio::test]
async fn the_local_host_name_resolves_without_a_name_server() {
    let here = Canary::at(Ipv4Addr::LOCALHOST.into(), "here").unwrap();
    let target = format!("localhost:{}", here.address().port());
    let allow = [target.parse().unwrap()].into_iter().collect();
    let client = GuardedFetcher::new(EgressOptions::new(allow, "Assay/1".to_owned())).unwrap();
    let url = Url::parse(&format!("http://{target}/")).unwrap();
    let answer = client.fetch(Request::get(url, 100)).await.unwrap();
    assert_eq!(&answer.body[..], b"here");
}
