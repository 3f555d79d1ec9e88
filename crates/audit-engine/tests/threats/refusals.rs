//! Responses that block the crawler.

use std::time::{Duration, Instant};

use domain::FailureCode;
use rstest::rstest;
use testkit::hostile::Behaviour;

use crate::audit::{affected, audit};

#[test]
fn a_site_with_a_challenge_is_blocked_and_has_no_score() {
    let (audit, server) = audit(&[Behaviour::Challenge]);
    let error = audit.unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::Blocked));
    assert!(error.to_string().contains("challenge"), "{error}");
    assert_eq!(server.server().hits("/"), 1);
}

#[test]
fn a_login_wall_is_audited_as_a_page() {
    let (audit, _) = audit(&[Behaviour::LoginWall]);
    let audit = audit.unwrap();
    assert_eq!(audit.site.start.path(), "/login-wall/login");
    assert_eq!(audit.site.pages.len(), 1);
}

#[test]
fn a_page_with_status_999_is_not_a_broken_link() {
    let (audit, _) = audit(&[Behaviour::Status999]);
    assert!(affected(&audit.unwrap(), "link-broken-internal").is_empty());
}

#[rstest]
#[case::seconds(Behaviour::TooManyRequests)]
#[case::date(Behaviour::RetryDate)]
#[case::absurd(Behaviour::RetryAbsurd)]
fn a_rate_limited_page_is_requested_three_times_and_causes_no_delay(#[case] behaviour: Behaviour) {
    let started = Instant::now();
    let (audit, server) = audit(&[behaviour]);
    audit.unwrap();
    assert!(server.hits(behaviour) <= 3);
    assert!(started.elapsed() < Duration::from_secs(25));
}
