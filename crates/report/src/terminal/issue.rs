//! One issue: what, where, what to do, what it brings.

use anstyle::Style;
use domain::report::{Coverage, Issue, IssueCause, Occurrence};
use domain::text::{first_sentence, sentence};
use domain::{Confidence, Severity};

use crate::cause::{first, headline, more_causes, more_places, reach};

use super::sheet::{BOLD, FAIR, PLAIN, POOR, QUIET, Sheet};

/// Whether to say what a fix brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    Shown,
    /// The run had only some of the checks, so its points mean nothing.
    Hidden,
}

/// How much evidence is shown of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth {
    pub(super) causes: usize,
    /// Places of each of several causes.
    pub(super) places: usize,
    /// Places of the only cause.
    pub(super) places_of_only: usize,
}

pub(super) fn write(
    sheet: &mut Sheet,
    issue: &Issue,
    coverage: &Coverage,
    depth: Depth,
    points: Points,
) {
    let (mark, style) = mark(issue.severity);
    let mark = format!("{mark} {}", issue.severity);
    sheet.marked(&mark, style, &issue.title, BOLD);
    let about = format!(
        "{}, {}{}.",
        issue.dimension.label(),
        issue.check_id,
        doubt(issue.confidence)
    );
    let facts = [about, issue.extent(coverage), first_sentence(&issue.why)];
    sheet.paragraph("  ", &facts.join(" "), PLAIN);
    write_evidence(sheet, issue, depth);
    let fix = format!(
        "{}: {}",
        fix_label(issue, points),
        sentence(&issue.recommendation)
    );
    sheet.paragraph("  ", &fix, PLAIN);
}

fn mark(severity: Severity) -> (&'static str, Style) {
    match severity {
        Severity::Critical => ("▲", POOR),
        Severity::Serious => ("◆", POOR),
        Severity::Moderate => ("●", FAIR),
        Severity::Minor => ("○", PLAIN),
        Severity::Info => ("·", QUIET),
    }
}

/// A hint says that it is one.
const fn doubt(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High | Confidence::Medium => "",
        Confidence::Low => ", low confidence",
    }
}

fn write_evidence(sheet: &mut Sheet, issue: &Issue, depth: Depth) {
    let places = match issue.causes_total {
        0 | 1 => depth.places_of_only,
        _ => depth.places,
    };
    let causes = first(&issue.causes, depth.causes);
    for cause in causes {
        write_cause(sheet, issue, cause, places);
    }
    if let Some(more) = more_causes(issue, causes.len()) {
        sheet.paragraph("  ", &format!("and {more}"), QUIET);
    }
}

/// A cause with its places below it; the places alone where it says no more than the issue.
fn write_cause(sheet: &mut Sheet, issue: &Issue, cause: &IssueCause, most: usize) {
    let indent = match headline(issue, cause) {
        None => "  ",
        Some(headline) => {
            let reach = reach(issue, cause);
            let aside = if reach.is_empty() { "" } else { ": " };
            sheet.paragraph("  ", &format!("- {headline}{aside}{reach}"), PLAIN);
            "    "
        }
    };
    let mut told = "";
    let places = first(&cause.occurrences, most);
    for place in places {
        write_place(sheet, place, indent, place.message != told);
        told = &place.message;
    }
    if let Some(more) = more_places(cause, places.len()).filter(|_| !places.is_empty()) {
        sheet.paragraph(indent, &format!("and {more}"), QUIET);
    }
}

fn write_place(sheet: &mut Sheet, place: &Occurrence, indent: &str, with_message: bool) {
    let deeper = format!("{indent}  ");
    let line = place
        .line
        .map_or_else(String::new, |line| format!(" line {line}"));
    sheet.paragraph(indent, &format!("{}{line}", place.url), QUIET);
    if let Some(selector) = &place.selector {
        sheet.excerpt(&deeper, selector, 1, PLAIN);
    }
    if let Some(snippet) = &place.snippet {
        sheet.excerpt(&deeper, snippet, 2, PLAIN);
    }
    if with_message {
        sheet.paragraph(&deeper, &place.message, PLAIN);
    }
}

/// "Fix (small effort, +3.2 points)"
fn fix_label(issue: &Issue, points: Points) -> String {
    let effort = Some(&issue.effort).filter(|effort| !effort.is_empty());
    let effort = effort.map(|effort| format!("{effort} effort"));
    let brings = match points {
        Points::Shown => brings(issue.score_impact),
        Points::Hidden => None,
    };
    let asides: Vec<_> = effort.into_iter().chain(brings).collect();
    if issue.severity == Severity::Info {
        "Note".to_owned()
    } else if asides.is_empty() {
        "Fix".to_owned()
    } else {
        format!("Fix ({})", asides.join(", "))
    }
}

fn brings(points: f64) -> Option<String> {
    let text = format!("+{points:.1}");
    match text.as_str() {
        _ if points <= 0.0 => None,
        "+0.0" => Some("under 0.1 points".to_owned()),
        "+1.0" => Some("+1 point".to_owned()),
        _ => Some(format!("{text} points")),
    }
}
