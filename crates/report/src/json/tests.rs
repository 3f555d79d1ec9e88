use serde_json::{Value, json};

use super::*;
use crate::sample::{self, Causes};
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
            "causes": [
              {
                "affectedPages": 1,
                "fingerprint": "24680937b262fa3f5604926f6291d7f9",
                "message": "Pages without a description",
                "occurrences": [
                  {
                    "artifactId": null,
                    "line": null,
                    "message": "There is no meta element named description.",
                    "selector": null,
                    "snippet": null,
                    "url": "https://ferry.example/tickets",
                    "waiverId": null
                  }
                ],
                "occurrencesTotal": 1,
                "scoreImpact": 0.03,
                "state": null,
                "waived": 0
              }
            ],
            "causesTotal": 1,
            "checkId": "meta-description",
            "confidence": "high",
            "description": "On 1 of 12 pages. There is no meta element named description. Search engines pick a passage themselves. It is often a menu.",
            "dimension": "seo",
            "helpUrl": "https://assay.example/checks/meta-description",
            "issueId": "iss_1",
            "occurrencesTotal": 1,
            "recommendation": "Write one or two sentences on what the page is for.",
            "references": [
              "HTML Standard, 4.2.5.1 Standard metadata names"
            ],
            "scoreImpact": 0.03,
            "severity": "minor",
            "state": null,
            "title": "Pages without a description",
            "waived": 0
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
              "checkId": "seo-basics",
              "cost": 0.0,
              "failed": 0,
              "judged": 12,
              "penalty": 0.2,
              "reach": 0.0,
              "scope": "page",
              "severity": "serious"
            },
            {
              "checkId": "meta-description",
              "cost": 0.0,
              "failed": 1,
              "judged": 12,
              "penalty": 0.02,
              "reach": 0.083333333,
              "scope": "page",
              "severity": "minor"
            },
            {
              "checkId": "site-noindex",
              "cost": 69.8333333,
              "failed": 1,
              "judged": 1,
              "penalty": 0.45,
              "reach": 1.0,
              "scope": "site",
              "severity": "critical"
            }
          ],
          "metrics": null,
          "pages": {
            "count": 12,
            "mean": 99.8333333
          }
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
fn the_largest_causes_are_inline_with_their_first_places() {
    let mut result = sample::good();
    let finding = result.findings.remove(0);
    let place = finding.causes[0].occurrences[0].clone();
    let titles: Vec<_> = (0..21).map(|number| number.to_string()).collect();
    let causes: Vec<_> = titles.iter().map(|title| (title.as_str(), 100)).collect();
    result
        .findings
        .push(finding.with_causes(&causes, &vec![place; 6]));
    let report = wire(&result, Variant::Current);
    let issue = &report["issues"][0];
    assert_eq!(issue["occurrencesTotal"], 2_100);
    assert_eq!(issue["causesTotal"], 21);
    let causes = issue["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 20);
    assert_eq!(causes[0]["occurrences"].as_array().unwrap().len(), 5);
}

#[test]
fn what_was_not_judged_is_listed_with_its_reason() {
    let report = wire(&sample::bad(), Variant::Current);
    let unjudged = report["unjudged"].as_array().unwrap();
    assert_eq!(unjudged.len(), 9);
    assert!(unjudged.contains(&json!({
        "checkId": "link-broken-internal",
        "reason": "only the first 1,000 links of a page are judged.",
        "count": 12_345,
    })));
}

/// As many issues as there are checks, with texts as long as they are kept, of which each character
/// takes six bytes in JSON where that is possible.
fn huge(issues: usize) -> Report {
    let place = |number: usize| Occurrence {
        url: format!("https://ferry.example/{number:05}{}", "u".repeat(2_021)),
        selector: Some("\u{1}".repeat(2_000)),
        snippet: Some("\u{202e}".repeat(200)),
        line: Some(1_000_000),
        message: "\u{7f}".repeat(500),
        waiver: None,
        artifact: None,
    };
    let places: Vec<_> = (0..5).map(place).collect();
    let titles: Vec<_> = (0..20)
        .map(|number| format!("{number}{}", "\u{200b}".repeat(500)))
        .collect();
    let causes: Vec<_> = titles.iter().map(|title| (title.as_str(), 7_000)).collect();
    let mut result = sample::empty();
    result.findings = (0..issues)
        .map(|number| {
            let finding = sample::good().findings.remove(0);
            domain::report::Finding {
                check_id: format!("check-{number:04}"),
                why: "\u{feff}".repeat(1_000),
                ..finding.with_causes(&causes, &places)
            }
        })
        .collect();
    sample::report(&result)
}

/// The longest form of the JSON.
fn longest(value: &impl serde::Serialize) -> usize {
    unmoving(&serde_json::to_string_pretty(value).unwrap()).len()
}

fn assert_each_has_an_example(issues: &[wire::Issue]) {
    for issue in issues {
        assert!(!issue.causes.is_empty());
        for cause in &issue.causes {
            assert!(!cause.occurrences.is_empty());
        }
    }
}

fn no_ids() -> IssueIds {
    IssueIds {
        issue_id: format!("iss_{:026}", 0),
        action_id: None,
    }
}

#[test]
fn a_report_of_any_site_has_at_most_two_mebibytes_and_every_issue_an_example() {
    for (issues, causes) in [(150, 20), (300, 1)] {
        let mut report = huge(issues);
        for issue in &mut report.issues {
            issue.causes.truncate(causes);
        }
        let wire = wire_report(&report, &identity(), no_ids);
        let bytes = longest(&wire);
        assert!(bytes <= MAX_REPORT_BYTES, "{issues} issues: {bytes}");
        assert!(bytes > MAX_REPORT_BYTES / 3, "{issues} issues: {bytes}");
        assert_eq!(wire.issues.len(), issues);
        assert_each_has_an_example(&wire.issues);
        for issue in &wire.issues {
            assert_eq!((issue.causes_total, issue.occurrences_total), (20, 140_000));
        }
    }
}

#[test]
fn the_issues_of_least_gain_are_the_first_to_carry_less() {
    let report = huge(4);
    let wire = wire_report(&report, &identity(), no_ids);
    assert_eq!(wire, wire_report(&report, &identity(), no_ids));
    assert!(longest(&wire) <= MAX_REPORT_BYTES);
    let causes: Vec<_> = wire.issues.iter().map(|issue| issue.causes.len()).collect();
    assert!(causes.is_sorted_by(|one, other| one >= other), "{causes:?}");
    assert!(causes.first() > causes.last(), "{causes:?}");
}

#[test]
fn a_report_that_is_small_enough_carries_all() {
    let wire = wire_report(&huge(2), &identity(), no_ids);
    for issue in &wire.issues {
        assert_eq!(issue.causes.len(), 20);
        assert!(
            issue
                .causes
                .iter()
                .all(|cause| cause.occurrences.len() == 5)
        );
    }
}

#[test]
fn a_comparison_has_at_most_two_mebibytes_and_shows_the_causes_compared() {
    let report = huge(150);
    let identity = domain::ports::IssueIdentity {
        issue_id: domain::id::IssueId::parse(&format!("iss_{:026}", 0)).unwrap(),
        action_id: None,
    };
    let compared = |issue, causes| {
        let compared = ComparedIssue {
            issue,
            identity: &identity,
            causes,
        };
        compared_issue(&compared, no_ids(), "https://assay.example")
    };
    let part = |from: usize, to: usize| -> Vec<_> {
        let issues = report.issues.iter();
        issues
            .map(|issue| compared(issue, issue.causes[from..to].iter().collect()))
            .collect()
    };
    let mut diff = wire::ReportDiff {
        report_id: String::new(),
        against: String::new(),
        score_change: 0,
        subscore_changes: per_dimension(&BTreeMap::<_, i16>::new(), |_| 0),
        new: part(0, 3),
        fixed: part(3, 10),
        persisting: part(10, 20),
        catalogue_version_changed: false,
        scoring_version_changed: false,
        lab: Vec::new(),
        performance_is_noise: false,
    };
    assert_eq!(
        (diff.fixed[0].causes_total, diff.fixed[0].causes.len()),
        (7, 7)
    );
    fit_diff(&mut diff);
    assert!(longest(&diff) <= MAX_REPORT_BYTES, "{}", longest(&diff));
    for (issues, causes) in [(&diff.new, 3), (&diff.fixed, 7), (&diff.persisting, 10)] {
        assert_eq!(issues.len(), 150);
        assert_each_has_an_example(issues);
        assert!(issues.iter().all(|issue| issue.causes_total == causes));
    }
}

#[test]
fn the_legacy_variant_does_not_know_the_sixth_dimension() {
    let report = wire(&sample::bad(), Variant::Legacy);
    assert!(!report.to_string().to_lowercase().contains("ai readiness"));
    assert!(!report.to_string().contains("aiReadiness"));
    assert!(!report.to_string().contains("llms"));
    assert_eq!(report["variant"], "legacy");
}
