//! Redirect loops, endless redirect chains and redirects to forbidden targets, with exact request
//! counts.

use domain::FailureCode;
use rstest::rstest;
use testkit::LoopbackServer;
use testkit::TestResponse;
use testkit::hostile::{Behaviour, HostileServer};

use crate::audit::{affected, audit, naive_crawl, skipped};

#[rstest]
#[case::itself(Behaviour::RedirectSelf, 1)]
#[case::circle(Behaviour::RedirectCircle, 2)]
// Eleven: the link and ten redirects.
#[case::chain(Behaviour::RedirectChain, 11)]
#[case::endless(Behaviour::RedirectEndless, 11)]
#[case::file(Behaviour::RedirectFile, 1)]
#[case::javascript(Behaviour::RedirectJavascript, 1)]
#[case::data(Behaviour::RedirectData, 1)]
#[case::nowhere(Behaviour::RedirectNowhere, 1)]
#[case::without_location(Behaviour::RedirectWithoutLocation, 1)]
#[case::relative(Behaviour::RedirectRelative, 2)]
#[case::refresh(Behaviour::RefreshCircle, 1)]
fn a_redirect_causes_exactly_this_number_of_requests(
    #[case] behaviour: Behaviour,
    #[case] requests: usize,
) {
    for _ in 0..2 {
        let (audit, server) = audit(&[behaviour]);
        audit.unwrap();
        let hits: Vec<String> = server.server().log();
        assert_eq!(server.hits(behaviour), requests, "{hits:?}");
    }
}

#[test]
fn twin_a_client_without_a_redirect_limit_never_ends() {
    let server = HostileServer::start(&[]).unwrap();
    let start = server.url(Behaviour::RedirectEndless);
    assert_eq!(naive_crawl(&server, &start, 300), 300);
    assert_eq!(server.hits(Behaviour::RedirectEndless), 300);
}

#[test]
fn a_redirect_loop_is_reported_and_an_endless_chain_is_counted_as_a_trap() {
    let (audit, server) = audit(&[Behaviour::RedirectCircle, Behaviour::RedirectEndless]);
    let audit = audit.unwrap();
    assert!(!affected(&audit, "redirect-loop").is_empty());
    let circle = server.url(Behaviour::RedirectCircle).to_string();
    assert!(
        affected(&audit, "redirect-loop")
            .iter()
            .any(|url| *url == circle || *url == server.start_url().as_str())
    );
    assert_eq!(skipped(&audit, "trap"), 1);
}

#[rstest]
#[case::itself("/", 1)]
#[case::circle("/b", 2)]
fn a_start_page_in_a_redirect_loop_fails_with_its_reason(
    #[case] target: &str,
    #[case] requests: usize,
) {
    let target = target.to_owned();
    let server = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::redirect(302, &target),
        "/b" => TestResponse::redirect(302, "/"),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let error = start(&server).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::TooManyRedirects));
    assert_eq!(server.hits("/") + server.hits("/b"), requests);
}

#[test]
fn a_start_page_after_a_million_redirects_causes_eleven_requests() {
    let server = LoopbackServer::start(move |request| {
        let here: u32 = request.path().trim_matches('/').parse().unwrap_or(0);
        match request.path() {
            "/robots.txt" => TestResponse::not_found(),
            _ => TestResponse::redirect(302, &format!("/{}", here + 1)),
        }
    })
    .unwrap();
    let error = start(&server).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::TooManyRedirects));
    let pages = server
        .log()
        .iter()
        .filter(|line| !line.ends_with("/robots.txt"))
        .count();
    assert_eq!(pages, 11);
}

#[rstest]
#[case("file:///etc/passwd")]
#[case("javascript:alert(1)")]
#[case("data:text/html,x")]
#[case("ftp://127.0.0.1/")]
fn a_start_page_that_redirects_off_http_is_not_followed(#[case] target: &str) {
    let target = target.to_owned();
    let server = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::redirect(302, &target),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let error = start(&server).unwrap_err();
    assert!(
        matches!(
            error.code(),
            Some(FailureCode::HttpError | FailureCode::TargetNotAllowed)
        ),
        "{error}"
    );
    assert_eq!(server.hits("/"), 1);
}

#[test]
fn a_redirect_to_another_port_of_loopback_never_reaches_it() {
    let canary = LoopbackServer::start(|_| TestResponse::html("secret")).unwrap();
    let target = canary.url("/secret").to_string();
    let server = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html("<!doctype html><title>x</title><a href=/out>Out</a>"),
        "/out" => TestResponse::redirect(302, &target),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    start(&server).unwrap();
    assert_eq!(server.hits("/out"), 1);
    assert_eq!(canary.connections(), 0);
}

#[test]
fn twin_if_the_other_port_is_allowed_the_redirect_is_followed() {
    let canary = LoopbackServer::start(|_| TestResponse::html("secret")).unwrap();
    let target = canary.url("/secret").to_string();
    let server = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html("<!doctype html><title>x</title><a href=/out>Out</a>"),
        "/out" => TestResponse::redirect(302, &target),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let listed = [server.target(), canary.target()];
    start_allowing(&server, &listed, true).unwrap();
    assert!(canary.connections() > 0);
}

fn start(server: &LoopbackServer) -> Result<audit_engine::Audit, audit_engine::AuditError> {
    start_allowing(server, &[server.target()], false)
}

fn start_allowing(
    server: &LoopbackServer,
    targets: &[String],
    external: bool,
) -> Result<audit_engine::Audit, audit_engine::AuditError> {
    let allow = targets
        .iter()
        .map(|target| target.parse().unwrap())
        .collect();
    let egress = audit_engine::egress::EgressOptions::new(allow, "TestBot/1.0".to_owned());
    let options = audit_engine::AuditOptions {
        external,
        ..crate::audit::options()
    };
    let auditor = audit_engine::Auditor::with_egress(egress, options).unwrap();
    crate::audit::runtime().block_on(auditor.audit(server.url("/").as_str()))
}
