//! Endless URL spaces.

use audit_engine::AuditOptions;
use audit_engine::checks::find;
use domain::report::StoppedBy;
use rstest::rstest;
use testkit::hostile::{Behaviour, HostileServer};

use crate::audit::{audit, audit_with, naive_crawl, options, requests, skipped};

/// The page cap of an audit that would otherwise not end.
const CAP: u32 = 40;

fn capped() -> AuditOptions {
    AuditOptions {
        max_pages: CAP,
        only: Some(vec![find("title-missing").unwrap()]),
        ..options()
    }
}

#[rstest]
// The day without a query and twenty with one.
#[case::calendar(Behaviour::Calendar, 21)]
#[case::facets(Behaviour::Facets, 21)]
// At most two repetitions of a segment.
#[case::growing_path(Behaviour::GrowingPath, 4)]
fn a_crawl_trap_is_left_after_this_number_of_requests_and_reported(
    #[case] behaviour: Behaviour,
    #[case] expected: usize,
) {
    let mut runs = Vec::new();
    for _ in 0..2 {
        let (audit, server) = audit(&[behaviour]);
        let audit = audit.unwrap();
        assert_eq!(
            server.hits(behaviour),
            expected,
            "{:?}",
            server.server().log()
        );
        assert!(skipped(&audit, "trap") > 0);
        let findings = &audit.result.findings;
        let traps: Vec<_> = findings
            .iter()
            .filter(|finding| finding.check_id == "crawl-trap")
            .collect();
        assert_eq!(traps.len(), 1, "{traps:#?}");
        runs.push((requests(&server), audit.result.coverage.skipped));
    }
    assert_eq!(runs[0], runs[1]);
}

#[rstest]
#[case(Behaviour::SessionIds)]
#[case(Behaviour::SameBody)]
#[case(Behaviour::EndlessPages)]
fn a_space_of_new_paths_ends_at_the_page_cap(#[case] behaviour: Behaviour) {
    let cap = usize::try_from(CAP).unwrap();
    let mut runs = Vec::new();
    for _ in 0..2 {
        let (audit, server) = audit_with(&[behaviour], capped());
        let audit = audit.unwrap();
        assert!(server.hits(behaviour) <= cap, "{}", server.hits(behaviour));
        assert!(audit.site.pages.len() <= cap);
        assert!(!audit.result.coverage.complete);
        runs.push(requests(&server));
    }
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn the_page_cap_is_reported() {
    let (audit, _) = audit_with(&[Behaviour::EndlessPages], capped());
    let coverage = audit.unwrap().result.coverage;
    assert_eq!(coverage.stopped_by, Some(StoppedBy::PageCap));
    assert_eq!(coverage.pages_audited, u64::from(CAP));
}

#[test]
fn twin_with_a_higher_cap_an_endless_space_causes_as_many_requests() {
    let higher = AuditOptions {
        max_pages: CAP * 3,
        ..capped()
    };
    let (_, server) = audit_with(&[Behaviour::EndlessPages], higher);
    assert_eq!(
        server.hits(Behaviour::EndlessPages),
        usize::try_from(CAP * 3 - 1).unwrap()
    );
}

#[rstest]
#[case(Behaviour::Calendar)]
#[case(Behaviour::Facets)]
#[case(Behaviour::GrowingPath)]
#[case(Behaviour::SessionIds)]
#[case(Behaviour::SameBody)]
fn twin_a_crawler_without_a_cap_never_ends(#[case] behaviour: Behaviour) {
    let server = HostileServer::start(&[behaviour]).unwrap();
    let start = server.url(behaviour);
    assert_eq!(naive_crawl(&server, &start, 200), 200);
}
