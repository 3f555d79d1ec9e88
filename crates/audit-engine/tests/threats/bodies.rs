//! Bodies that are compression bombs, endless, slow or mislabeled.

use std::time::Instant;

use audit_engine::AuditOptions;
use rstest::rstest;
use testkit::hostile::{Behaviour, HostileServer};

use crate::audit::{
    BOUND, TOTAL_TIMEOUT, affected, audit, audit_of, audit_with, egress, fetch, fetch_from,
    fetch_hastily, hasty, options, still_waits,
};

const LIMIT: u64 = 100_000;

#[rstest]
#[case(Behaviour::GzipBomb)]
#[case(Behaviour::DeflateBomb)]
#[case(Behaviour::BrotliBomb)]
#[case(Behaviour::ZstdBomb)]
#[case(Behaviour::DoubleGzip)]
#[case(Behaviour::EndlessBody)]
#[case(Behaviour::EndlessChunks)]
fn an_oversized_body_is_truncated_at_the_limit_and_marked(#[case] behaviour: Behaviour) {
    let started = Instant::now();
    let answer = fetch(behaviour, LIMIT).unwrap();
    assert!(answer.truncated);
    assert_eq!(u64::try_from(answer.body.len()).unwrap(), LIMIT);
    assert!(answer.wire_bytes <= LIMIT);
    assert!(started.elapsed() < BOUND);
}

#[rstest]
#[case(Behaviour::GzipBomb)]
#[case(Behaviour::DeflateBomb)]
#[case(Behaviour::BrotliBomb)]
#[case(Behaviour::ZstdBomb)]
fn twin_with_a_higher_limit_a_small_response_fills_the_memory(#[case] behaviour: Behaviour) {
    let server = HostileServer::start(&[]).unwrap();
    let raised = 40 << 20;
    let answer = fetch_from(egress(&server), server.url(behaviour), raised).unwrap();
    assert_eq!(u64::try_from(answer.body.len()).unwrap(), raised);
    assert!(answer.wire_bytes * 30 < raised, "{}", answer.wire_bytes);
}

#[rstest]
#[case::slow(Behaviour::SlowBody)]
#[case::too_short(Behaviour::LengthTooLong)]
#[case::reset(Behaviour::ResetInBody)]
#[case::broken_chunks(Behaviour::BrokenChunks)]
#[case::truncated_gzip(Behaviour::TruncatedGzip)]
fn an_incomplete_body_is_truncated(#[case] behaviour: Behaviour) {
    let answer = fetch_hastily(behaviour, 1 << 20).unwrap();
    assert!(answer.truncated);
    assert!(!answer.body.is_empty());
}

#[test]
fn twin_without_the_total_timeout_a_slow_body_blocks_the_client() {
    assert!(still_waits(Behaviour::SlowBody, TOTAL_TIMEOUT * 2));
}

#[test]
fn data_after_the_content_length_is_not_read() {
    let answer = fetch(Behaviour::LengthTooShort, 1 << 20).unwrap();
    assert_eq!((answer.body.len(), answer.truncated), (60, false));
}

#[rstest]
#[case(Behaviour::WrongCoding)]
#[case(Behaviour::ManyCodings)]
fn an_invalid_content_coding_is_reported_without_a_crash(#[case] behaviour: Behaviour) {
    let answer = fetch(behaviour, 1 << 20).unwrap();
    assert!(answer.truncated);
    assert!(answer.body.len() < 10_000);
}

#[test]
fn truncated_pages_are_reported() {
    let behaviours = [
        Behaviour::SlowBody,
        Behaviour::LengthTooLong,
        Behaviour::ResetInBody,
        Behaviour::TruncatedGzip,
    ];
    let check = audit_engine::checks::find("page-truncated").unwrap();
    let only = AuditOptions {
        only: Some(vec![check]),
        ..options()
    };
    let server = HostileServer::start(&behaviours).unwrap();
    let audit = audit_of(&server, hasty(&server), only);
    let mut expected: Vec<String> = behaviours
        .iter()
        .map(|behaviour| server.url(*behaviour).to_string())
        .collect();
    expected.sort();
    assert_eq!(affected(&audit.unwrap(), "page-truncated"), expected);
}

#[test]
fn a_compression_bomb_is_audited_up_to_ten_mebibytes() {
    let check = audit_engine::checks::find("page-truncated").unwrap();
    let only = AuditOptions {
        only: Some(vec![check]),
        ..options()
    };
    let (audit, server) = audit_with(&[Behaviour::ZstdBomb], only);
    let audit = audit.unwrap();
    let bomb = server.url(Behaviour::ZstdBomb);
    let page = audit.site.pages.iter().find(|page| page.url == bomb);
    assert_eq!(page.unwrap().bytes, 10 << 20);
    assert_eq!(affected(&audit, "page-truncated"), [bomb.as_str()]);
}

#[test]
fn oversized_style_sheets_and_images_end_in_time() {
    let behaviours = [
        Behaviour::CssImports,
        Behaviour::CssBomb,
        Behaviour::HugeImage,
    ];
    let started = Instant::now();
    let (audit, server) = audit(&behaviours);
    assert_eq!(audit.unwrap().site.pages.len(), 4);
    assert!(started.elapsed() < BOUND);
    // The page, its style sheet, and the first 500 of its 1,110 nested imports.
    assert_eq!(server.hits(Behaviour::CssImports), 2 + 500);
}
