//! robots.txt files that are none, or too much of one.

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
fn a_robots_txt_that_forbids_nothing_readable_lets_the_audit_go_on(#[case] behaviour: Behaviour) {
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
fn a_robots_txt_of_a_hundred_megabytes_is_read_as_far_as_its_limit() {
    // The page is disallowed in the first lines.
    let (audit, server) = audit(&[Behaviour::RobotsLarge]);
    let audit = audit.unwrap();
    let robots = audit.site.robots.robots().unwrap();
    assert!(robots.is_truncated());
    assert!(!robots.is_allowed("AssayBot", "/robots-large/page"));
    assert_eq!(server.server().hits("/robots.txt"), 1);
}

#[test]
fn a_robots_txt_that_has_a_fault_of_the_server_stops_the_audit() {
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
fn twin_where_robots_txt_is_not_obeyed_the_page_is_asked_for() {
    let ignoring = audit_engine::AuditOptions {
        respect_robots: false,
        ..options()
    };
    let (_, server) = audit_with(&[Behaviour::RobotsServerError], ignoring);
    assert!(server.server().hits("/") > 0);
}

#[test]
fn a_robots_txt_that_never_answers_is_a_time_out() {
    let started = Instant::now();
    let (audit, _) = audit_hastily(&[Behaviour::RobotsNoAnswer]);
    assert_eq!(audit.unwrap_err().code(), Some(FailureCode::Timeout));
    assert!(started.elapsed() < BOUND);
}
