//! `assay diff`: two reports that were saved, side by side.

use anyhow::Result;
use domain::{Dimension, Severity};
use report::comparison::{ComparedIssue, Comparison, ScoreChange, Side};
use report::plain::plain;
use report::terminal::TerminalOptions;
use serde_json::{Map, Value, json};

use crate::args::{DiffArgs, DiffFormat};
use crate::exit::Exit;
use crate::output::{columns, print_error, wants_color, write_data, write_json};
use crate::saved::{SavedIssue, SavedReport};

/// Compares two reports.
///
/// # Errors
/// When the standard output cannot be written.
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
    let parts = Parts::of(&before, &after);
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
            write_data(&comparison(&before, &after, &parts).text(args.all, &options))?;
        }
    }
    Ok(judge(args.fail_on_new, &parts))
}

fn of_one_site((before, after): &(SavedReport, SavedReport)) -> Result<(), String> {
    if before.site() == after.site() {
        return Ok(());
    }
    Err(format!(
        "the reports are on different sites: {} and {}",
        plain(before.site()),
        plain(after.site())
    ))
}

/// What the two have alone and in common.
struct Parts<'a> {
    new: Vec<&'a SavedIssue>,
    fixed: Vec<&'a SavedIssue>,
    persisting: Vec<&'a SavedIssue>,
}

impl<'a> Parts<'a> {
    fn of(before: &'a SavedReport, after: &'a SavedReport) -> Self {
        let (known, still) = (before.fingerprints(), after.fingerprints());
        let is_known = |issue: &&SavedIssue| known.contains(issue.facts.fingerprint.as_str());
        let is_gone = |issue: &&SavedIssue| !still.contains(issue.facts.fingerprint.as_str());
        let (persisting, new) = after.issues.iter().partition(is_known);
        let fixed = before.issues.iter().filter(is_gone).collect();
        Self {
            new,
            fixed,
            persisting,
        }
    }
}

/// The overall score and the subscores that both have.
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

fn comparison(before: &SavedReport, after: &SavedReport, parts: &Parts<'_>) -> Comparison {
    let side = |report: &SavedReport| Side {
        url: report.url.clone(),
        created_at: report.created_at.clone(),
    };
    let issues = |issues: &[&SavedIssue]| -> Vec<ComparedIssue> {
        let issues = issues.iter().map(|issue| ComparedIssue {
            severity: issue.facts.severity,
            title: issue.facts.title.clone(),
            check_id: issue.facts.check_id.clone(),
            affected_pages: issue.facts.affected_pages,
        });
        issues.collect()
    };
    let scores = scores(before, after).into_iter();
    Comparison {
        before: side(before),
        after: side(after),
        scores: scores.map(|(_, change)| change).collect(),
        new: issues(&parts.new),
        fixed: issues(&parts.fixed),
        persisting: issues(&parts.persisting),
        catalogue_changed: catalogue_changed(before, after),
    }
}

/// In the shape of the HTTP API.
fn as_json(before: &SavedReport, after: &SavedReport, parts: &Parts<'_>) -> Value {
    let issues = |issues: &[&SavedIssue]| -> Vec<Value> {
        issues.iter().map(|issue| issue.whole.clone()).collect()
    };
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
    json!({
        "reportId": after.report_id,
        "against": before.report_id,
        "scoreChange": overall,
        "subscoreChanges": subscores,
        "new": issues(&parts.new),
        "fixed": issues(&parts.fixed),
        "persisting": issues(&parts.persisting),
        "catalogueVersionChanged": catalogue_changed(before, after),
    })
}

fn judge(fail_on_new: Option<Severity>, parts: &Parts<'_>) -> Exit {
    let Some(severity) = fail_on_new else {
        return Exit::Fine;
    };
    let new = parts
        .new
        .iter()
        .filter(|issue| issue.facts.severity <= severity);
    match new.count() {
        0 => Exit::Fine,
        number => {
            let found = match number {
                1 => "one new issue is".to_owned(),
                _ => format!("{number} new issues are"),
            };
            print_error(None, &format!("{found} {severity} or worse"));
            Exit::GateFailed
        }
    }
}
