use serde_json::{Value, json};

use super::*;
use crate::sample;
use domain::report::AuditResult;
use domain::score::DimensionWeights;

fn identity() -> Identity {
    Identity {
        report_id: None,
        run_id: None,
        site_id: None,
        created_at: "2026-01-31T08:00:00Z".to_owned(),
        help_base_url: "https://assay.example/".to_owned(),
    }
}

fn wire(result: &AuditResult, variant: Variant) -> Value {
    let report = Report::assemble(result, variant, &DimensionWeights::default());
    let mut next = 0;
    let wire = wire_report(&report, &identity(), || {
        next += 1;
        IssueIds {
            issue_id: format!("iss_{next}"),
            action_id: None,
        }
    });
    serde_json::to_value(wire).unwrap()
}

#[test]
fn an_issue_has_every_field() {
    let report = wire(&sample::good(), Variant::Current);
    insta::assert_snapshot!(serde_json::to_string_pretty(&report["issues"]).unwrap(), @r#"
        [
          {
            "actionId": null,
            "affectedPages": 1,
            "checkId": "meta-description",
            "confidence": "high",
            "description": "On 1 of 12 pages. There is no meta element named description. Search engines pick a passage themselves. It is often a menu.",
            "dimension": "seo",
            "fingerprint": "24680937b262fa3f5604926f6291d7f9",
            "helpUrl": "https://assay.example/checks/meta-description",
            "issueId": "iss_1",
            "occurrences": [
              {
                "line": null,
                "message": "There is no meta element named description.",
                "selector": null,
                "snippet": null,
                "url": "https://ferry.example/tickets"
              }
            ],
            "occurrencesTotal": 1,
            "recommendation": "Write one or two sentences on what the page is for.",
            "references": [
              "HTML Standard, 4.2.5.1 Standard metadata names"
            ],
            "scoreImpact": 0.13,
            "severity": "minor",
            "title": "Pages without a description"
          }
        ]
        "#);
}

#[test]
fn the_sum_is_shown() {
    let report = wire(&sample::bad(), Variant::Current);
    insta::assert_snapshot!(serde_json::to_string_pretty(&report["scoring"]["dimensions"]["seo"]).unwrap(), @r#"
        {
          "cap": {
            "checkId": "site-noindex",
            "maximum": 30,
            "reason": "no page can be indexed"
          },
          "checks": [
            {
              "affected": 1,
              "applicable": 12,
              "checkId": "meta-description",
              "deduction": 0.3968253968253968,
              "score": 0.9166666666666666,
              "weight": 1
            },
            {
              "affected": 0,
              "applicable": 12,
              "checkId": "seo-basics",
              "deduction": 0.0,
              "score": 1.0,
              "weight": 10
            },
            {
              "affected": 1,
              "applicable": 1,
              "checkId": "site-noindex",
              "deduction": 47.61904761904762,
              "score": 0.0,
              "weight": 10
            }
          ],
          "sumOfWeights": 21
        }
        "#);
    assert_eq!(report["subscores"]["seo"], 30);
}

#[test]
fn ids_that_are_not_known_are_null() {
    let report = wire(&sample::empty(), Variant::Current);
    for key in ["reportId", "runId", "siteId"] {
        assert_eq!(report.get(key), Some(&Value::Null));
    }
    assert_eq!(report["overallScore"], 100);
    assert_eq!(report["issues"], json!([]));
    assert_eq!(report["coverage"]["stoppedBy"], Value::Null);
}

#[test]
fn at_most_twenty_places_are_inline() {
    let mut result = sample::good();
    let place = result.findings[0].occurrences[0].clone();
    result.findings[0].occurrences = vec![place; 21];
    result.findings[0].occurrences_total = 5000;
    let report = wire(&result, Variant::Current);
    let issue = &report["issues"][0];
    assert_eq!(issue["occurrences"].as_array().unwrap().len(), 20);
    assert_eq!(issue["occurrencesTotal"], 5000);
}

#[test]
fn the_legacy_variant_does_not_know_the_sixth_dimension() {
    let report = wire(&sample::bad(), Variant::Legacy);
    assert!(!report.to_string().to_lowercase().contains("ai readiness"));
    assert!(!report.to_string().contains("aiReadiness"));
    assert!(!report.to_string().contains("llms"));
    assert_eq!(report["variant"], "legacy");
}
