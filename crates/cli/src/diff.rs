//! `assay diff`: compares two saved reports.

use std::collections::BTreeSet;

use anyhow::Result;
use domain::report::{INLINE_CAUSES, INLINE_OCCURRENCES, is_noise, lab_changes};
use domain::{Dimension, Severity};
use report::comparison::{ComparedIssue, Comparison, ScoreChange, Side};
use report::json::measured_changes;
use report::plain::plain;
use report::terminal::TerminalOptions;
use serde_json::{Map, Value, json};

use crate::args::{DiffArgs, DiffFormat};
use crate::exit::Exit;
use crate::output::{columns, print_error, wants_color, write_data, write_json};
use crate::saved::{CAUSE_FINGERPRINTS, SavedIssue, SavedReport};

/// Compares two reports.
///
/// # Errors
/// When standard output cannot be written.
pub fn run_diff(args: &DiffArgs) -> Result<Exit> {
    let pair = SavedReport::read(&args.before)
        .and_then(|before| Ok((before, SavedReport::read(&args.after)?)))
        .and_then(|pair| of_one_site(&pair).map(|()| pair));
    let (before, after) = match pair {
        Ok(pair) => pair,
        Err(wrong) => {
            print_error(None, &wrong);
            return Ok(Exit::Usage);
        }
    };
    let parts = Parts::new(&before, &after);
    match args.format() {
        DiffFormat::Json => {
            let json = serde_json::to_string_pretty(&as_json(&before, &after, &parts))?;
            write_json(&report::json::unmoving(&format!("{json}\n")))?;
        }
        DiffFormat::Markdown => {
            write_data(&comparison(&before, &after, &parts).markdown(args.all))?;
        }
        DiffFormat::Text => {
            let options = TerminalOptions {
                color: wants_color(),
                width: columns(),
                ..TerminalOptions::default()
            };
            let text = comparison(&before, &after, &parts).text(args.all, &options);
            let verdict = after.verdict();
            let verdict = verdict.map_or_else(String::new, |verdict| format!("\n{verdict}\n"));
            write_data(&format!("{text}{verdict}"))?;
        }
    }
    Ok(exit_status(args.fail_on_new, &parts))
}

fn of_one_site((before, after): &(SavedReport, SavedReport)) -> Result<(), String> {
    if before.site() == after.site() {
        return Ok(());
    }
    Err(format!(
        "the reports are of different sites: {} and {}",
        plain(before.site()),
        plain(after.site())
    ))
}

/// New, fixed and persisting issues.
struct Parts<'a> {
    new: Vec<Part<'a>>,
    fixed: Vec<Part<'a>>,
    persisting: Vec<Part<'a>>,
}

/// The causes of an issue that are new, fixed or persisting; never empty.
struct Part<'a> {
    issue: &'a SavedIssue,
    fingerprints: BTreeSet<&'a str>,
}

impl<'a> Parts<'a> {
    fn new(before: &'a SavedReport, after: &'a SavedReport) -> Self {
        let (known, still) = (before.causes(), after.causes());
        Self {
            new: parts(after, |check_id, cause| known.lacks(check_id, cause)),
            fixed: parts(before, |check_id, cause| still.lacks(check_id, cause)),
            persisting: parts(after, |check_id, cause| !known.lacks(check_id, cause)),
        }
    }
}

fn parts(report: &SavedReport, is_wanted: impl Fn(&str, &str) -> bool) -> Vec<Part<'_>> {
    let issues = report.issues.iter();
    issues
        .filter_map(|issue| {
            let mut fingerprints = issue.facts.fingerprints();
            fingerprints.retain(|fingerprint| is_wanted(&issue.facts.check_id, fingerprint));
            (!fingerprints.is_empty()).then_some(Part {
                issue,
                fingerprints,
            })
        })
        .collect()
}

impl Part<'_> {
    /// The number of causes.
    fn total(&self) -> u64 {
        u64::try_from(self.fingerprints.len()).unwrap_or(u64::MAX)
    }

    /// For terminals and Markdown.
    fn compared(&self) -> ComparedIssue {
        let facts = &self.issue.facts;
        let causes = facts.causes.iter();
        let causes = causes.filter(|cause| self.fingerprints.contains(cause.fingerprint.as_str()));
        ComparedIssue {
            severity: facts.severity,
            title: facts.title.clone(),
            check_id: facts.check_id.clone(),
            causes_total: self.total(),
            causes: causes.map(|cause| cause.message.clone()).collect(),
        }
    }

    /// In the format of the HTTP API.
    fn as_json(&self) -> Value {
        let mut issue = self.issue.whole.clone();
        let Value::Object(keys) = &mut issue else {
            return issue;
        };
        keys.remove(CAUSE_FINGERPRINTS);
        keys.insert("causesTotal".to_owned(), json!(self.total()));
        if let Some(Value::Array(causes)) = keys.get_mut("causes") {
            causes.retain(|cause| {
                let fingerprint = cause.get("fingerprint").and_then(Value::as_str);
                fingerprint.is_some_and(|fingerprint| self.fingerprints.contains(fingerprint))
            });
            causes.truncate(INLINE_CAUSES);
            for cause in causes {
                if let Some(Value::Array(occurrences)) = cause.get_mut("occurrences") {
                    occurrences.truncate(INLINE_OCCURRENCES);
                }
            }
        }
        issue
    }
}

/// The overall score and the subscores that are in both reports.
fn scores(before: &SavedReport, after: &SavedReport) -> Vec<(Option<Dimension>, ScoreChange)> {
    let overall = (None, before.overall_score, after.overall_score);
    let dimensions = Dimension::ALL.into_iter();
    let dimensions = dimensions.map(|dimension| {
        (
            Some(dimension),
            before.subscore(dimension),
            after.subscore(dimension),
        )
    });
    let scores = std::iter::once(overall).chain(dimensions);
    scores
        .filter_map(|(dimension, before, after)| {
            let label = dimension.map_or("Overall", Dimension::label).to_owned();
            let (before, after) = (before?, after?);
            Some((
                dimension,
                ScoreChange {
                    label,
                    before,
                    after,
                },
            ))
        })
        .collect()
}

fn catalogue_changed(before: &SavedReport, after: &SavedReport) -> bool {
    let known = before.catalogue().zip(after.catalogue());
    known.is_some_and(|(before, after)| before != after)
}

fn scoring_changed(before: &SavedReport, after: &SavedReport) -> bool {
    let known = before.scoring.as_ref().zip(after.scoring.as_ref());
    known.is_some_and(|(before, after)| before.scoring_version != after.scoring_version)
}

/// Whether measured values alone changed the performance score, and no more than they differ between loads of a page.
fn performance_is_noise(before: &SavedReport, after: &SavedReport) -> bool {
    let subscore = |report: &SavedReport| report.subscore(Dimension::Performance);
    let others = (before.performance_without_metrics()).zip(after.performance_without_metrics());
    subscore(before) != subscore(after)
        && others.is_some_and(|(before, after)| before == after)
        && is_noise(&lab_changes(&before.measured(), &after.measured()))
}

fn comparison(before: &SavedReport, after: &SavedReport, parts: &Parts<'_>) -> Comparison {
    let side = |report: &SavedReport| Side {
        url: report.url.clone(),
        created_at: report.created_at.clone(),
    };
    let issues = |parts: &[Part<'_>]| parts.iter().map(Part::compared).collect();
    let scores = scores(before, after).into_iter();
    Comparison {
        before: side(before),
        after: side(after),
        scores: scores.map(|(_, change)| change).collect(),
        new: issues(&parts.new),
        fixed: issues(&parts.fixed),
        persisting: issues(&parts.persisting),
        performance_is_noise: performance_is_noise(before, after),
        lab: lab_changes(&before.measured(), &after.measured()),
        catalogue_changed: catalogue_changed(before, after),
        scoring_changed: scoring_changed(before, after),
    }
}

/// In the format of the HTTP API.
fn as_json(before: &SavedReport, after: &SavedReport, parts: &Parts<'_>) -> Value {
    let issues = |parts: &[Part<'_>]| -> Vec<Value> { parts.iter().map(Part::as_json).collect() };
    let mut overall = Value::Null;
    let mut subscores = Map::new();
    for (dimension, change) in scores(before, after) {
        match dimension {
            None => overall = json!(change.change()),
            Some(dimension) => {
                subscores.insert(dimension.as_str().to_owned(), json!(change.change()));
            }
        }
    }
    let lab = lab_changes(&before.measured(), &after.measured());
    let lab: Vec<_> = lab.iter().map(measured_changes).collect();
    json!({
        "reportId": after.report_id,
        "against": before.report_id,
        "scoreChange": overall,
        "subscoreChanges": subscores,
        "new": issues(&parts.new),
        "fixed": issues(&parts.fixed),
        "persisting": issues(&parts.persisting),
        "catalogueVersionChanged": catalogue_changed(before, after),
        "scoringVersionChanged": scoring_changed(before, after),
        "lab": lab,
        "performanceIsNoise": performance_is_noise(before, after),
    })
}

fn exit_status(fail_on_new: Option<Severity>, parts: &Parts<'_>) -> Exit {
    let Some(severity) = fail_on_new else {
        return Exit::Fine;
    };
    let new = parts.new.iter();
    let new = new.filter(|part| part.issue.facts.severity <= severity);
    match new.count() {
        0 => Exit::Fine,
        number => {
            let found = match number {
                1 => "one issue with new causes is".to_owned(),
                _ => format!("{number} issues with new causes are"),
            };
            print_error(None, &format!("{found} {severity} or worse"));
            Exit::GateFailed
        }
    }
}
