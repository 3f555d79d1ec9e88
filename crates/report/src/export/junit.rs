//! Test results: a suite for each dimension, a case for each check.
//!
//! A check that found something with a weight failed, one without a verdict was skipped, all others
//! passed. What is only worth knowing fails nothing; it stands in the output of its case.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use domain::report::{Issue, Occurrence, Unjudged};
use domain::text::{count, sentence};
use domain::{Dimension, Severity};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::words::{first, shown};
use super::{Export, ExportError, ExportFormat, limits};

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let mut results = Report::new("assay");
    for (dimension, cases) in cases(export) {
        results.add_test_suite(suite(export, dimension, cases));
    }
    let text = results.to_string();
    text.map(String::into_bytes)
        .map_err(|error| ExportError::new(ExportFormat::Junit, &error))
}

/// What a check said.
#[derive(Default)]
struct Case<'a> {
    /// What it found, with how many places are shown.
    found: Vec<(&'a Issue, usize)>,
    unjudged: Option<&'a Unjudged>,
}

/// What the checks said, by dimension and id.
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
        known.entry(&check.check_id).or_default().unjudged = Some(&check.why);
    }
    let counts = limits::places(ExportFormat::Junit, &export.report.issues);
    for (issue, most) in export.report.issues.iter().zip(counts) {
        let known = cases.entry(issue.dimension).or_default();
        let case = known.entry(&issue.check_id).or_default();
        case.found.push((issue, most));
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
        // The schema of the format asks for a time.
        told.set_time(std::time::Duration::ZERO);
        if let Some(notes) = notes(&case) {
            told.set_system_out(notes);
        }
        suite.add_test_case(told);
    }
    suite.set_time(std::time::Duration::ZERO);
    suite
}

fn weighty<'a, 'b>(case: &'b Case<'a>) -> impl Iterator<Item = &'b (&'a Issue, usize)> {
    let found = case.found.iter();
    found.filter(|(issue, _)| issue.severity != Severity::Info)
}

fn status(export: &Export<'_>, case: &Case<'_>) -> TestCaseStatus {
    if let Some((worst, _)) = weighty(case).min_by_key(|(issue, _)| issue.severity) {
        let mut failed = TestCaseStatus::non_success(NonSuccessKind::Failure);
        let number = weighty(case).count();
        let more = match number {
            0 | 1 => String::new(),
            _ => format!(" (and {} more of this check)", number.saturating_sub(1)),
        };
        failed
            .set_type(worst.severity.as_str())
            .set_message(format!("{}{more}", shown(&worst.title, limits::TEXT)))
            .set_description(failure(export, case));
        return failed;
    }
    match case.unjudged {
        Some(why) if case.found.is_empty() => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(shown(why.reason(), limits::TEXT));
            skipped
        }
        _ => TestCaseStatus::success(),
    }
}

/// What was found and where, what to do, and where to read on.
fn failure(export: &Export<'_>, case: &Case<'_>) -> String {
    let mut text = String::new();
    let mut room = limits::JUNIT_PLACES;
    for (issue, most) in weighty(case) {
        let extent = issue.extent(&export.report.coverage);
        let title = shown(&issue.title, limits::TEXT);
        let found = format!("{} {extent}", sentence(&title));
        let _ = writeln!(text, "{}", found.trim_end());
        let places = first(&issue.occurrences, room.min(*most));
        room = room.saturating_sub(places.len());
        for place in places {
            write_place(&mut text, place);
        }
        let told = u64::try_from(places.len()).unwrap_or(u64::MAX);
        let more = issue.occurrences_total.saturating_sub(told);
        if more > 0 {
            let _ = writeln!(text, "  {}", count(more, "more place", "more places"));
        }
    }
    if let Some((issue, _)) = weighty(case).next() {
        let fix = shown(&issue.recommendation, limits::TEXT);
        let _ = writeln!(text, "Fix: {}", sentence(&fix));
        if let Some(help) = export.help_url(&issue.check_id) {
            let _ = writeln!(text, "Help: {help}");
        }
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

/// What is only worth knowing.
fn notes(case: &Case<'_>) -> Option<String> {
    let notes = case.found.iter();
    let notes: Vec<_> = notes
        .filter(|(issue, _)| issue.severity == Severity::Info)
        .map(|(issue, _)| format!("Note: {}", sentence(&shown(&issue.title, limits::TEXT))))
        .collect();
    (!notes.is_empty()).then(|| notes.join("\n"))
}
