use api_types::report::{CauseList, Report};
use domain::action::PageKey;
use domain::id::OrgId;
use domain::report::{AuditResult, FindingCause};
use rstest::rstest;
use testkit::sample;

use crate::world::{Fixture, unused_id};

/// The check whose finding has many causes.
const CHECK: &str = "broken-link";
/// More than come with a report, and more than a page of the list has at most.
const CAUSES: u64 = 230;

/// The sample with a check that found many causes, the first of them most often.
fn many_causes() -> AuditResult {
    let mut result = sample::audit_result();
    let finding = result.findings.iter_mut();
    let finding = finding
        .into_iter()
        .find(|finding| finding.check_id == CHECK)
        .unwrap();
    let pattern = finding.causes[0].clone();
    let place = pattern.occurrences[0].clone();
    finding.pages = [PageKey::from_url(&place.url)].into();
    finding.causes = (0..CAUSES)
        .map(|number| FindingCause {
            key: format!("https://www.example.com/gone/{number}"),
            title: format!("Links that lead nowhere: /gone/{number}"),
            occurrences_total: CAUSES - number,
            occurrences: vec![place.clone()],
            ..pattern.clone()
        })
        .collect();
    finding.causes_total = CAUSES + 5;
    finding.occurrences_total = finding
        .causes
        .iter()
        .map(|cause| cause.occurrences_total)
        .sum();
    result
}

/// The report of a run, as its path below `/api/mcp`.
fn reported(world: &Fixture, org: &OrgId) -> String {
    let completed = world.completed_with(org, "https://example.com/", &many_causes());
    format!("reports/{}", completed.report)
}

async fn report(world: &Fixture, path: &str) -> Report {
    let reply = world.get(&format!("/api/mcp/{path}")).await;
    serde_json::from_slice(&reply.body).unwrap()
}

async fn page(world: &Fixture, path: &str) -> CauseList {
    let reply = world.get(&format!("/api/mcp/{path}")).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

#[actix_web::test]
async fn all_that_are_kept_come_page_by_page_the_largest_first() {
    let world = Fixture::new();
    let path = reported(&world, &world.acme);
    let issues = report(&world, &path).await.issues;
    let issue = issues.iter().find(|issue| issue.check_id == CHECK).unwrap();
    assert_eq!((issue.causes.len(), issue.causes_total), (20, CAUSES + 5));
    let path = format!("{path}/issues/{}/causes", issue.issue_id);
    let first = page(&world, &path).await;
    assert_eq!(first.causes.len(), 50);
    assert_eq!(first.causes[..20], issue.causes);
    assert_eq!(
        (first.causes_total, first.causes_stored),
        (CAUSES + 5, CAUSES)
    );
    assert_eq!(
        (first.occurrences_total, first.occurrences_stored),
        (issue.occurrences_total, CAUSES)
    );
    let mut all = first.causes;
    let mut next = first.next_cursor;
    while let Some(cursor) = next {
        let more = page(&world, &format!("{path}?limit=200&cursor={cursor}")).await;
        all.extend(more.causes);
        next = more.next_cursor;
    }
    assert_eq!(u64::try_from(all.len()).unwrap(), CAUSES);
    let totals = all.iter().map(|cause| cause.occurrences_total);
    assert!(totals.is_sorted_by(|a, b| a > b), "largest first");
    let cursor = page(&world, &format!("{path}?limit=1")).await.next_cursor;
    let second = format!("{path}?limit=1&cursor={}", cursor.unwrap());
    assert_eq!(page(&world, &second).await.causes, all[1..2]);
}

#[actix_web::test]
async fn the_older_variant_has_no_issue_of_the_sixth_dimension() {
    let mut world = Fixture::new();
    let path = reported(&world, &world.acme);
    let all = report(&world, &path).await.issues;
    world.variant = domain::report::Variant::Legacy;
    let shown = report(&world, &path).await.issues;
    let is_shown = |id: &str| shown.iter().any(|issue| issue.issue_id == id);
    assert!(shown.len() < all.len());
    for issue in all {
        let path = format!("/api/mcp/{path}/issues/{}/causes", issue.issue_id);
        let expected = if is_shown(&issue.issue_id) { 200 } else { 404 };
        assert_eq!(world.get(&path).await.status, expected, "{issue:?}");
    }
}

#[actix_web::test]
async fn an_issue_is_looked_for_in_its_report_alone() {
    let world = Fixture::new();
    let own = reported(&world, &world.acme);
    let other = reported(&world, &world.acme);
    let foreign = reported(&world, &world.rival);
    let issue = report(&world, &own).await.issues.remove(0).issue_id;
    let unknown = unused_id("iss");
    for (report, issue) in [
        (&other, issue.as_str()),
        (&foreign, &issue),
        (&own, &unknown),
        (&own, "x"),
        (&own, "%00"),
        (&own, &issue.to_lowercase()),
    ] {
        let path = format!("/api/mcp/{report}/issues/{issue}/causes");
        let reply = world.get(&path).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (404, "not_found"),
            "{path}"
        );
    }
}

#[rstest]
#[case("limit=0", "limit")]
#[case("limit=201", "limit")]
#[case("cursor=x", "cursor")]
#[case("cursor=o0000003100000000", "cursor")]
#[case("cause=x", "cause")]
#[actix_web::test]
async fn what_is_wrong_is_named(#[case] query: &str, #[case] field: &str) {
    let path = format!("/api/mcp/reports/x/issues/y/causes?{query}");
    let reply = Fixture::new().get(&path).await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}
