use api_types::report::{Issue, Report, ReportDiff};
use domain::id::{OrgId, ReportId};
use domain::report::{AuditResult, Variant};
use rstest::rstest;
use serde_json::json;
use testkit::sample;

use crate::world::{Fixture, Reply, unused_id};

/// The sample without its findings of one check.
fn without(check_id: &str) -> AuditResult {
    let mut result = sample::audit_result();
    result
        .findings
        .retain(|finding| finding.check_id != check_id);
    result
        .tallies
        .checks
        .retain(|tally| tally.check_id != check_id);
    if check_id == "noindex" {
        result.caps.clear();
    }
    result
}

fn report(world: &Fixture, org: &OrgId, result: &AuditResult) -> ReportId {
    world
        .completed_with(org, "https://example.com/", result)
        .report
}

async fn compared(world: &Fixture, report: &ReportId, against: &str) -> Reply {
    let path = format!("/api/mcp/reports/{report}/diff?against={against}");
    world.client().await.get(&world.reader, &path).await
}

async fn diff(world: &Fixture, report: &ReportId, against: &ReportId) -> ReportDiff {
    let reply = compared(world, report, against.as_str()).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

async fn read(world: &Fixture, report: &ReportId) -> Report {
    let reply = world.get(&format!("/api/mcp/reports/{report}")).await;
    serde_json::from_slice(&reply.body).unwrap()
}

#[actix_web::test]
async fn what_is_new_fixed_and_persists_is_told_apart() {
    let world = Fixture::new();
    let before = report(&world, &world.acme, &without("cache-lifetime"));
    let now = report(&world, &world.acme, &without("noindex"));
    let diff = diff(&world, &now, &before).await;
    assert_eq!(
        (diff.report_id.as_str(), diff.against.as_str()),
        (now.as_str(), before.as_str())
    );
    let (now, before) = (read(&world, &now).await, read(&world, &before).await);
    // Issues are as their reports show them, ids and all.
    let of = |report: &Report, check_id: &str| {
        let mut issues = report.issues.clone();
        issues.retain(|issue| issue.check_id == check_id);
        issues
    };
    assert_eq!(diff.new, of(&now, "cache-lifetime"));
    assert_eq!(diff.fixed, of(&before, "noindex"));
    assert_eq!((diff.new.len(), diff.fixed.len()), (1, 1));
    let mut persisting = now.issues.clone();
    persisting.retain(|issue| issue.check_id != "cache-lifetime");
    assert_eq!(diff.persisting, persisting);
    assert_eq!(
        diff.score_change,
        i16::from(now.overall_score) - i16::from(before.overall_score)
    );
    assert!(diff.score_change > 0);
    assert!(!diff.catalogue_version_changed);
    insta::assert_snapshot!(json!(diff.subscore_changes).to_string(), @r#"{"accessibility":0,"aiReadiness":0,"content":0,"performance":-1,"security":0,"seo":59}"#);
}

#[actix_web::test]
async fn the_other_way_round_it_is_the_other_way_round() {
    let world = Fixture::new();
    let before = report(&world, &world.acme, &sample::audit_result());
    let now = report(&world, &world.acme, &without("broken-link"));
    let (there, back) = (
        diff(&world, &now, &before).await,
        diff(&world, &before, &now).await,
    );
    assert_eq!(there.score_change, -back.score_change);
    assert_eq!((there.fixed, there.new), (back.new, back.fixed));
}

#[actix_web::test]
async fn causes_of_one_check_are_told_apart() {
    let world = Fixture::new();
    let mut less = sample::audit_result();
    let mut findings = less.findings.iter_mut();
    let links = findings
        .find(|finding| finding.check_id == "broken-link")
        .unwrap();
    let gone = links.causes.remove(0);
    links.causes_total -= 1;
    links.occurrences_total -= gone.occurrences_total;
    let before = report(&world, &world.acme, &less);
    let now = report(&world, &world.acme, &sample::audit_result());
    let diff = diff(&world, &now, &before).await;
    let of = |issues: &[Issue]| {
        let mut links = issues
            .iter()
            .filter(|issue| issue.check_id == "broken-link");
        let issue = links.next().unwrap();
        let messages = issue.causes.iter().map(|cause| cause.message.clone());
        (issue.causes_total, messages.collect::<Vec<_>>())
    };
    assert_eq!(of(&diff.new), (1, vec![gone.title]));
    let (persisting, messages) = of(&diff.persisting);
    assert_eq!((persisting, messages.len()), (1, 1));
    assert_eq!(diff.fixed, []);
    assert_eq!(diff.new.len(), 1);
}

#[actix_web::test]
async fn a_report_differs_in_nothing_from_itself() {
    let world = Fixture::new();
    let report = report(&world, &world.acme, &sample::audit_result());
    let mut same = compared(&world, &report, report.as_str()).await.json();
    let persisting = same["persisting"].as_array().unwrap().len();
    assert_eq!(persisting, read(&world, &report).await.issues.len());
    same["persisting"] = json!(null);
    insta::assert_snapshot!(serde_json::to_string_pretty(&same).unwrap(), @r#"
    {
      "against": "rep_01KXZZ9Q80000000000000000C",
      "catalogueVersionChanged": false,
      "fixed": [],
      "lab": [],
      "new": [],
      "performanceIsNoise": false,
      "persisting": null,
      "reportId": "rep_01KXZZ9Q80000000000000000C",
      "scoreChange": 0,
      "scoringVersionChanged": false,
      "subscoreChanges": {
        "accessibility": 0,
        "aiReadiness": 0,
        "content": 0,
        "performance": 0,
        "security": 0,
        "seo": 0
      }
    }
    "#);
}

#[actix_web::test]
async fn the_older_variant_compares_what_it_shows() {
    let mut world = Fixture::new();
    let before = report(&world, &world.acme, &without("llms-txt"));
    let now = report(&world, &world.acme, &sample::audit_result());
    let current = diff(&world, &now, &before).await;
    assert_eq!(current.new.len(), 1);
    assert!(current.subscore_changes.ai_readiness.unwrap() < 0);
    world.variant = Variant::Legacy;
    let reply = compared(&world, &now, before.as_str()).await;
    assert!(!reply.text().contains("aiReadiness"), "{}", reply.text());
    let legacy = reply.json();
    assert_eq!(legacy["new"], json!([]));
    assert_eq!(legacy["scoreChange"], 0);
    assert_eq!(legacy["subscoreChanges"].as_object().unwrap().len(), 5);
}

#[actix_web::test]
async fn another_catalogue_is_marked() {
    let world = Fixture::new();
    let before = report(&world, &world.acme, &sample::clean_audit_result());
    let result = AuditResult {
        catalogue_version: "2".to_owned(),
        ..sample::clean_audit_result()
    };
    let now = report(&world, &world.acme, &result);
    assert!(diff(&world, &now, &before).await.catalogue_version_changed);
}

#[actix_web::test]
async fn reports_on_different_sites_are_not_compared() {
    let world = Fixture::new();
    let one = report(&world, &world.acme, &sample::audit_result());
    let other = world.completed(&world.acme, "https://example.org/").report;
    let reply = compared(&world, &one, other.as_str()).await;
    assert_eq!(
        (reply.status, reply.field().as_deref()),
        (400, Some("against"))
    );
    insta::assert_snapshot!(reply.problem()["detail"].as_str().unwrap(), @"against: The reports are of different sites.");
}

#[actix_web::test]
async fn the_other_report_is_the_callers_own() {
    let world = Fixture::new();
    let own = report(&world, &world.acme, &sample::audit_result());
    let foreign = report(&world, &world.rival, &sample::audit_result());
    let mut problems = Vec::new();
    for against in [
        foreign.as_str(),
        &unused_id("rep"),
        &own.as_str().to_lowercase(),
        "x",
        "rep_",
        "null",
        "%2e%2e",
        "site_01JD2Y3Z4A5B6C7D8E9F0GHJKM",
        &"a".repeat(2_000),
    ] {
        let reply = compared(&world, &own, against).await;
        assert_eq!(reply.status, 404, "{against}");
        problems.push(reply.problem());
    }
    let path = format!("/api/mcp/reports/{foreign}/diff?against={own}");
    problems.push(world.get(&path).await.problem());
    problems.dedup();
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[rstest]
#[case("", "against")]
#[case("?against=", "against")]
#[case("?against=a&against=b", "against")]
#[case("?against=%00", "against")]
#[case("?against=%ff", "against")]
#[case("?with=rep_1", "with")]
#[case("?against=x&limit=1", "limit")]
#[actix_web::test]
async fn what_is_wrong_is_named(#[case] query: &str, #[case] field: &str) {
    // The input comes before the id.
    let reply = Fixture::new()
        .get(&format!("/api/mcp/reports/x/diff{query}"))
        .await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}
