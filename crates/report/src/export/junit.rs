//! Test results: a suite for each dimension, a case for each check.
//!
//! A check that found something with a weight failed, one without a verdict on all was skipped, all
//! others passed. What is only worth knowing fails nothing; it stands in the output of its case.

use api_types::report::ReportFormat;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use domain::report::{Issue, Occurrence, UnjudgedCheck};
use domain::text::sentence;
use domain::{Dimension, Severity};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Export, ExportError, limits};
use crate::limits::EvidenceLimits;
use crate::text::shown;
use crate::wording::cause::{first, headline, more_causes, more_places, with_reach};
use crate::wording::unjudged::{aside, verb};

/// How much evidence it shows.
pub(super) const EVIDENCE: EvidenceLimits = EvidenceLimits::for_people(
    limits::JUNIT_CAUSES,
    limits::JUNIT_PLACES_OF_CAUSE,
    limits::JUNIT_PLACES,
);

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let mut results = Report::new("assay");
    for (dimension, cases) in cases(export) {
        results.add_test_suite(suite(export, dimension, cases));
    }
    let mut bytes = Vec::new();
    match results.serialize(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(ExportError::new(ReportFormat::Junit, &error)),
    }
}

/// The result of a check.
#[derive(Default)]
struct Case<'a> {
    /// What it found, with how many places of each cause are shown.
    found: Option<(&'a Issue, Vec<usize>)>,
    unjudged: Vec<&'a UnjudgedCheck>,
}

/// The results of the checks, by dimension and id.
fn cases<'a>(export: &Export<'a>) -> BTreeMap<Dimension, BTreeMap<&'a str, Case<'a>>> {
    let mut cases: BTreeMap<Dimension, BTreeMap<&str, Case<'_>>> = BTreeMap::new();
    for (&dimension, score) in &export.report.score.dimensions {
        let known = cases.entry(dimension).or_default();
        for check in &score.checks {
            known.entry(&check.check_id).or_default();
        }
    }
    for check in &export.report.unjudged {
        let known = cases.entry(check.dimension).or_default();
        known
            .entry(&check.check_id)
            .or_default()
            .unjudged
            .push(check);
    }
    let counts = EVIDENCE.shares(&export.report.issues);
    for (issue, causes) in export.report.issues.iter().zip(counts) {
        let known = cases.entry(issue.dimension).or_default();
        known.entry(&issue.check_id).or_default().found = Some((issue, causes));
    }
    cases.retain(|_, known| !known.is_empty());
    cases
}

fn suite(export: &Export<'_>, dimension: Dimension, cases: BTreeMap<&str, Case<'_>>) -> TestSuite {
    let mut suite = TestSuite::new(dimension.as_str());
    suite.add_property(Property::new(
        "url",
        shown(&export.report.url, limits::ADDRESS),
    ));
    if export.scored.has(dimension)
        && let Some(score) = export.report.score.dimensions.get(&dimension)
    {
        suite.add_property(Property::new("score", score.subscore.to_string()));
    }
    for (check_id, case) in cases {
        let check_id = shown(check_id, limits::TEXT);
        let mut told = TestCase::new(check_id.as_str(), status(export, &case));
        told.set_classname(format!("assay.{dimension}"));
        // The schema of the format requires a time.
        told.set_time(std::time::Duration::ZERO);
        if let Some(notes) = notes(&case) {
            told.set_system_out(notes);
        }
        suite.add_test_case(told);
    }
    suite.set_time(std::time::Duration::ZERO);
    suite
}

fn status(export: &Export<'_>, case: &Case<'_>) -> TestCaseStatus {
    match &case.found {
        // A finding that waivers accept passes, like one that is only worth knowing.
        Some((issue, causes)) if issue.severity != Severity::Info && !issue.is_waived() => {
            let mut failed = TestCaseStatus::non_success(NonSuccessKind::Failure);
            failed
                .set_type(issue.severity.as_str())
                .set_message(shown(&issue.title, limits::TEXT))
                .set_description(failure(export, issue, causes, &case.unjudged));
            failed
        }
        None if !case.unjudged.is_empty() => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(reasons(&case.unjudged));
            skipped
        }
        _ => TestCaseStatus::success(),
    }
}

/// Why a check gave no verdict, or one on a part only.
fn reasons(unjudged: &[&UnjudgedCheck]) -> String {
    let reasons = unjudged.iter().map(|check| {
        let reason = sentence(&shown(check.why.reason(), limits::TEXT));
        format!("{}{}: {reason}", verb(&check.why), aside(check))
    });
    reasons.collect::<Vec<_>>().join(" ")
}

/// What was found and where, what to do, and where to read on.
fn failure(
    export: &Export<'_>,
    issue: &Issue,
    causes: &[usize],
    unjudged: &[&UnjudgedCheck],
) -> String {
    let mut text = String::new();
    let extent = issue.extent(&export.report.coverage);
    let title = shown(&issue.title, limits::TEXT);
    let found = format!("{} {extent}", sentence(&title));
    let _ = writeln!(text, "{}", found.trim_end());
    for (cause, &most) in issue.causes.iter().zip(causes) {
        if let Some(headline) = headline(issue, cause) {
            let headline = shown(headline, limits::TEXT);
            let _ = writeln!(text, "- {}", with_reach(&headline, issue, cause));
        }
        let places = first(&cause.occurrences, most);
        for place in places {
            write_place(&mut text, place);
        }
        if let Some(more) = more_places(cause, places.len()) {
            let _ = writeln!(text, "  {more}");
        }
    }
    if let Some(more) = more_causes(issue, causes.len()) {
        let _ = writeln!(text, "{more}");
    }
    if !unjudged.is_empty() {
        let _ = writeln!(text, "{}", reasons(unjudged));
    }
    let fix = shown(&issue.recommendation, limits::TEXT);
    let _ = writeln!(text, "Fix: {}", sentence(&fix));
    if let Some(help) = export.help_url(&issue.check_id) {
        let _ = writeln!(text, "Help: {help}");
    }
    text
}

fn write_place(text: &mut String, place: &Occurrence) {
    let line = place
        .line
        .map_or_else(String::new, |line| format!(":{line}"));
    let url = shown(&place.url, limits::ADDRESS);
    let message = shown(&place.message, limits::TEXT);
    let _ = writeln!(text, "  {url}{line} {message}");
    if let Some(selector) = &place.selector {
        let _ = writeln!(text, "    at {}", shown(selector, limits::ADDRESS));
    }
    if let Some(snippet) = &place.snippet {
        let _ = writeln!(text, "    {}", shown(snippet, limits::SNIPPET));
    }
}

/// Issues of severity `info`.
fn notes(case: &Case<'_>) -> Option<String> {
    let (issue, _) = case.found.as_ref()?;
    let note = || format!("Note: {}", sentence(&shown(&issue.title, limits::TEXT)));
    (issue.severity == Severity::Info).then(note)
}
