use std::collections::BTreeSet;

use domain::id::ReportId;
use domain::ports::{CheckCatalogue, CheckGuide, CheckInfo};
use domain::report::{AuditResult, Changes, LabProfile, PageScores, PageVisit, Report, StoppedBy};
use domain::score::Share;
use domain::{Dimension, Severity};
use serde_json::Value;

use super::*;
use crate::sample::{bad, empty, good, hostile, measured, report};

/// A catalogue of one check.
pub(super) struct Catalogue;

impl CheckCatalogue for Catalogue {
    fn checks(&self) -> Vec<CheckInfo> {
        let passed = |id: &str, dimension| CheckInfo {
            id: id.to_owned(),
            title: "A problem that no page has".to_owned(),
            dimension,
            scope: "page".to_owned(),
            severity: Severity::Minor,
            needs_browser: false,
            documentation: String::new(),
        };
        vec![
            passed("performance-basics", Dimension::Performance),
            passed("seo-basics", Dimension::Seo),
        ]
    }

    fn check(&self, _: &str) -> Option<CheckInfo> {
        None
    }

    fn guide(&self, id: &str) -> Option<CheckGuide> {
        (id == "image-alt").then(|| CheckGuide {
            title: "Images without a text alternative".to_owned(),
            what: "Every `img` that assistive technology meets has an accessible name.".to_owned(),
            why: "A screen reader falls back to the file name. What the image shows is lost."
                .to_owned(),
            fix: "Say in `alt` what the image tells in its place.".to_owned(),
            limits: "Whether the text describes the image is not judged.".to_owned(),
            references: vec!["WCAG 2.2, success criterion 1.1.1 Non-text Content (A)".to_owned()],
        })
    }
}

fn identity() -> Identity {
    Identity {
        report_id: None,
        run_id: None,
        site_id: None,
        created_at: "2026-11-21T12:05:40.000Z".to_owned(),
        help_base_url: "https://assay.example".to_owned(),
    }
}

/// A report in a form, with all of its scores or some.
pub(super) fn written(report: &Report, scored: &Scored, format: ReportFormat) -> String {
    let run = RunFacts {
        visits: visits(report),
        duration_ms: Some(8_260),
        ..RunFacts::default()
    };
    written_with(report, scored, format, &run)
}

/// Pages of which one has the texts of the report.
fn visits(report: &Report) -> Vec<PageVisit> {
    let visit = |url: &str, status, depth, bytes| PageVisit {
        url: url.to_owned(),
        status,
        depth,
        title: Some(report.url.clone()),
        bytes,
        audited: status == Some(200),
        leads_to: None,
        details: domain::report::PageDetails::default(),
        scores: PageScores([
            Some(Share::from_hundredths(83)),
            None,
            None,
            None,
            None,
            None,
        ]),
        issues: 3,
        issues_legacy: 2,
    };
    let root = "https://ferry.example/times/";
    vec![
        visit(&report.url, Some(200), Some(0), Some(38_400)),
        visit(&format!("{root}winter"), Some(200), Some(1), Some(12_000)),
        visit(&format!("{root}summer"), Some(404), None, None),
    ]
}

/// A report in a form, with what its run saw.
fn written_with(report: &Report, scored: &Scored, format: ReportFormat, run: &RunFacts) -> String {
    let identity = identity();
    let ids: Vec<_> = (1..=report.issues.len())
        .map(|number| IssueIds {
            issue_id: format!("iss_{number}"),
            action_id: None,
        })
        .collect();
    let sample = Export {
        report,
        identity: &identity,
        ids: &ids,
        checks: &Catalogue,
        scored,
        run,
        sources: None,
    };
    String::from_utf8(export(&sample, format).unwrap()).unwrap()
}

fn whole(result: &AuditResult, format: ReportFormat) -> String {
    written(&report(result), &Scored::Whole, format)
}

/// The page without its style and script, which do not depend on the report.
fn body(html: &str) -> &str {
    let (_, body) = html.split_once("<body>").unwrap();
    body.split_once("<script>").unwrap().0
}

#[test]
fn html_shows_as_many_pictures_as_it_may_have() {
    use domain::artifact::{Artifact, ArtifactId, ArtifactKind};

    let picture = |number, kind, bytes| Artifact {
        id: ArtifactId::new(number).unwrap(),
        kind,
        url: "https://ferry.example/times/\"><script>".to_owned(),
        width: 412,
        height: 80,
        jpeg: vec![number; bytes],
    };
    let mut result = bad();
    let places = (result.findings.iter_mut()).flat_map(|finding| &mut finding.causes);
    for place in places.flat_map(|cause| &mut cause.occurrences) {
        place.artifact = ArtifactId::new(2);
    }
    let half = domain::artifact::MAX_EMBEDDED_BYTES / 2;
    let run = RunFacts {
        pictures: vec![
            picture(1, ArtifactKind::Viewport, 3),
            picture(2, ArtifactKind::Element, half),
            picture(3, ArtifactKind::WithoutScripts, half),
        ],
        ..RunFacts::default()
    };
    let html = written_with(&report(&result), &Scored::Whole, ReportFormat::Html, &run);
    // The third is beyond the limit, and the picture of several occurrences is shown once.
    assert_eq!(html.matches("<img ").count(), 2);
    assert!(html.contains("src=\"data:image/jpeg;base64,AQEB\""));
    assert!(!html.contains("times/\"><script>"));
}

#[test]
fn every_format_has_its_snapshot() {
    for format in ReportFormat::ALL {
        let text = whole(&bad(), format);
        let shown = match format {
            ReportFormat::Html => body(&text),
            _ => &text,
        };
        insta::assert_snapshot!(format.as_str(), shown);
    }
}

#[test]
fn a_prompt_for_agents_verifies_in_the_mode_and_on_the_device_of_the_audit() {
    let mut result = bad();
    let verifies = |result: &AuditResult, flags: &str| {
        let text = whole(result, ReportFormat::Llm);
        let command = format!("`assay audit URL --check ID{flags}`");
        assert!(text.contains(&command), "{flags}: {text}");
    };
    verifies(&result, "");
    result.coverage.pages_rendered = 1;
    verifies(&result, " --mode auto");
    result.coverage.pages_rendered = result.coverage.pages_audited;
    verifies(&result, " --mode rendered");
    result.coverage.measured = measured().coverage.measured;
    for page in &mut result.coverage.measured {
        page.profile = LabProfile::Desktop;
    }
    verifies(&result, " --mode rendered --device desktop");
}

#[test]
fn html_of_a_site_without_issues() {
    insta::assert_snapshot!(body(&whole(&empty(), ReportFormat::Html)));
}

#[test]
fn a_report_without_issues_is_whole_in_every_form() {
    for format in ReportFormat::ALL {
        let text = whole(&empty(), format);
        assert!(!text.is_empty() && !text.contains("NaN"), "{format}");
    }
}

#[test]
fn the_policy_of_the_page_names_what_is_in_it() {
    use base64::Engine;
    use sha2::Digest;
    let page = whole(&good(), ReportFormat::Html);
    for tag in ["style", "script"] {
        let (_, rest) = page.split_once(&format!("<{tag}>")).unwrap();
        let (text, _) = rest.split_once(&format!("</{tag}>")).unwrap();
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text));
        // Askama escapes the plus sign in attributes as it is.
        assert!(
            content_security_policy().contains(&format!("'sha256-{hash}'")),
            "{tag}"
        );
    }
    assert!(page.contains("http-equiv=\"Content-Security-Policy\""));
    assert!(content_security_policy().starts_with("default-src 'none'"));
}

#[test]
fn fingerprints_in_sarif_are_those_of_the_report() {
    let report = report(&bad());
    let log: Value =
        serde_json::from_str(&written(&report, &Scored::Whole, ReportFormat::Sarif)).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let causes = report.issues.iter();
    let causes = causes.flat_map(|issue| issue.causes.iter().map(move |cause| (issue, cause)));
    assert_eq!(results.len(), causes.clone().count());
    for (result, (issue, cause)) in results.iter().zip(causes) {
        let prints = &result["partialFingerprints"];
        assert_eq!(prints["assayIssue/v1"], *cause.fingerprint);
        let rule = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        let rules = &log["runs"][0]["tool"]["driver"]["rules"];
        assert_eq!(rules[rule]["id"], *issue.check_id);
        assert!(!rules[rule]["help"]["text"].as_str().unwrap().is_empty());
    }
}

#[test]
fn a_report_of_single_checks_tells_no_score_in_any_form() {
    let report = report(&bad());
    for format in ReportFormat::ALL {
        let text = written(&report, &Scored::Nothing, format);
        let told = match format {
            ReportFormat::Html => body(&text),
            _ => &text,
        };
        assert!(!told.contains('+'), "{format}: {told}");
        let json: Option<Value> = serde_json::from_str(&text).ok();
        for key in ["overallScore", "subscores"] {
            let told = json.as_ref().and_then(|json| json.get(key));
            assert!(told.is_none_or(Value::is_null), "{format}");
        }
    }
}

#[test]
fn a_report_of_some_dimensions_tells_their_scores_alone() {
    let report = report(&bad());
    let scored = Scored::Dimensions(vec![Dimension::Seo]);
    let json: Value = serde_json::from_str(&written(&report, &scored, ReportFormat::Json)).unwrap();
    assert_eq!(json["overallScore"], Value::Null);
    assert_eq!(json["subscores"]["performance"], Value::Null);
    assert_eq!(
        json["subscores"]["seo"],
        report.score.dimensions[&Dimension::Seo].subscore
    );
    assert_eq!(json["scoring"]["dimensions"]["content"], Value::Null);
    let markdown = written(&report, &scored, ReportFormat::Markdown);
    assert!(
        markdown.contains("| SEO |") && !markdown.contains("Overall"),
        "{markdown}"
    );
}

#[test]
fn the_older_shape_has_five_dimensions_in_every_form() {
    let weights = domain::score::DimensionWeights::default();
    let legacy = Report::assemble(&bad(), domain::report::Variant::Legacy, &weights);
    for format in ReportFormat::ALL {
        let text = written(&legacy, &Scored::Whole, format);
        assert!(
            !text.contains("aiReadiness") && !text.contains("AI readiness"),
            "{format}"
        );
        assert!(!text.contains("llms-txt"), "{format}");
    }
}

#[test]
fn the_form_for_models_is_bounded_and_counts_what_it_leaves_out() {
    let mut report = report(&bad());
    let issue = report.issues.first().unwrap().clone();
    report.issues = (0..3_000)
        .map(|number| Issue {
            check_id: format!("check-{number}"),
            title: "x".repeat(3_000),
            why: "y".repeat(3_000),
            recommendation: "z".repeat(3_000),
            ..issue.clone()
        })
        .collect();
    let text = written(&report, &Scored::Whole, ReportFormat::Llm);
    assert!(text.len() <= limits::LLM_BYTES, "{}", text.len());
    assert!(
        text.contains("3,000 issues") && text.contains("more issues"),
        "{text}"
    );
    assert!(text.contains("`check-0`"));
}

#[test]
fn a_cancelled_audit_says_so() {
    let mut result = bad();
    result.coverage.stopped_by = Some(StoppedBy::Cancelled);
    for format in [
        ReportFormat::Html,
        ReportFormat::Markdown,
        ReportFormat::Llm,
    ] {
        assert!(whole(&result, format).contains("cancelled"), "{format}");
    }
    let log: Value = serde_json::from_str(&whole(&result, ReportFormat::Sarif)).unwrap();
    assert_eq!(
        log["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
}

#[test]
fn names_are_those_of_the_wire_and_each_has_a_file_ending_of_its_own() {
    let names = ReportFormat::ALL.map(ReportFormat::as_str);
    assert_eq!(
        names,
        ["html", "markdown", "sarif", "junit", "csv", "json", "llm"]
    );
    let endings: BTreeSet<_> = ReportFormat::ALL.map(ReportFormat::extension).into();
    assert_eq!(endings.len(), 7);
    for format in ReportFormat::ALL {
        assert_eq!(ReportFormat::parse(format.as_str()), Some(format));
    }
    assert_eq!(ReportFormat::parse("pdf_url"), None);
}

#[test]
fn texts_of_a_page_are_rows_of_one_line_each() {
    let text = whole(&hostile("a\r\n=1+1,\"b\"\n;c"), ReportFormat::Csv);
    let lines: Vec<_> = text.split("\r\n").collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[1].contains("\"a =1+1,\"\"b\"\" ;c\""), "{text}");
}

#[test]
fn html_shows_so_many_pages_and_says_where_the_others_are() {
    let report = report(&bad());
    let visit = visits(&report).remove(0);
    let run = RunFacts {
        visits: vec![visit; limits::HTML_PAGES + 9_000],
        ..RunFacts::default()
    };
    let page = written_with(&report, &Scored::Whole, ReportFormat::Html, &run);
    assert_eq!(page.matches("<td>200</td>").count(), limits::HTML_PAGES);
    assert!(page.contains("9,000 URLs are not in this file"), "{page}");
    assert!(page.len() < 2_000_000, "{}", page.len());
}

#[test]
fn html_of_a_report_with_as_much_as_can_be_stored_stays_small() {
    let mut report = report(&bad());
    let long = "x".repeat(2_000);
    let issue = report.issues.first().unwrap().clone();
    let mut cause = issue.causes.first().unwrap().clone();
    let mut place = cause.occurrences.first().unwrap().clone();
    (place.url, place.message) = (format!("https://ferry.example/{long}"), long);
    cause.occurrences = vec![place; 5];
    report.issues = (0..400)
        .map(|number| Issue {
            check_id: format!("check-{number}"),
            causes: vec![cause.clone(); 20],
            ..issue.clone()
        })
        .collect();
    let page = written(&report, &Scored::Whole, ReportFormat::Html);
    assert!(page.len() < 20_000_000, "{}", page.len());
    assert_eq!(page.matches("<details class=\"issue\"").count(), 400);
}

/// A report with changes.
fn changed() -> Report {
    let mut report = report(&bad());
    report.changes = Some(Changes {
        against: ReportId::parse("rep_01KXZZ9Q80000000000000000C").unwrap(),
        score_change: -3,
        subscore_changes: [(Dimension::Seo, 2)].into(),
        scoring_version_changed: false,
        new_issues: 1,
        fixed_issues: 4,
        new_pages: 0,
        gone_pages: 0,
    });
    report
}

#[test]
fn markdown_has_the_change_beside_the_score() {
    let text = written(&changed(), &Scored::Whole, ReportFormat::Markdown);
    for line in [
        "**Overall 70, fair:** −3 points, 1 issue new, 4 issues fixed since the last audit",
        "| Dimension | Score | Change | | Points lost | What took them |",
        "| **Overall** | 70 | −3 | ◕ fair | 30 |  |",
        "| Content | 98 |  | ● good | 2 | Broken links within the site 2.3 |",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn markdown_counts_files_where_a_check_judges_files() {
    let mut report = report(&bad());
    report.issues[1].subject = domain::SubjectKind::Resource;
    report.issues[1].affected = 48;
    let text = written(&report, &Scored::Whole, ReportFormat::Markdown);
    let row = "| ◆ serious | Images without a text alternative | Accessibility | 48 files | small | 1 | 31 | +1.5 |";
    assert!(text.lines().any(|found| found == row), "{text}");
}

#[test]
fn html_tells_what_changed_and_what_took_the_points() {
    let page = written(&changed(), &Scored::Whole, ReportFormat::Html);
    let page = body(&page);
    assert!(page.contains("<strong>−3 points</strong>"), "{page}");
    assert!(page.contains("1 issue new, 4 issues fixed since the last audit"));
    assert!(page.contains("<span class=\"change\">+2<span"), "{page}");
    assert!(
        page.contains("<a href=\"#issue-1\">No page may be indexed</a>"),
        "{page}"
    );
}

#[test]
fn html_says_point_of_one() {
    let mut report = changed();
    let changes = report.changes.as_mut().unwrap();
    changes.score_change = 1;
    let page = written(&report, &Scored::Whole, ReportFormat::Html);
    assert!(page.contains("<strong>+1 point</strong>"), "{page}");
}

#[test]
fn measured_pages_are_shown_with_their_profile_and_how_steadily_they_were_measured() {
    let report = report(&measured());
    for format in [ReportFormat::Html, ReportFormat::Markdown] {
        let text = written(&report, &Scored::Whole, format);
        for part in [
            "A browser measured 2 pages on the profile mobile-slow4g (benchmark index of the machine: 1,420): a phone",
            "LCP 2,400 ms (2,310 to 2,520 ms), FCP 1,600 ms (1,560 to 1,640 ms), CLS 0.05, TBT 150 ms (120 to 210 ms), \
             Speed Index 2,300 ms, TTFB 480 ms, score 95, the median of 3 loads, high confidence",
            "not judged, because the speed of the machine changed",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}

#[test]
fn measured_pages_are_in_the_json_with_their_metrics() {
    let report = report(&measured());
    let json = written(&report, &Scored::Whole, ReportFormat::Json);
    let wire: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(wire["coverage"]["pagesMeasured"], 2);
    let lab = &wire["lab"];
    assert_eq!(
        (&lab[0]["score"], &lab[0]["cls"]),
        (&Value::from(95.0), &Value::from(0.05))
    );
    let range = |min: f64, max: f64| serde_json::json!({"min": min, "max": max});
    assert_eq!(lab[0]["spread"]["lcp"], range(2_310.0, 2_520.0));
    assert_eq!(lab[0]["spread"]["cls"], range(0.05, 0.05));
    assert_eq!(lab[1]["spread"], Value::Null);
    assert_eq!(
        (&lab[1]["confidence"], &lab[1]["score"]),
        (&Value::from("low"), &Value::Null)
    );
    let metrics = &wire["scoring"]["dimensions"]["performance"]["metrics"];
    assert_eq!(*metrics, serde_json::json!({"pages": 1, "mean": 95.0}));
}
