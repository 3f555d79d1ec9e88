//! The TLS probe, tested with `openssl` servers on loopback and with misbehaving peers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics on unexpected results"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use audit_engine::checks;
use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{CertificateKey, Fetcher, LegacyVersion, Signature, TlsFacts};
use audit_engine::{AuditOptions, Auditor};
use testkit::{Peer, TestAuthority, TlsStream};
use url::Url;

const NAME: &str = "site.example";
const DAY: i64 = 24 * 60 * 60;

/// A temporary folder, deleted after the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let made = Command::new("mktemp").arg("-d").output().unwrap();
        let path = String::from_utf8(made.stdout).unwrap();
        Self(PathBuf::from(path.trim_end()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `openssl s_server` on a free loopback port, with a self-signed certificate.
struct Server {
    child: Child,
    port: u16,
    _folder: Folder,
}

impl Server {
    /// `key` and `hash` define the certificate, `speaks` the enabled versions and ciphers.
    fn start(key: &[&str], hash: &str, speaks: &[&str]) -> Self {
        let folder = Folder::new();
        let made = Command::new("openssl")
            .current_dir(&folder.0)
            .args(["req", "-x509", "-nodes", "-days", "90", hash])
            .args(["-subj", &format!("/CN={NAME}"), "-keyout", "key.pem"])
            .args(["-out", "certificate.pem", "-newkey"])
            .args(key)
            .stderr(Stdio::null())
            .status()
            .expect("this test needs the program openssl");
        assert!(made.success());
        let mut child = Command::new("openssl")
            .current_dir(&folder.0)
            .args(["s_server", "-accept", "127.0.0.1:0", "-www"])
            .args(["-cert", "certificate.pem", "-key", "key.pem"])
            .args(speaks)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("ACCEPT 127.0.0.1:")?.parse().ok());
        Self {
            child,
            port: port.expect("the server says where it listens"),
            _folder: folder,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The guard's options with the name mapped to loopback; `allowed` permits the port.
fn options(port: u16, allowed: bool) -> EgressOptions {
    let allow = allowed.then(|| format!("{NAME}:{port}").parse().unwrap());
    let mut options = EgressOptions::new(allow.into_iter().collect(), "Assay/1".to_owned());
    options.connect_timeout = Duration::from_millis(700);
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    options.resolve.insert(NAME.to_owned(), vec![here]);
    options
}

async fn inspect(port: u16, allowed: bool) -> Option<TlsFacts> {
    let url = Url::parse(&format!("https://{NAME}:{port}/")).unwrap();
    let client = GuardedFetcher::new(options(port, allowed)).unwrap();
    client.inspect_tls(url).await
}

#[tokio::test]
async fn an_outdated_server_is_reported_with_its_versions_and_weak_certificate() {
    let server = Server::start(
        &["rsa:1024"],
        "-sha1",
        &["-cipher", "ALL:@SECLEVEL=0", "-no_tls1_3"],
    );
    let facts = inspect(server.port, true).await.unwrap();
    assert_eq!(facts.legacy, [LegacyVersion::Tls10, LegacyVersion::Tls11]);
    let [own] = facts.chain.as_slice() else {
        panic!("{facts:?}");
    };
    assert_eq!(own.key, CertificateKey::Rsa(1_024));
    assert_eq!(own.signature, Signature::Sha1);
    assert!(own.self_signed);
    assert_eq!(own.not_after - own.not_before, 90 * DAY);
}

#[tokio::test]
async fn a_single_legacy_version_is_detected() {
    let server = Server::start(
        &["rsa:2048"],
        "-sha256",
        &["-cipher", "ALL:@SECLEVEL=0", "-no_tls1", "-no_tls1_3"],
    );
    let facts = inspect(server.port, true).await.unwrap();
    assert_eq!(facts.legacy, [LegacyVersion::Tls11]);
}

#[tokio::test]
async fn a_modern_server_has_no_problems() {
    let curve = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
    let server = Server::start(&curve, "-sha256", &["-tls1_3"]);
    let facts = inspect(server.port, true).await.unwrap();
    assert_eq!(facts.legacy, []);
    let [own] = facts.chain.as_slice() else {
        panic!("{facts:?}");
    };
    assert_eq!(own.key, CertificateKey::Ec(256));
    assert_eq!(own.signature, Signature::Other);
}

#[tokio::test]
async fn a_server_with_only_tls_1_0_yields_no_certificate() {
    let server = Server::start(
        &["rsa:2048"],
        "-sha256",
        &["-cipher", "ALL:@SECLEVEL=0", "-tls1"],
    );
    let facts = inspect(server.port, true).await.unwrap();
    assert_eq!(facts.legacy, [LegacyVersion::Tls10]);
    assert_eq!(facts.chain, []);
}

#[tokio::test]
async fn an_endpoint_that_is_not_allowed_is_not_connected_to() {
    let peer = Peer::start(|_: TcpStream| {}).unwrap();
    assert_eq!(inspect(peer.address().port(), false).await, None);
    assert_eq!(peer.connections(), 0);
}

#[tokio::test]
async fn a_peer_without_tls_accepts_no_version() {
    let peer = Peer::start(|mut stream: TcpStream| {
        let _ = stream.read(&mut [0; 8_192]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    })
    .unwrap();
    let facts = inspect(peer.address().port(), true).await.unwrap();
    assert_eq!(facts, TlsFacts::default());
}

#[tokio::test]
async fn a_response_in_another_version_does_not_count_as_accepted() {
    let peer = Peer::start(|mut stream: TcpStream| {
        let _ = stream.read(&mut [0; 8_192]);
        // A TLS 1.2 ServerHello, regardless of the offered versions.
        let _ = stream.write_all(&[22, 3, 3, 0, 6, 2, 0, 0, 2, 3, 3]);
    })
    .unwrap();
    let facts = inspect(peer.address().port(), true).await.unwrap();
    assert_eq!(facts.legacy, []);
}

#[tokio::test]
async fn a_silent_endpoint_times_out() {
    let peer = Peer::start(|mut stream: TcpStream| {
        // Returns when the connection ends.
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    })
    .unwrap();
    let mut options = options(peer.address().port(), true);
    options.connect_timeout = Duration::from_millis(60);
    let url = Url::parse(&format!("https://{NAME}:{}/", peer.address().port())).unwrap();
    let client = GuardedFetcher::new(options).unwrap();
    assert_eq!(client.inspect_tls(url).await, Some(TlsFacts::default()));
}

#[tokio::test]
async fn a_closed_port_yields_no_facts() {
    let port = {
        let gone = Peer::start(|_: TcpStream| {}).unwrap();
        gone.address().port()
    };
    assert_eq!(inspect(port, true).await, None);
}

#[test]
fn an_audit_evaluates_the_certificate_of_the_site() {
    const CHECKS: [&str; 4] = [
        "tls-cert-expiring",
        "tls-cert-invalid",
        "tls-cert-weak",
        "tls-legacy-protocol",
    ];
    let authority = TestAuthority::new().unwrap();
    let config = authority.issue(NAME, 2020..2030).unwrap();
    let config = config.config(&["http/1.1"]).unwrap();
    let peer = Peer::start_tls(config, |stream: &mut TlsStream| {
        let _ = stream.read(&mut [0; 4_096])?;
        stream.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nDate: Thu, 20 Dec 2029 12:00:00 GMT\r\nContent-Length: 4\r\nConnection: close\r\n\r\n<p>x",
        )
    })
    .unwrap();
    let port = peer.address().port();
    let mut egress = options(port, true);
    egress.extra_ca_pem = vec![authority.pem()];
    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        only: Some(CHECKS.iter().filter_map(|id| checks::find(id)).collect()),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_egress(egress, options).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let audit = runtime
        .unwrap()
        .block_on(auditor.audit(&format!("https://{NAME}:{port}/")))
        .unwrap();
    let judged: Vec<(&str, u64)> = audit
        .result
        .tallies
        .checks
        .iter()
        .map(|tally| (&*tally.check_id, tally.failed))
        .collect();
    assert_eq!(
        judged,
        [
            ("tls-cert-expiring", 1),
            ("tls-cert-invalid", 0),
            ("tls-cert-weak", 0),
            ("tls-legacy-protocol", 0),
        ]
    );
    let message = &audit.result.findings[0].causes[0].occurrences[0].message;
    assert!(
        message.contains("expires on 2030-01-01, in 11 days"),
        "{message}"
    );
}
