//! Reports as files.

use domain::report::{PageScores, PageVisit, Variant};
use serde_json::Value;
use testkit::sample;

use crate::world::{Fixture, unused_id};

const FORMS: [(&str, &str, &str); 7] = [
    ("html", "text/html; charset=utf-8", "html"),
    ("markdown", "text/markdown; charset=utf-8", "md"),
    ("sarif", "application/sarif+json", "sarif"),
    ("junit", "application/xml", "junit.xml"),
    ("csv", "text/csv; charset=utf-8; header=present", "csv"),
    ("json", "application/json", "json"),
    ("llm", "text/markdown; charset=utf-8", "llm.md"),
];

fn reported(world: &Fixture) -> String {
    let result = sample::audit_result();
    let completed = world.completed_with(&world.acme, "https://example.com/", &result);
    format!("/api/mcp/reports/{}", completed.report)
}

#[actix_web::test]
async fn every_form_is_answered_as_a_file_of_its_kind() {
    let world = Fixture::new();
    let path = reported(&world);
    for (format, media_type, extension) in FORMS {
        let reply = world.get(&format!("{path}?format={format}")).await;
        assert_eq!(reply.status, 200, "{format}: {}", reply.text());
        assert_eq!(reply.header("content-type"), Some(media_type));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        let disposition = reply.header("content-disposition").unwrap();
        let expected =
            format!("attachment; filename=\"assay-www.example.com-2026-11-21.{extension}\"");
        assert_eq!(disposition, expected);
    }
}

#[actix_web::test]
async fn the_page_may_do_nothing_but_its_own_style_and_script() {
    let world = Fixture::new();
    let path = reported(&world);
    let reply = world.get(&format!("{path}?format=html")).await;
    let policy = reply.header("content-security-policy").unwrap();
    for part in [
        "default-src 'none'",
        "script-src 'sha256-",
        "frame-ancestors 'none'",
        "sandbox",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[actix_web::test]
async fn the_page_has_all_pages_of_the_run_and_how_long_it_took() {
    let world = Fixture::new();
    let mut result = sample::audit_result();
    let page = |number: u32| PageVisit {
        url: format!("https://www.example.com/{number}"),
        status: Some(200),
        depth: Some(1),
        title: Some(format!("Page {number}")),
        bytes: Some(1_000),
        audited: true,
        leads_to: None,
        details: domain::report::PageDetails::default(),
        scores: PageScores::default(),
        issues: 0,
        issues_legacy: 0,
    };
    // More than are read at once.
    result.pages = (0..1_234).map(page).collect();
    let completed = world.completed_with(&world.acme, "https://example.com/", &result);
    let path = format!("/api/mcp/reports/{}?format=html", completed.report);
    let text = world.get(&path).await.text();
    for part in [
        "1,234 URLs of the site requested",
        "1.2 MB of HTML in 1,234 documents",
        "<br>Page 7</th>",
        "234 URLs are not in this file",
        " pages in ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[actix_web::test]
async fn the_file_of_json_is_the_report() {
    let world = Fixture::new();
    let path = reported(&world);
    let file = world.get(&format!("{path}?format=json")).await.json();
    assert_eq!(file, world.get(&path).await.json());
}

#[actix_web::test]
async fn tables_and_code_scanning_get_more_places_than_come_with_a_report() {
    let world = Fixture::new();
    let path = reported(&world);
    let report = world.get(&path).await.json();
    let issues = report["issues"].as_array().unwrap();
    let total = |issue: &&Value| issue["occurrencesTotal"].as_u64();
    let issue = issues.iter().max_by_key(total).unwrap();
    let kept = format!(
        "{path}/issues/{}/occurrences?limit=1",
        issue["issueId"].as_str().unwrap()
    );
    let kept = world.get(&kept).await.json()["occurrencesStored"]
        .as_u64()
        .unwrap();
    assert!(
        kept > 100,
        "the sample has more places than come with a report"
    );

    let table = world.get(&format!("{path}?format=csv")).await;
    let fingerprint = issue["causes"][0]["fingerprint"].as_str().unwrap();
    let rows = table.text().matches(fingerprint).count();
    assert_eq!(u64::try_from(rows).unwrap(), kept.min(1_000));

    let log = world.get(&format!("{path}?format=sarif")).await.json();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let of_issue = |result: &&Value| result["partialFingerprints"]["assayIssue/v1"] == *fingerprint;
    let result = results.iter().find(of_issue).unwrap();
    assert_eq!(result["locations"].as_array().unwrap().len(), 100);
    assert_eq!(
        result["occurrenceCount"],
        issue["causes"][0]["occurrencesTotal"]
    );
}

#[actix_web::test]
async fn the_older_variant_leaves_the_sixth_dimension_out_of_every_form() {
    let mut world = Fixture::new();
    let path = reported(&world);
    let has_sixth = |text: &str| text.contains("aiReadiness") || text.contains("AI readiness");
    let reply = world.get(&format!("{path}?format=markdown")).await;
    assert!(has_sixth(&reply.text()));
    world.variant = Variant::Legacy;
    for (format, ..) in FORMS {
        let reply = world.get(&format!("{path}?format={format}")).await;
        assert_eq!(reply.status, 200, "{format}");
        assert!(!has_sixth(&reply.text()), "{format}");
    }
}

#[actix_web::test]
async fn a_report_of_others_is_not_there_in_any_form() {
    let world = Fixture::new();
    let foreign = world.completed(&world.rival, "https://example.com/").report;
    for (format, ..) in FORMS {
        for report in [foreign.as_str(), &unused_id("rep"), "x"] {
            let reply = world
                .get(&format!("/api/mcp/reports/{report}?format={format}"))
                .await;
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (404, "not_found"),
                "{format}"
            );
        }
    }
}
