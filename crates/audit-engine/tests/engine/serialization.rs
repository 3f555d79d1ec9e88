//! Results and reports as JSON and back (feature `serde`).

use std::sync::Arc;

use audit_engine::{AuditOptions, Auditor};
use domain::action::PageKey;
use domain::id::ReportId;
use domain::report::{AuditResult, Changes, IssueState, Report, Variant};
use domain::score::{DimensionWeights, Share};
use domain::target::AllowTargets;
use domain::{Dimension, Severity};
use serde_json::{Value, json};
use testkit::{ReplayFetcher, SequentialIds};

/// A site with findings of pages, resources and the site, checks that cannot run, and a score with a sum.
const SITE: &str = "=== /\n<!doctype html><title>Menu</title><img src=/cake.jpg><a href=/gone>x</a>\n\
    === /gone\nHTTP/1.1 404 Not Found\n\n=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nUser-agent: *\n";

#[expect(
    clippy::unwrap_used,
    reason = "clippy allows it in test functions, not in what they share"
)]
fn audited() -> AuditResult {
    let fetcher = Arc::new(ReplayFetcher::parse(SITE).unwrap());
    let auditor = Auditor::with_fetcher(fetcher, AllowTargets::default(), AuditOptions::default());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let audit = runtime.block_on(auditor.audit("https://example.com/"));
    audit.unwrap().result
}

#[test]
fn a_result_and_its_report_come_back_as_they_were() {
    let result = audited();
    assert!(!result.findings.is_empty() && !result.unjudged.is_empty() && !result.pages.is_empty());
    let text = serde_json::to_string(&result).unwrap();
    assert_eq!(serde_json::from_str::<AuditResult>(&text).unwrap(), result);

    let weights = DimensionWeights::default();
    for variant in Variant::ALL {
        let mut report = Report::assemble(&result, variant, &weights);
        report.issues[0].state = Some(IssueState::New);
        report.changes = Some(Changes {
            against: ReportId::make(&SequentialIds::default()),
            score_change: -3,
            subscore_changes: [(Dimension::AiReadiness, -7)].into(),
            scoring_version_changed: false,
            new_issues: 1,
            fixed_issues: 2,
            new_pages: 0,
            gone_pages: 4,
        });
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }
}

#[test]
fn names_are_those_of_the_api() {
    let report = Report::assemble(&audited(), Variant::Current, &DimensionWeights::default());
    let value = serde_json::to_value(&report).unwrap();
    assert_eq!(value["variant"], "current");
    assert!(value["score"]["dimensions"]["aiReadiness"].is_object());
    let issue = &value["issues"][0];
    for field in ["checkId", "scoreImpact", "occurrencesTotal", "causesTotal"] {
        assert!(!issue[field].is_null(), "{field}: {issue}");
    }
}

#[test]
fn values_that_the_types_do_not_have_are_refused() {
    assert!(serde_json::from_value::<Severity>(json!("terrible")).is_err());
    assert!(serde_json::from_value::<ReportId>(json!("rep_1")).is_err());
    assert!(serde_json::from_value::<PageKey>(json!("00")).is_err());
    assert!(serde_json::from_value::<Dimension>(Value::Null).is_err());
    let more_than_all: Share = serde_json::from_value(json!(4_000_000_000_u32)).unwrap();
    assert_eq!(more_than_all, Share::ONE);
}
