use domain::Confidence;
use domain::report::{LabMetrics, LabProfile, PageMeasurement, Report, Variant};
use domain::score::{DimensionWeights, Metric, MetricGrades, MetricTally};
use report::json::{Identity, IssueIds, wire_report};
use rstest::rstest;
use serde_json::{Value, json};
use testkit::{LoopbackServer, TestResponse, sample};

use crate::{Home, Kind, site};

/// Removes the parts of a report that differ from run to run: ids, times, and whether there was an earlier report.
fn lasting(mut report: Value) -> Value {
    for key in ["reportId", "runId", "createdAt"] {
        assert!(report[key].is_string(), "{report:#}");
        report[key] = Value::Null;
    }
    report["changes"] = Value::Null;
    for issue in report["issues"].as_array_mut().unwrap() {
        issue["issueId"] = Value::Null;
        issue["state"] = Value::Null;
        for cause in issue["causes"].as_array_mut().unwrap() {
            cause["state"] = Value::Null;
        }
    }
    report
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn two_audits_of_a_site_agree(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let url = site.url("/").to_string();
    let first = client.report_on(&url);
    let second = client.report_on(&url);
    assert_eq!(first["coverage"]["pagesAudited"], 4, "{first:#}");
    assert!(!first["issues"].as_array().unwrap().is_empty());
    assert_eq!(lasting(first.clone()), lasting(second));

    let sites = client.get("/api/mcp/sites").body;
    let listed = &sites["sites"][0];
    assert_eq!(listed["siteId"], first["siteId"]);
    assert_eq!(listed["latestScore"], first["overallScore"]);
    let site_id = first["siteId"].as_str().unwrap();
    let history = client
        .get(&format!("/api/mcp/sites/{site_id}/history?limit=1"))
        .body;
    assert_eq!(history["runs"].as_array().unwrap().len(), 1);
    assert_eq!(history["runs"][0]["overallScore"], first["overallScore"]);
    assert_eq!(history["runs"][0]["subscores"], first["subscores"]);
    let schedule = client
        .get(&format!("/api/mcp/sites/{site_id}/schedule"))
        .body;
    assert_eq!(schedule["enabled"], false);
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_older_variant_has_five_subscores_everywhere(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    std::fs::write(home.path("assay.toml"), "variant = \"legacy\"\n").unwrap();
    let service = home.serve(&["--allow-target", &site.target()]);
    let report = service.client().report_on(site.url("/").as_str());
    assert_eq!(report["variant"], "legacy");
    assert_eq!(report["subscores"].as_object().unwrap().len(), 5);
    let parts: f64 = report["subscores"]
        .as_object()
        .unwrap()
        .values()
        .map(|score| 1.0 / score.as_f64().unwrap().max(1.0))
        .sum();
    // The harmonic mean of the five; subscores are rounded here, so it may be half a point off.
    let overall = report["overallScore"].as_f64().unwrap();
    assert!((overall - 5.0 / parts).abs() <= 1.0, "{report}");
    assert!(!report.to_string().contains("aiReadiness"));
    let site_id = report["siteId"].as_str().unwrap();
    let history = service
        .client()
        .get(&format!("/api/mcp/sites/{site_id}/history"))
        .body;
    assert_eq!(history["runs"][0]["subscores"], report["subscores"]);
    assert_eq!(history["runs"][0]["overallScore"], report["overallScore"]);
    drop(service);

    // The same data served as the other variant: nothing was lost.
    std::fs::write(home.path("assay.toml"), "").unwrap();
    let service = home.serve(&[]);
    let id = report["reportId"].as_str().unwrap();
    let current = service.client().get(&format!("/api/mcp/reports/{id}")).body;
    assert_eq!(current["subscores"].as_object().unwrap().len(), 6);
    assert!(
        current["issues"].as_array().unwrap().len() > report["issues"].as_array().unwrap().len()
    );
}

#[test]
fn a_site_that_is_down_fails_with_its_reason() {
    let (home, site) = (Home::new(Kind::Sqlite), site());
    let (target, url) = (site.target(), site.url("/").to_string());
    drop(site);
    let service = home.serve(&["--allow-target", &target]);
    let client = service.client();
    let run = client.ended(&client.start(&url));
    assert_eq!(run["status"], "failed");
    assert_eq!(run["error"]["code"], "connection_refused");
    assert_eq!(run["reportId"], Value::Null);
    assert!(run["finishedAt"].is_string());
}

#[test]
fn options_reach_the_engine() {
    let (home, site) = (Home::new(Kind::Sqlite), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let audited = |options: Value| {
        let body = json!({ "url": site.url("/").as_str(), "options": options });
        let answer = client.post("/api/mcp/start-audit", &body);
        assert_eq!(answer.status, 202, "{answer:?}");
        let run = client.ended(answer.body["runId"].as_str().unwrap());
        let report = run["reportId"].as_str().unwrap();
        let report = client.get(&format!("/api/mcp/reports/{report}")).body;
        report["coverage"]["pagesAudited"].as_u64().unwrap()
    };
    assert_eq!(audited(json!({ "maxPages": 2 })), 2);
    assert_eq!(audited(json!({ "maxDepth": 1 })), 3);
    // Links on an excluded page are still followed.
    assert_eq!(audited(json!({ "exclude": ["/a"] })), 3);
    assert_eq!(audited(json!({ "include": ["/b"], "mode": "static" })), 2);
}

#[test]
fn the_service_does_not_audit_itself() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.0/8"]);
    let url = format!("http://{}/", service.address);
    let answer = service
        .client()
        .post("/api/mcp/start-audit", &json!({ "url": url }));
    assert_eq!(answer.status, 400, "{answer:?}");
    assert_eq!(answer.body["code"], "target_not_allowed");
}

/// With every address allowed, neither a literal nor a redirect reaches the service's own port.
#[test]
fn no_spelling_of_the_own_listener_is_audited() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "0.0.0.0/0", "--allow-target", "::/0"]);
    let port = service.address.rsplit_once(':').unwrap().1.to_owned();
    let client = service.client();
    for host in [
        "0.0.0.0",
        "0",
        "[::]",
        "[::ffff:0.0.0.0]",
        "127.0.0.1",
        "[::ffff:127.0.0.1]",
        "0x7f.1",
    ] {
        let url = format!("http://{host}:{port}/");
        let answer = client.post("/api/mcp/start-audit", &json!({ "url": url }));
        assert_eq!(answer.status, 400, "{url}: {answer:?}");
        assert_eq!(answer.body["code"], "target_not_allowed", "{url}");
    }
    let to = format!("http://0.0.0.0:{port}/reached-by-redirect");
    let site = LoopbackServer::start(move |_| TestResponse::new(302, "").header("Location", &to));
    let site = site.unwrap();
    let run = client.start(site.url("/").as_str());
    assert_eq!(client.ended(&run)["status"], "failed");
    let (_, log) = service.stop();
    assert!(!log.contains("reached-by-redirect"), "{log}");
}

/// What the script says about a report and its pages.
fn recomputed(home: &Home, report: &Value, pages: &Value) -> std::process::Output {
    let (report_file, pages_file) = (home.path("report.json"), home.path("pages.json"));
    std::fs::write(&report_file, report.to_string()).unwrap();
    std::fs::write(&pages_file, pages.to_string()).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/recompute-score");
    let mut command = std::process::Command::new(script);
    command.arg(report_file).arg(pages_file).output().unwrap()
}

#[test]
fn the_script_recomputes_the_scores_of_a_report() {
    let (home, site) = (Home::new(Kind::Sqlite), site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let report = client.report_on(site.url("/").as_str());
    let id = report["reportId"].as_str().unwrap();
    let pages = client.get(&format!("/api/mcp/reports/{id}/pages?limit=200"));
    let recompute = |report: &Value| recomputed(&home, report, &pages.body);
    let output = recompute(&report);
    assert!(output.status.success(), "{output:?}");
    // A wrong score is noticed.
    let mut wrong = report;
    let score = wrong["overallScore"].as_u64().unwrap();
    wrong["overallScore"] = json!(score - 1);
    assert_eq!(recompute(&wrong).status.code(), Some(1));
}

#[test]
fn the_script_recomputes_a_score_with_measured_pages() {
    let home = Home::new(Kind::Sqlite);
    let mut grades = MetricGrades::default();
    for (metric, grade) in Metric::ALL.into_iter().zip([94, 91, 94, 99, 99]) {
        grades.set(metric, grade);
    }
    let mut result = sample::clean_audit_result();
    result.tallies.metrics = Some(MetricTally::of_pages([grades]));
    result.coverage.measured = vec![PageMeasurement {
        url: result.url.clone(),
        profile: LabProfile::MobileSlow4g,
        runs: 3,
        metrics: LabMetrics {
            fcp_ms: Some(1_600),
            lcp_ms: Some(2_400),
            tbt_ms: Some(150),
            cls_thousandths: Some(50),
            speed_index_ms: Some(2_300),
            ..LabMetrics::default()
        },
        spread: None,
        score: grades.score(),
        confidence: Confidence::High,
        benchmark: 1_420,
    }];
    let report = Report::assemble(&result, Variant::Current, &DimensionWeights::default());
    let identity = Identity {
        report_id: None,
        run_id: None,
        site_id: None,
        created_at: "2026-11-21T12:05:40.000Z".to_owned(),
        help_base_url: String::new(),
    };
    let ids = || IssueIds {
        issue_id: String::new(),
        action_id: None,
    };
    let wire = serde_json::to_value(wire_report(&report, &identity, ids)).unwrap();
    // Each page of the sample has the mean score of its dimension.
    let dimensions = wire["scoring"]["dimensions"].as_object().unwrap().iter();
    let scores: serde_json::Map<String, Value> = dimensions
        .map(|(name, dimension)| (name.clone(), dimension["pages"]["mean"].clone()))
        .collect();
    let count = wire["scoring"]["dimensions"]["seo"]["pages"]["count"]
        .as_u64()
        .unwrap();
    let pages = vec![json!({"scores": scores}); usize::try_from(count).unwrap()];
    let pages = json!({"pages": pages});
    let recompute = |report: &Value| recomputed(&home, report, &pages);
    let output = recompute(&wire);
    assert!(output.status.success(), "{output:?}");
    // A value that does not lead to the score is noticed.
    let mut wrong = wire;
    wrong["lab"][0]["lcp"] = json!(4_000);
    assert_eq!(recompute(&wrong).status.code(), Some(1));
}
