use api_types::report::Report;

use crate::world::World;

#[actix_web::test]
async fn a_report_is_whole() {
    let world = World::new();
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
    for issue in &report.issues {
        assert!(issue.issue_id.starts_with("iss_"), "{issue:?}");
        let expected = format!("https://assay.example/checks/{}", issue.check_id);
        assert_eq!(issue.help_url, expected);
    }
}

#[actix_web::test]
async fn other_formats_are_named_as_missing() {
    let world = World::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    for format in ["pdf_url", "json", "html", "nonsense"] {
        let path = format!("/api/mcp/reports/{}?format={format}", completed.report);
        let reply = world.get(&path).await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, Some("format"))
        );
    }
    // The input comes before the id.
    let reply = world.get("/api/mcp/reports/nonsense?format=pdf_url").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    400
    {
      "code": "invalid_request",
      "detail": "format: This server has no other form of a report yet; leave the parameter out for JSON.",
      "errors": [
        {
          "field": "format",
          "message": "This server has no other form of a report yet; leave the parameter out for JSON."
        }
      ],
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 400,
      "title": "The request is not valid",
      "type": "https://assay.example/docs/errors#invalid_request"
    }
    "#);
}
