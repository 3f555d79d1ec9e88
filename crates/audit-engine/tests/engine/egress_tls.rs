//! Peers with broken TLS, hostile TLS or no TLS.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::time::Duration;

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchError, FetchErrorKind, Fetcher, Request, Response};
use rstest::rstest;
use testkit::{Peer, TestAuthority, TestCertificate, TlsStream};
use url::Url;

const NAME: &str = "site.example";

async fn fetch(
    peer: &Peer,
    authority: &TestAuthority,
    connect_timeout: Duration,
) -> Result<Response, FetchError> {
    let port = peer.address().port();
    let allow = [format!("{NAME}:{port}").parse().unwrap()];
    let mut options = EgressOptions::new(allow.into_iter().collect(), "Assay/1".to_owned());
    options.connect_timeout = connect_timeout;
    options.extra_ca_pem = vec![authority.pem()];
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    options.resolve.insert(NAME.to_owned(), vec![here]);
    let url = Url::parse(&format!("https://{NAME}:{port}/")).unwrap();
    let client = GuardedFetcher::new(options).unwrap();
    client.fetch(Request::get(url, 1_000)).await
}

fn serving(certificate: TestCertificate) -> Peer {
    let config = certificate.config(&["http/1.1"]).unwrap();
    Peer::start_tls(config, |stream: &mut TlsStream| {
        let mut head = [0; 4096];
        let _ = stream.read(&mut head)?;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    })
    .unwrap()
}

#[tokio::test]
async fn a_certificate_of_a_configured_authority_is_trusted() {
    let authority = TestAuthority::new().unwrap();
    let peer = serving(authority.issue(NAME, 2020..2099).unwrap());
    let answer = fetch(&peer, &authority, Duration::from_secs(5))
        .await
        .unwrap();
    assert_eq!(&answer.body[..], b"hello");
}

#[rstest]
#[case::expired(NAME, 2001..2002, "its certificate has expired")]
#[case::not_valid_yet(NAME, 2090..2099, "its certificate is not valid yet")]
#[case::of_another_name("other.example", 2020..2099, "its certificate is for another host name")]
#[case::of_a_part_of_the_name("example", 2020..2099, "its certificate is for another host name")]
#[case::of_names_below("*.site.example", 2020..2099, "its certificate is for another host name")]
#[tokio::test]
async fn an_invalid_certificate_is_an_error_with_the_reason(
    #[case] name: &str,
    #[case] valid: std::ops::Range<i32>,
    #[case] says: &str,
) {
    let authority = TestAuthority::new().unwrap();
    let peer = serving(authority.issue(name, valid).unwrap());
    let error = fetch(&peer, &authority, Duration::from_secs(5))
        .await
        .unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls);
    assert_eq!(
        error.message,
        format!("no TLS connection to {NAME}: {says}")
    );
}

#[rstest]
#[case::of_an_authority_that_nobody_trusts(
    TestAuthority::new().unwrap().issue(NAME, 2020..2099).unwrap()
)]
#[case::of_its_own(TestCertificate::self_signed(NAME, 2020..2099).unwrap())]
#[tokio::test]
async fn an_untrusted_certificate_is_an_error(#[case] certificate: TestCertificate) {
    let authority = TestAuthority::new().unwrap();
    let peer = serving(certificate);
    let error = fetch(&peer, &authority, Duration::from_secs(5))
        .await
        .unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls);
    assert!(error.message.contains("is not trusted"), "{error}");
}

/// A TLS 1.2 record with this payload.
fn record(kind: u8, payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).unwrap().to_be_bytes();
    [&[kind, 3, 3], length.as_slice(), payload].concat()
}

#[rstest]
#[case::plain_http(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), "does not speak TLS")]
#[case::another_protocol(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec(), "does not speak TLS")]
#[case::noise(vec![0xff; 64], "does not speak TLS")]
#[case::alert_of_a_failed_handshake(record(21, &[2, 40]), "it ended the handshake")]
#[case::alert_of_an_unknown_name(record(21, &[2, 112]), "it ended the handshake")]
#[case::alert_of_an_old_version(record(21, &[2, 70]), "it ended the handshake")]
#[case::a_hello_that_is_none(record(22, &[2, 0, 0, 1, 0]), "no TLS connection")]
#[case::a_record_in_the_wrong_place(record(23, &[0; 32]), "no TLS connection")]
#[case::half_a_record(record(22, &[2; 60])[..20].to_vec(), "it aborted the handshake")]
#[case::nothing(Vec::new(), "it aborted the handshake")]
#[tokio::test]
async fn a_response_without_a_handshake_is_a_tls_error(
    #[case] answer: Vec<u8>,
    #[case] says: &str,
) {
    let authority = TestAuthority::new().unwrap();
    let peer = Peer::start(move |mut stream: TcpStream| {
        // Reads the whole ClientHello first, because closing earlier would look like a reset.
        let mut hello = [0; 8192];
        let _ = stream.read(&mut hello);
        let _ = stream.write_all(&answer);
    })
    .unwrap();
    let error = fetch(&peer, &authority, Duration::from_secs(5))
        .await
        .unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Tls, "{error}");
    assert!(error.message.contains(says), "{error}");
}

#[rstest]
#[case::at_once(0)]
#[case::within_a_record(3)]
#[tokio::test]
async fn a_handshake_that_does_not_end_times_out(#[case] sent: usize) {
    let authority = TestAuthority::new().unwrap();
    let peer = Peer::start(move |mut stream: TcpStream| {
        let _ = stream.write_all(&record(22, &[2; 100])[..sent]);
        // Returns when the connection ends.
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    })
    .unwrap();
    let error = fetch(&peer, &authority, Duration::from_millis(200)).await;
    assert_eq!(error.unwrap_err().kind, FetchErrorKind::Timeout);
}
