//! Audits of sites whose certificates are invalid.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use audit_engine::egress::EgressOptions;
use audit_engine::{Audit, AuditError, AuditOptions, Auditor};
use domain::FailureCode;
use domain::run::RequestHeaders;
use rstest::rstest;
use testkit::{Peer, TestAuthority, TestCertificate, TlsStream};

const NAME: &str = "site.example";
const CANARY: &str = "canary-5d1e";

/// A site with this certificate, and the heads of the requests that it read.
fn serving(certificate: TestCertificate) -> (Peer, Arc<Mutex<Vec<String>>>) {
    let heads: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&heads);
    let config = certificate.config(&["http/1.1"]).unwrap();
    let peer = Peer::start_tls(config, move |stream: &mut TlsStream| {
        let mut head = [0; 8192];
        let read = stream.read(&mut head)?;
        let head = String::from_utf8_lossy(head.get(..read).unwrap_or_default()).into_owned();
        let body = "<!doctype html><title>Tides</title><p>High tide at noon.";
        let status = if head.starts_with("GET / ") {
            "200 OK"
        } else {
            "404 Not Found"
        };
        seen.lock().unwrap().push(head);
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    });
    (peer.unwrap(), heads)
}

fn audit(peer: &Peer, authority: &TestAuthority, with_headers: bool) -> Result<Audit, AuditError> {
    let port = peer.address().port();
    let allow = [format!("{NAME}:{port}").parse().unwrap()];
    let mut egress = EgressOptions::new(allow.into_iter().collect(), "Assay/1".to_owned());
    egress.extra_ca_pem = vec![authority.pem()];
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    egress.resolve.insert(NAME.to_owned(), vec![here]);
    let headers = with_headers.then(|| ("authorization".to_owned(), CANARY.to_owned()));
    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        headers: RequestHeaders::parse(headers.into_iter().collect()).unwrap(),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_egress(egress, options).unwrap();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(auditor.audit(&format!("https://{NAME}:{port}/")))
}

/// The message of the finding of `tls-cert-invalid`.
fn finding(audit: &Audit) -> Option<String> {
    let mut findings = audit.result.findings.iter();
    let finding = findings.find(|finding| finding.check_id == "tls-cert-invalid")?;
    let occurrence = finding.causes.first()?.occurrences.first()?;
    Some(occurrence.message.clone())
}

#[rstest]
#[case::expired(NAME, 2001..2002, "its certificate has expired")]
#[case::of_another_name("other.example", 2020..2099, "its certificate is for another host name")]
fn an_invalid_certificate_has_a_report_with_the_reason(
    #[case] name: &str,
    #[case] valid: std::ops::Range<i32>,
    #[case] reason: &str,
) {
    let authority = TestAuthority::new().unwrap();
    let (peer, _) = serving(authority.issue(name, valid).unwrap());
    let audit = audit(&peer, &authority, false).unwrap();
    assert_eq!(audit.site.pages.len(), 1);
    let message = finding(&audit).unwrap();
    assert!(message.contains(reason), "{message}");
}

#[test]
fn a_self_signed_certificate_has_a_report() {
    let authority = TestAuthority::new().unwrap();
    let (peer, _) = serving(TestCertificate::self_signed(NAME, 2020..2099).unwrap());
    let audit = audit(&peer, &authority, false).unwrap();
    assert!(finding(&audit).unwrap().contains("is not trusted"));
}

#[test]
fn a_trusted_certificate_is_no_finding() {
    let authority = TestAuthority::new().unwrap();
    let (peer, heads) = serving(authority.issue(NAME, 2020..2099).unwrap());
    let audit = audit(&peer, &authority, true).unwrap();
    assert_eq!(finding(&audit), None);
    // The control of the next test: over a verified connection the header is sent.
    assert!(
        heads
            .lock()
            .unwrap()
            .iter()
            .any(|head| head.contains(CANARY))
    );
}

#[test]
fn an_audit_with_headers_ends_before_it_sends_them() {
    let authority = TestAuthority::new().unwrap();
    let (peer, heads) = serving(authority.issue(NAME, 2001..2002).unwrap());
    let error = audit(&peer, &authority, true).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::TlsError));
    assert!(error.to_string().contains("has expired"), "{error}");
    assert!(heads.lock().unwrap().is_empty());
}
