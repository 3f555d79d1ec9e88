use api::ApiState;
use api_types::report::{PdfUrl, Report};
use chrono::TimeDelta;
use domain::ports::OrgStore;

use crate::world::{Client, Fixture, unused_id};

#[actix_web::test]
async fn a_report_is_whole() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let reply = world
        .get(&format!("/api/mcp/reports/{}", completed.report))
        .await;
    assert_eq!(reply.status, 200);
    let report: Report = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(report.report_id.as_deref(), Some(completed.report.as_str()));
    assert_eq!(report.run_id.as_deref(), Some(completed.run.as_str()));
    assert_eq!(report.site_id.as_deref(), Some(completed.site.as_str()));
    assert_eq!(report.created_at, "2026-11-21T12:00:00.000Z");
    assert!(report.subscores.ai_readiness.is_some());
    assert!(!report.issues.is_empty());
    assert!(!report.unjudged.is_empty());
    let mut checks: Vec<_> = report.issues.iter().map(|issue| &issue.check_id).collect();
    let issues = checks.len();
    checks.sort();
    checks.dedup();
    assert_eq!(checks.len(), issues, "one issue for each check");
    let gains = report.issues.iter().map(|issue| issue.score_impact);
    assert!(gains.is_sorted_by(|a, b| a >= b), "most gain first");
    for issue in &report.issues {
        assert!((1..=20).contains(&issue.causes.len()), "{issue:?}");
        for cause in &issue.causes {
            assert!((1..=5).contains(&cause.occurrences.len()), "{cause:?}");
        }
        assert!(issue.issue_id.starts_with("iss_"), "{issue:?}");
        let expected = format!("https://assay.example/checks/{}", issue.check_id);
        assert_eq!(issue.help_url, expected);
    }
}

#[actix_web::test]
async fn a_link_to_the_pdf_lasts_five_minutes_and_is_written_down() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    world.clock.advance(TimeDelta::milliseconds(900));
    let path = format!("/api/mcp/reports/{report}?format=pdf_url");
    // Looking is enough.
    let reply = world.client().await.get(&world.reader, &path).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "expiresAt": "2026-11-21T12:05:00.000Z",
      "url": "https://assay.example/dl/reports/rep_01KXZZ9Q80000000000000000C.pdf?exp=1795262700&kid=sample&sig=b75e93a4f238f602ad084582207a97f5a3c6c1c23e79044a369e79ee41ecc61c"
    }
    "#);
    let noted = world.stores.audit_log(&world.acme).unwrap().pop().unwrap();
    assert!(noted.actor.starts_with("key_"), "{noted:?}");
    insta::assert_snapshot!(format!("{} {} {}", noted.event, noted.subject, noted.detail), @"link.issued rep_01KXZZ9Q80000000000000000C PDF, until 2026-11-21T12:05:00Z");
    let link: PdfUrl = serde_json::from_slice(&reply.body).unwrap();
    let signature = link.url.rsplit_once("sig=").unwrap().1;
    let log = format!("{:?}", world.stores.audit_log(&world.acme).unwrap());
    assert!(!log.contains(signature));
}

#[actix_web::test]
async fn a_report_that_is_not_there_has_no_link_and_leaves_no_line() {
    let world = Fixture::new();
    let foreign = world.completed(&world.rival, "https://example.com/").report;
    let lines = |org| world.stores.audit_log(org).unwrap().len();
    let before = (lines(&world.acme), lines(&world.rival));
    for report in [foreign.as_str(), &unused_id("rep"), "x"] {
        let path = format!("/api/mcp/reports/{report}?format=pdf_url");
        let reply = world.get(&path).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
    }
    assert_eq!((lines(&world.acme), lines(&world.rival)), before);
}

#[actix_web::test]
async fn other_formats_are_refused_with_those_there_are() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let client = world.client().await;
    for format in [
        "pdf",
        "PDF_URL",
        "HTML",
        "pdf_url%20",
        "nonsense",
        "",
        "%00",
    ] {
        let path = format!("/api/mcp/reports/{}?format={format}", completed.report);
        let reply = client.get(&world.reader, &path).await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, Some("format")),
            "{format}"
        );
    }
    // The input comes before the id.
    let reply = world.get("/api/mcp/reports/nonsense?format=docx").await;
    insta::assert_snapshot!(reply.problem()["detail"].as_str().unwrap(), @"format: Must be one of `pdf_url`, `html`, `markdown`, `sarif`, `junit`, `csv`, `json` and `llm`; omit the parameter for JSON.");
}

#[actix_web::test]
async fn a_build_without_a_typesetter_says_so() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let state = ApiState {
        renderer: None,
        ..world.state()
    };
    let client = Client::new(&state).await;
    let path = format!("/api/mcp/reports/{report}?format=pdf_url");
    let reply = client.get(&world.reader, &path).await;
    assert_eq!(reply.field().as_deref(), Some("format"));
    insta::assert_snapshot!(reply.problem()["detail"].as_str().unwrap(), @"format: This build of the server does not support PDF. Must be one of `html`, `markdown`, `sarif`, `junit`, `csv`, `json` and `llm`; omit the parameter for JSON.");
    let link = crate::dl::link(&world, &report).await;
    assert_eq!(client.get("", &link).await.status, 404);
}
