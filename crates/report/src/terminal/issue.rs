//! One issue: what, where, how to fix it, and its score impact.

use anstyle::Style;
use domain::Severity;
use domain::report::{Issue, IssueCause, Occurrence, Report};
use domain::text::{first_sentence, sentence};

use crate::wording::cause::{first, headline, line, more_causes, more_places, with_reach};
use crate::wording::issue::{doubt, effort, gain_on_terminal, marked};
use crate::wording::waiver::lines;

use super::sheet::{BOLD, FAIR, PLAIN, POOR, QUIET, Sheet};

/// Whether to show the score impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    Shown,
    /// The run had only some of the checks, so its points are not meaningful.
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
    report: &Report,
    depth: Depth,
    points: Points,
) {
    sheet.marked(
        &marked(issue.severity),
        style(issue.severity),
        &issue.title,
        BOLD,
    );
    let doubt = doubt(issue.confidence).map(|doubt| format!(", {doubt}"));
    let about = format!(
        "{}, {}{}.",
        issue.dimension.label(),
        issue.check_id,
        doubt.unwrap_or_default()
    );
    let facts = [
        about,
        issue.extent(&report.coverage),
        first_sentence(&issue.why),
    ];
    sheet.paragraph("  ", &facts.join(" "), PLAIN);
    for line in lines(&report.waivers, issue) {
        sheet.paragraph("  ", &line, PLAIN);
    }
    write_evidence(sheet, issue, depth);
    let fix = format!(
        "{}: {}",
        fix_label(issue, points),
        sentence(&issue.recommendation)
    );
    sheet.paragraph("  ", &fix, PLAIN);
}

pub(super) const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Critical | Severity::Serious => POOR,
        Severity::Moderate => FAIR,
        Severity::Minor => PLAIN,
        Severity::Info => QUIET,
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

/// A cause with its occurrences; only the occurrences if its message equals the issue's title.
fn write_cause(sheet: &mut Sheet, issue: &Issue, cause: &IssueCause, most: usize) {
    let indent = match headline(issue, cause) {
        None => "  ",
        Some(headline) => {
            let headline = with_reach(headline, issue, cause);
            sheet.item("  ", &headline);
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
    sheet.paragraph(indent, &format!("{}{}", place.url, line(place)), QUIET);
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
    let brings = match points {
        Points::Shown => (issue.score_impact > 0.0).then(|| gain_on_terminal(issue.score_impact)),
        Points::Hidden => None,
    };
    let asides: Vec<_> = effort(issue).into_iter().chain(brings).collect();
    if issue.severity == Severity::Info {
        "Note".to_owned()
    } else if asides.is_empty() {
        "Fix".to_owned()
    } else {
        format!("Fix ({})", asides.join(", "))
    }
}
