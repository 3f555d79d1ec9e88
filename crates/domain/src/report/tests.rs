use super::testing::{finding, result};
use super::*;
use crate::score::Cap;
use crate::{Dimension, Severity, SubjectKind};

fn assembled(result: &AuditResult, variant: Variant) -> Report {
    Report::assemble(result, variant, &DimensionWeights::default())
}

fn ids(report: &Report) -> Vec<&str> {
    let issues = report.issues.iter();
    issues.map(|issue| issue.check_id.as_str()).collect()
}

#[test]
fn issues_come_by_what_they_gain() {
    let mut minor = finding("minor-but-everywhere").on(10);
    minor.severity = Severity::Minor;
    let mut note = finding("note");
    note.severity = Severity::Info;
    let wide = finding("wide").on(9);
    let mut critical = finding("critical");
    critical.severity = Severity::Critical;
    let findings = vec![note, minor, finding("b"), finding("a"), wide, critical];
    let report = assembled(&result(findings), Variant::Current);
    assert_eq!(
        ids(&report),
        ["wide", "critical", "minor-but-everywhere", "a", "b", "note"]
    );
}

#[test]
fn the_order_of_the_findings_does_not_matter() {
    let findings: Vec<_> = ["a", "b", "c"].map(finding).to_vec();
    let result = result(findings);
    let mut turned = result.clone();
    turned.findings.reverse();
    assert_eq!(
        assembled(&result, Variant::Current),
        assembled(&turned, Variant::Current)
    );
}

#[test]
fn the_causes_of_a_check_are_one_issue() {
    let mut links =
        finding("broken-link").with_causes(&["https://a.example/", "https://b.example/"]);
    links.causes[1].occurrences_total = 3;
    links.occurrences_total = 4;
    let report = assembled(&result(vec![links]), Variant::Current);
    let [issue] = report.issues.as_slice() else {
        panic!("{:?}", report.issues);
    };
    assert_eq!((issue.causes_total, issue.occurrences_total), (2, 4));
    let [first, second] = issue.causes.as_slice() else {
        panic!("{:?}", issue.causes);
    };
    assert_eq!(first.key, "https://b.example/");
    assert_ne!(first.fingerprint, second.fingerprint);
    // Each has its share of the occurrences in what the issue gains.
    assert_eq!(issue.score_impact, 0.34);
    assert_eq!((first.score_impact, second.score_impact), (0.25, 0.09));
}

#[test]
fn waived_occurrences_take_no_part_in_the_gain() {
    let mut links =
        finding("broken-link").with_causes(&["https://a.example/", "https://b.example/"]);
    links.causes[0].waived = 1;
    links.waived = 1;
    let report = assembled(&result(vec![links]), Variant::Current);
    let issue = &report.issues[0];
    assert!(!issue.is_waived());
    assert_eq!((issue.waived, issue.open_occurrences()), (1, 1));
    let gains: Vec<_> = issue
        .causes
        .iter()
        .map(|cause| (cause.is_waived(), cause.score_impact))
        .collect();
    assert_eq!(gains, [(false, 0.34), (true, 0.0)]);
}

#[test]
fn the_legacy_variant_leaves_ai_readiness_out() {
    let mut agents = finding("llms-txt").on(10);
    agents.dimension = Dimension::AiReadiness;
    let mut result = result(vec![agents]);
    result.caps.push(Cap {
        dimension: Dimension::AiReadiness,
        maximum: 10,
        check_id: "llms-txt".to_owned(),
        reason: "no agent gets in".to_owned(),
    });
    let seen = Unjudged::NotRun("no browser".to_owned());
    result.unjudged = vec![
        UnjudgedCheck {
            check_id: "llms-txt".to_owned(),
            dimension: Dimension::AiReadiness,
            why: seen.clone(),
            count: 1,
        },
        UnjudgedCheck {
            check_id: "a".to_owned(),
            dimension: Dimension::Seo,
            why: seen,
            count: 2,
        },
    ];
    let current = assembled(&result, Variant::Current);
    // 6 / (5/100 + 1/10), with the cap of 10.
    assert_eq!((current.score.overall, current.issues.len()), (40, 1));
    let legacy = assembled(&result, Variant::Legacy);
    assert_eq!((legacy.score.overall, legacy.issues.len()), (100, 0));
    assert_eq!(legacy.score.dimensions.len(), 5);
    assert_eq!(legacy.summaries.dimensions.len(), 5);
    assert_eq!(legacy.unjudged.len(), 1);
    let text = format!("{legacy:?}");
    assert!(
        !text.contains("llms-txt") && !text.contains("no agent"),
        "{text}"
    );
}

#[test]
fn the_score_impact_is_what_the_issue_alone_brings() {
    let report = assembled(&result(vec![finding("a")]), Variant::Current);
    // 100 − 6 / (5/100 + 1/98)
    assert_eq!(report.issues[0].score_impact, 0.34);
}

#[test]
fn pages_of_a_site_wide_finding_are_those_seen() {
    let mut site = finding("a");
    site.subject = SubjectKind::Site;
    (site.affected, site.applicable) = (1, 1);
    let place = site.causes[0].occurrences[0].clone();
    let elsewhere = Occurrence {
        url: "https://example.com/b".to_owned(),
        ..place.clone()
    };
    site.causes[0].occurrences.extend([place, elsewhere]);
    let report = assembled(&result(vec![site]), Variant::Current);
    assert_eq!(report.issues[0].affected_pages, 2);
}
