use api_types::report::{OccurrenceList, Report};
use domain::id::OrgId;
use rstest::rstest;
use testkit::sample;

use crate::world::{Fixture, unused_id};

/// The report of a run whose occurrences were written, as its path below `/api/mcp`.
fn reported(world: &Fixture, org: &OrgId) -> String {
    let result = sample::audit_result();
    let completed = world.completed_with(org, "https://example.com/", &result);
    format!("reports/{}", completed.report)
}

async fn report(world: &Fixture, path: &str) -> Report {
    let reply = world.get(&format!("/api/mcp/{path}")).await;
    serde_json::from_slice(&reply.body).unwrap()
}

async fn page(world: &Fixture, path: &str) -> OccurrenceList {
    let reply = world.get(&format!("/api/mcp/{path}")).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

#[actix_web::test]
async fn all_that_are_kept_come_page_by_page() {
    let world = Fixture::new();
    let path = reported(&world, &world.acme);
    let issues = report(&world, &path).await.issues;
    let longest = issues.iter().max_by_key(|issue| issue.occurrences_total);
    let issue = longest.unwrap();
    let path = format!("{path}/issues/{}/occurrences", issue.issue_id);
    let first = page(&world, &path).await;
    assert_eq!(first.occurrences.len(), 50);
    assert_eq!(first.occurrences_total, issue.occurrences_total);
    assert_eq!(first.occurrences[..5], issue.causes[0].occurrences);
    let mut all = first.occurrences;
    let mut next = first.next_cursor;
    while let Some(cursor) = next {
        let more = page(&world, &format!("{path}?limit=200&cursor={cursor}")).await;
        all.extend(more.occurrences);
        next = more.next_cursor;
    }
    assert_eq!(u64::try_from(all.len()).unwrap(), first.occurrences_stored);
    let (one, two) = (page(&world, &format!("{path}?limit=1")).await, &all[..2]);
    assert_eq!(one.occurrences, two[..1]);
    let cursor = one.next_cursor.unwrap();
    let second = page(&world, &format!("{path}?limit=1&cursor={cursor}")).await;
    assert_eq!(second.occurrences, two[1..]);
}

#[actix_web::test]
async fn those_of_a_cause_come_alone() {
    let world = Fixture::new();
    let path = reported(&world, &world.acme);
    let issues = report(&world, &path).await.issues;
    let issue = issues.iter().find(|issue| issue.causes_total > 1).unwrap();
    let path = format!("{path}/issues/{}/occurrences", issue.issue_id);
    let all = page(&world, &path).await;
    let mut found = Vec::new();
    for cause in &issue.causes {
        let path = format!("{path}?cause={}", cause.fingerprint);
        let of_cause = page(&world, &path).await;
        assert_eq!(of_cause.occurrences_total, cause.occurrences_total);
        assert_eq!(
            of_cause.occurrences[..cause.occurrences.len()],
            cause.occurrences
        );
        let mut one_by_one = Vec::new();
        let mut next = Some(String::new());
        while let Some(cursor) = next {
            let after = if cursor.is_empty() {
                String::new()
            } else {
                format!("&cursor={cursor}")
            };
            let one = page(&world, &format!("{path}&limit=1{after}")).await;
            one_by_one.extend(one.occurrences);
            next = one.next_cursor;
        }
        assert_eq!(one_by_one, of_cause.occurrences);
        found.extend(of_cause.occurrences);
    }
    assert_eq!(found, all.occurrences, "in the order of the causes");
}

#[actix_web::test]
async fn a_cause_of_another_issue_is_not_found() {
    let world = Fixture::new();
    let path = reported(&world, &world.acme);
    let issues = report(&world, &path).await.issues;
    let (one, other) = (&issues[0], &issues[1]);
    let foreign = &other.causes[0].fingerprint;
    let upper = one.causes[0].fingerprint.to_uppercase();
    let long = "0".repeat(2_000);
    for cause in [foreign.as_str(), "x", "%27", &upper, &long] {
        let path = format!(
            "/api/mcp/{path}/issues/{}/occurrences?cause={cause}",
            one.issue_id
        );
        let reply = world.get(&path).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (404, "not_found"),
            "{cause}"
        );
    }
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
        let path = format!("/api/mcp/{path}/issues/{}/occurrences", issue.issue_id);
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
        let path = format!("/api/mcp/{report}/issues/{issue}/occurrences");
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
#[case("cause=", "cause")]
#[case("cause=%00", "cause")]
#[case("page=2", "page")]
#[actix_web::test]
async fn what_is_wrong_is_named(#[case] query: &str, #[case] field: &str) {
    let path = format!("/api/mcp/reports/x/issues/y/occurrences?{query}");
    let reply = Fixture::new().get(&path).await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}
