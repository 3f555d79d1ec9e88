use rstest::rstest;
use serde_json::json;

use super::*;

fn parsed(issues: &Value) -> SavedReport {
    let report = json!({
        "reportId": null, "url": "https://www.e.com/a", "createdAt": "2026",
        "overallScore": null, "subscores": null, "scoring": null, "more": 1, "issues": issues,
    });
    SavedReport::parse(report.to_string().as_bytes()).unwrap()
}

fn issue(check_id: &str, causes: &[&str], total: u64) -> Value {
    let causes = causes.iter();
    let causes: Vec<_> = causes
        .map(|fingerprint| json!({ "fingerprint": fingerprint, "message": "m", "occurrences": [] }))
        .collect();
    json!({ "checkId": check_id, "severity": "minor", "title": "t", "causesTotal": total, "causes": causes })
}

#[test]
fn a_report_without_scores_is_a_report() {
    let report = parsed(&json!([issue("c", &["f"], 1)]));
    assert_eq!(report.site(), "e.com");
    assert_eq!(report.issues[0].facts.fingerprints(), BTreeSet::from(["f"]));
    assert_eq!(
        report.issues[0].whole["causes"][0]["occurrences"],
        json!([])
    );
}

#[test]
fn the_verdict_counts_waived_issues_apart_and_needs_the_number_of_pages() {
    let mut waived = issue("w", &["f"], 1);
    waived["occurrencesTotal"] = json!(3);
    waived["waived"] = json!(3);
    let mut report = json!({
        "url": "https://e.com/", "createdAt": "2026", "overallScore": 85, "subscores": { "seo": 70 },
        "coverage": { "pagesAudited": 1_204 }, "issues": [issue("c", &["f"], 1), waived],
    });
    let verdict = |report: &Value| {
        let report = SavedReport::parse(report.to_string().as_bytes()).unwrap();
        report.verdict().map(|verdict| verdict.to_string())
    };
    assert_eq!(
        verdict(&report).unwrap(),
        "85 fair · seo 70   1 issue, 1 waived · 1,204 pages"
    );
    report["coverage"] = json!({});
    assert_eq!(verdict(&report), None);
}

#[test]
fn what_is_no_report_is_none() {
    for text in ["", "[]", "{}", "{\"error\": {}}"] {
        assert!(SavedReport::parse(text.as_bytes()).is_err(), "{text}");
    }
    for issues in [
        json!([1]),
        json!([{}]),
        json!([{ "checkId": 1 }]),
        json!({}),
    ] {
        let text = json!({ "url": "", "createdAt": "", "issues": issues }).to_string();
        assert!(SavedReport::parse(text.as_bytes()).is_err(), "{text}");
    }
}

#[rstest]
#[case("", "the file is empty")]
#[case("{\"url\": ", "line 1, column 8: the file ends before the report does")]
#[case("url: x", "line 1, column 1: this is not JSON")]
#[case("[]", "line 1, column 2: expected an object, found a list")]
#[case("3", "line 1, column 1: expected an object, found 3")]
#[case("{\n\"a\": 1}", "line 2, column 7: the key `url` is missing")]
#[case("{\"url\": 3}", "line 1, column 9: expected a text in quotes, found 3")]
fn what_is_wrong_with_a_file_is_said_in_words(#[case] text: &str, #[case] expected: &str) {
    let error = SavedReport::parse(text.as_bytes()).unwrap_err();
    assert_eq!(in_words(&error), expected);
}

#[test]
fn what_is_wrong_with_an_issue_names_the_issue() {
    let mut other = issue("d", &["f"], 1);
    other["title"] = Value::Null;
    let issues = json!([issue("c", &["f"], 1), other]);
    let text = json!({ "url": "", "createdAt": "", "issues": issues }).to_string();
    let error = in_words(&SavedReport::parse(text.as_bytes()).unwrap_err());
    assert!(
        error.ends_with(": issue 2: expected a text in quotes, found nothing"),
        "{error}"
    );
}

#[test]
fn a_report_says_whether_it_names_all_causes_of_a_check() {
    let known = parsed(&json!([issue("all", &["a"], 1), issue("part", &["b"], 30)])).causes();
    assert!(known.lacks("all", "x"));
    assert!(!known.lacks("part", "x"), "it may be among the 29 others");
}

#[test]
fn the_list_of_fingerprints_names_causes_that_are_not_shown() {
    let mut long = issue("c", &["a"], 3);
    long["causeFingerprints"] = json!(["a", "b", "c"]);
    let known = parsed(&json!([long])).causes();
    assert!(!known.lacks("c", "c"));
    assert!(known.lacks("c", "d"));
    let other = parsed(&json!([issue("c", &["b"], 1)])).causes();
    assert_eq!((known.not_in(&other), other.not_in(&known)), (2, 0));
}

#[test]
fn issues_of_older_versions_become_causes_of_one_issue() {
    let older = |fingerprint: &str, check_id: &str, pages: u64| {
        json!({
            "issueId": format!("iss_{fingerprint}"), "checkId": check_id, "severity": "serious",
            "fingerprint": fingerprint, "title": format!("Title of {fingerprint}"),
            "affectedPages": pages, "occurrencesTotal": 10, "scoreImpact": 0.25,
            "occurrences": [{ "url": "https://e.com/", "message": "m" }],
        })
    };
    let report = parsed(&json!([
        older("a", "one", 2),
        older("x", "other", 1),
        older("b", "one", 5)
    ]));
    let [one, other] = report.issues.as_slice() else {
        panic!("{:?}", report.issues);
    };
    assert_eq!(other.facts.check_id, "other");
    assert_eq!(one.facts.fingerprints(), BTreeSet::from(["a", "b"]));
    let messages: Vec<_> = one
        .facts
        .causes
        .iter()
        .map(|cause| &cause.message)
        .collect();
    assert_eq!(messages, ["Title of a", "Title of b"]);
    for (key, expected) in [
        ("affectedPages", json!(5)),
        ("occurrencesTotal", json!(20)),
        ("causesTotal", json!(2)),
        ("scoreImpact", json!(0.5)),
        ("issueId", json!("iss_a")),
        ("fingerprint", Value::Null),
        ("occurrences", Value::Null),
    ] {
        assert_eq!(one.whole[key], expected, "{key}");
    }
    assert_eq!(one.whole["causes"][1]["affectedPages"], 5);
    assert_eq!(
        one.whole["causes"][1]["occurrences"][0]["artifactId"],
        Value::Null
    );
    assert!(report.causes().lacks("one", "c"));
}
