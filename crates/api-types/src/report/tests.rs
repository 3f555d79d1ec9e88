use serde_json::{Value, json};

use super::*;

/// The contract's report, with every key.
fn wire() -> Value {
    let dimension = json!({
        "pages": {"count": 7, "mean": 100.0}, "cap": null, "metrics": null, "checks": [],
    });
    json!({
        "reportId": null, "runId": null, "siteId": null,
        "url": "https://example.com/",
        "createdAt": "2026-01-31T08:00:00Z",
        "variant": "current",
        "overallScore": 91,
        "subscores": {
            "performance": 100, "accessibility": 100, "seo": 48,
            "security": 100, "content": 100, "aiReadiness": 100,
        },
        "summaries": {
            "overall": "o", "performance": "p", "accessibility": "a", "seo": "s",
            "security": "e", "content": "c", "aiReadiness": "r",
        },
        "issues": [{
            "issueId": "iss_1", "checkId": "title-missing", "dimension": "seo",
            "severity": "serious", "confidence": "high",
            "title": "t", "description": "d", "recommendation": "r",
            "affectedPages": 3, "occurrencesTotal": 3, "causesTotal": 1,
            "causes": [{
                "fingerprint": "00ff", "message": "t", "affectedPages": 3,
                "occurrencesTotal": 3, "scoreImpact": 1.25, "state": null,
                "occurrences": [{
                    "url": "https://example.com/", "selector": null, "snippet": null,
                    "line": 4, "message": "m", "artifactId": null, "waiverId": "wvr_1",
                }],
                "waived": 1,
            }],
            "scoreImpact": 1.25, "state": "persisting", "waived": 1,
            "helpUrl": "https://example.com/checks/title-missing",
            "references": ["HTML Standard"], "actionId": null,
        }],
        "waivers": [{
            "waiverId": "wvr_1", "checkId": "title-missing", "path": "/archive/", "cause": null,
            "reason": "r", "author": {"type": "key", "id": "key_1", "name": "CI"},
            "createdAt": "2026-01-30T08:00:00Z", "expiresAt": null, "state": "active",
            "occurrences": 1,
        }],
        "unjudged": [{"checkId": "target-size", "reason": "It needs a browser.", "count": 3}],
        "changes": {
            "against": "rep_0", "scoreChange": -2,
            "subscoreChanges": {
                "performance": 0, "accessibility": 0, "seo": -9,
                "security": 0, "content": 0, "aiReadiness": 1,
            },
            "scoringVersionChanged": false,
            "newIssues": 1, "fixedIssues": 0, "newPages": 2, "gonePages": 0,
        },
        "coverage": {
            "mode": "static", "complete": false, "stoppedBy": "page_cap",
            "pagesDiscovered": 9, "pagesFetched": 8, "pagesAudited": 7, "pagesRendered": 1, "pagesMeasured": 1,
            "requests": 20,
            "skipped": [{"reason": "robots", "count": 1}],
        },
        "scoring": {
            "scoringVersion": 2, "engineVersion": "0.1.0", "catalogueVersion": "1",
            "weights": {
                "performance": 1, "accessibility": 1, "seo": 1,
                "security": 1, "content": 1, "aiReadiness": 1,
            },
            "dimensions": {
                "performance": dimension, "accessibility": dimension,
                "seo": {
                    "pages": {"count": 7, "mean": 93.5},
                    "cap": {"checkId": "site-noindex", "maximum": 48, "reason": "it is so"},
                    "metrics": null,
                    "checks": [{
                        "checkId": "title-missing", "scope": "page", "severity": "critical",
                        "penalty": 0.45, "judged": 10, "failed": 3, "reach": 0.3, "cost": 13.5,
                    }],
                },
                "security": dimension, "content": dimension, "aiReadiness": dimension,
            },
        },
        "lab": [{
            "url": "https://example.com/", "profile": "mobile-slow4g", "runs": 3,
            "fcp": 900, "lcp": 1_200, "cls": 0.012, "tbt": 0, "speedIndex": 950, "ttfb": 480,
            "inpProxy": null, "mainThread": 400, "score": 99.75, "confidence": "high", "benchmark": 1_400,
            "spread": {
                "fcp": {"min": 880.0, "max": 950.0}, "lcp": null, "cls": {"min": 0.011, "max": 0.02},
                "tbt": null, "speedIndex": null,
            },
        }],
    })
}

#[test]
fn the_report_has_the_keys_of_the_contract() {
    let report: Report = serde_json::from_value(wire()).unwrap();
    assert_eq!(serde_json::to_value(&report).unwrap(), wire());
}

#[test]
fn keys_come_in_the_order_of_the_contract() {
    let report: Report = serde_json::from_value(wire()).unwrap();
    let text = serde_json::to_string(&report).unwrap();
    let keys = [
        "reportId",
        "runId",
        "siteId",
        "url",
        "createdAt",
        "variant",
        "overallScore",
        "subscores",
        "summaries",
        "issues",
        "unjudged",
        "coverage",
        "scoring",
        "lab",
    ];
    let positions = keys.map(|key| text.find(&format!("\"{key}\":")).unwrap());
    assert!(positions.is_sorted(), "{text}");
    let summaries = r#""summaries":{"overall":"o","performance":"p","accessibility":"a","seo":"s","security":"e","content":"c","aiReadiness":"r"}"#;
    assert!(text.contains(summaries), "{text}");
}

#[test]
fn lists_of_causes_have_the_keys_of_the_contract() {
    let list = json!({
        "causes": wire()["issues"][0]["causes"], "causesTotal": 1_200, "causesStored": 1_000,
        "occurrencesTotal": 2_400, "occurrencesStored": 1_000, "nextCursor": "c",
    });
    let read: CauseList = serde_json::from_value(list.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), list);
}

#[test]
fn the_legacy_variant_has_no_sixth_key() {
    let mut legacy = wire();
    legacy["variant"] = json!("legacy");
    for part in [
        "/subscores",
        "/summaries",
        "/changes/subscoreChanges",
        "/scoring/weights",
        "/scoring/dimensions",
    ] {
        let object = legacy.pointer_mut(part).unwrap().as_object_mut().unwrap();
        object.remove("aiReadiness");
    }
    let report: Report = serde_json::from_value(legacy.clone()).unwrap();
    let again = serde_json::to_value(&report).unwrap();
    assert_eq!(again, legacy);
    assert!(!again.to_string().contains("aiReadiness"));
}

#[test]
fn words_on_the_wire_are_those_of_the_contract() {
    let word = |value: Value| value.as_str().unwrap().to_owned();
    let severities = [
        Severity::Critical,
        Severity::Serious,
        Severity::Moderate,
        Severity::Minor,
        Severity::Info,
    ];
    assert_eq!(
        severities.map(|severity| word(json!(severity))),
        ["critical", "serious", "moderate", "minor", "info"]
    );
    let stops = [
        StoppedBy::PageCap,
        StoppedBy::Depth,
        StoppedBy::Deadline,
        StoppedBy::Cancelled,
    ];
    assert_eq!(
        stops.map(|stop| word(json!(stop))),
        ["page_cap", "depth", "deadline", "cancelled"]
    );
    assert_eq!(word(json!(CrawlMode::Rendered)), "rendered");
    assert_eq!(word(json!(Confidence::Medium)), "medium");
    assert_eq!(
        [IssueState::New, IssueState::Persisting].map(|state| word(json!(state))),
        ["new", "persisting"]
    );
}
