//! One issue: what, where, what to do, what it brings.

use anstyle::Style;
use domain::report::{Coverage, Issue, Occurrence};
use domain::text::{first_sentence, grouped, sentence};
use domain::{Confidence, Severity};

use super::sheet::{BOLD, FAIR, PLAIN, POOR, QUIET, Sheet};

/// Whether to say what a fix brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    Shown,
    /// The run had only some of the checks, so its points mean nothing.
    Hidden,
}

pub(super) fn write(
    sheet: &mut Sheet,
    issue: &Issue,
    coverage: &Coverage,
    evidence: usize,
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
    write_evidence(sheet, issue, evidence);
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

fn write_evidence(sheet: &mut Sheet, issue: &Issue, at_most: usize) {
    let mut told = "";
    let mut shown = 0_u64;
    for place in issue.occurrences.iter().take(at_most) {
        write_place(sheet, place, place.message != told);
        told = &place.message;
        shown += 1;
    }
    let more = issue.occurrences_total.saturating_sub(shown);
    if shown > 0 && more > 0 {
        sheet.paragraph("  ", &format!("and {} more", grouped(more)), QUIET);
    }
}

fn write_place(sheet: &mut Sheet, place: &Occurrence, with_message: bool) {
    let line = place
        .line
        .map_or_else(String::new, |line| format!(" line {line}"));
    sheet.paragraph("  ", &format!("{}{line}", place.url), QUIET);
    if let Some(selector) = &place.selector {
        sheet.excerpt("    ", selector, 1, PLAIN);
    }
    if let Some(snippet) = &place.snippet {
        sheet.excerpt("    ", snippet, 2, PLAIN);
    }
    if with_message {
        sheet.paragraph("    ", &place.message, PLAIN);
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
