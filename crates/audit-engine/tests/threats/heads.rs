//! Response heads that are slow, endless, too large or missing.

use std::time::{Duration, Instant};

use audit_engine::egress::EgressOptions;
use audit_engine::gather::FetchErrorKind;
use rstest::rstest;
use testkit::hostile::Behaviour;

use crate::audit::{BOUND, HEADER_TIMEOUT, affected, audit_hastily, fetch_hastily, still_waits};

#[test]
fn the_timeouts_are_5_s_to_connect_10_s_for_headers_and_30_s_in_total() {
    let options = EgressOptions::new(Default::default(), String::new());
    assert_eq!(options.connect_timeout, Duration::from_secs(5));
    assert_eq!(options.header_timeout, Duration::from_secs(10));
    assert_eq!(options.total_timeout, Duration::from_secs(30));
}

#[rstest]
#[case::slow(Behaviour::SlowHead, FetchErrorKind::Timeout)]
#[case::none(Behaviour::NoAnswer, FetchErrorKind::Timeout)]
#[case::interim_answers(Behaviour::InformationalFlood, FetchErrorKind::Timeout)]
#[case::endless(Behaviour::EndlessHeaders, FetchErrorKind::Protocol)]
#[case::many(Behaviour::ManyHeaders, FetchErrorKind::Protocol)]
#[case::large(Behaviour::LargeHeader, FetchErrorKind::Protocol)]
#[case::cookies(Behaviour::CookieFlood, FetchErrorKind::Protocol)]
#[case::two_lengths(Behaviour::TwoLengths, FetchErrorKind::Protocol)]
#[case::garbage(Behaviour::Garbage, FetchErrorKind::Protocol)]
#[case::http_0_9(Behaviour::Http09, FetchErrorKind::Protocol)]
#[case::closed(Behaviour::Closed, FetchErrorKind::Protocol)]
#[case::reset(Behaviour::Reset, FetchErrorKind::Protocol)]
fn a_response_without_a_valid_head_is_the_right_kind_of_error(
    #[case] behaviour: Behaviour,
    #[case] kind: FetchErrorKind,
) {
    let started = Instant::now();
    let error = fetch_hastily(behaviour, 10_000).unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(started.elapsed() < BOUND);
}

#[rstest]
#[case(Behaviour::SlowHead)]
#[case(Behaviour::NoAnswer)]
#[case(Behaviour::InformationalFlood)]
fn twin_without_the_header_timeout_the_client_keeps_waiting(#[case] behaviour: Behaviour) {
    assert!(still_waits(behaviour, HEADER_TIMEOUT * 2));
}

#[test]
fn pages_without_a_response_are_reported_and_the_audit_continues() {
    let behaviours = [
        Behaviour::SlowHead,
        Behaviour::NoAnswer,
        Behaviour::InformationalFlood,
        Behaviour::EndlessHeaders,
        Behaviour::ManyHeaders,
        Behaviour::LargeHeader,
        Behaviour::Garbage,
        Behaviour::Closed,
        Behaviour::Reset,
    ];
    let (audit, server) = audit_hastily(&behaviours);
    let audit = audit.unwrap();
    let mut expected: Vec<String> = behaviours
        .iter()
        .map(|behaviour| server.url(*behaviour).to_string())
        .collect();
    expected.sort();
    assert_eq!(affected(&audit, "fetch-failed"), expected);
    // A timeout is not retried; a broken connection is retried once.
    assert_eq!(server.hits(Behaviour::NoAnswer), 1);
    assert_eq!(server.hits(Behaviour::Reset), 2);
}
