//! robots.txt files that are invalid or too large.

use std::time::Instant;

use domain::FailureCode;
use rstest::rstest;
use testkit::hostile::Behaviour;

use crate::audit::{BOUND, audit, audit_hastily, audit_with, options};

#[rstest]
#[case::html(Behaviour::RobotsHtml)]
#[case::utf_16(Behaviour::RobotsUtf16)]
#[case::forbidden(Behaviour::RobotsForbidden)]
#[case::redirects(Behaviour::RobotsRedirects)]
#[case::circle(Behaviour::RobotsCircle)]
#[case::bom(Behaviour::RobotsBom)]
#[case::slow(Behaviour::RobotsSlow)]
fn a_robots_txt_without_readable_rules_allows_the_audit(#[case] behaviour: Behaviour) {
    let started = Instant::now();
    let (audit, _) = audit_hastily(&[behaviour]);
    assert_eq!(audit.unwrap().site.pages.len(), 1);
    assert!(started.elapsed() < BOUND);
}

#[test]
fn redirects_of_robots_txt_are_followed_five_times() {
    let (_, server) = audit(&[Behaviour::RobotsRedirects]);
    let robots = server.server().hits("/robots.txt");
    assert_eq!(server.hits(Behaviour::RobotsRedirects) - robots, 5);
}

#[test]
fn a_robots_txt_of_100_mb_is_read_up_to_the_limit() {
    // The page is disallowed in the first lines.
    let (audit, server) = audit(&[Behaviour::RobotsLarge]);
    let audit = audit.unwrap();
    let robots = audit.site.robots.robots().unwrap();
    assert!(robots.is_truncated());
    assert!(!robots.is_allowed("AssayBot", "/robots-large/page"));
    assert_eq!(server.server().hits("/robots.txt"), 1);
}

#[test]
fn a_robots_txt_with_a_server_error_stops_the_audit() {
    let (audit, server) = audit(&[Behaviour::RobotsServerError]);
    assert!(audit.is_err());
    assert_eq!(
        server
            .server()
            .requests()
            .iter()
            .filter(|request| request.path() == "/" && request.method == "GET")
            .count(),
        0
    );
}

#[test]
fn twin_if_robots_txt_is_ignored_the_page_is_requested() {
    let ignoring = audit_engine::AuditOptions {
        respect_robots: false,
        ..options()
    };
    let (_, server) = audit_with(&[Behaviour::RobotsServerError], ignoring);
    assert!(server.server().hits("/") > 0);
}

#[test]
fn a_robots_txt_without_a_response_is_a_timeout() {
    let started = Instant::now();
    let (audit, _) = audit_hastily(&[Behaviour::RobotsNoAnswer]);
    assert_eq!(audit.unwrap_err().code(), Some(FailureCode::Timeout));
    assert!(started.elapsed() < BOUND);
}
