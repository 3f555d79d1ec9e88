//! Issues: severity, effort, confidence and score impact.

use domain::report::Issue;
use domain::text::{count, points};
use domain::{Confidence, Severity, SubjectKind};

/// The mark of a severity.
#[must_use]
pub const fn severity_mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "▲",
        Severity::Serious => "◆",
        Severity::Moderate => "●",
        Severity::Minor => "○",
        Severity::Info => "·",
    }
}

/// "▲ critical"
pub(crate) fn marked(severity: Severity) -> String {
    format!("{} {severity}", severity_mark(severity))
}

/// "small effort"; none where the check names none.
pub(crate) fn effort(issue: &Issue) -> Option<String> {
    (!issue.effort.is_empty()).then(|| format!("{} effort", issue.effort))
}

/// The effort, where it is one of the catalogue's and so no text of a page.
pub(crate) fn known_effort(issue: &Issue) -> Option<&str> {
    match issue.effort.as_str() {
        known @ ("small" | "medium" | "large") => Some(known),
        _ => None,
    }
}

/// "low confidence" of a hint.
pub(crate) fn doubt(confidence: Confidence) -> Option<&'static str> {
    (confidence == Confidence::Low).then_some("low confidence")
}

/// "small effort, low confidence"
pub(crate) fn aside(issue: &Issue) -> String {
    let parts = effort(issue)
        .into_iter()
        .chain(doubt(issue.confidence).map(str::to_owned));
    parts.collect::<Vec<_>>().join(", ")
}

/// "+3.2 points" or "under 0.1 points".
pub(crate) fn gain(gained: f64) -> String {
    match points(gained) {
        under if under.starts_with("under") => under,
        points => format!("+{points}"),
    }
}

/// The points as they stand in a column: "+3.2" or "<0.1".
pub(crate) fn in_points(gained: f64) -> String {
    match format!("+{gained:.1}") {
        none if none == "+0.0" => "<0.1".to_owned(),
        points => points,
    }
}

/// What an issue reaches, in few words: "12 pages", "48 files", "whole site".
#[must_use]
pub fn reach(issue: &Issue) -> String {
    let affected = match issue.subject {
        SubjectKind::Page => issue.affected_pages,
        _ => issue.affected,
    };
    reach_of(issue.subject, affected)
}

/// What the findings of a check reach that judges this subject, in few words: "12 pages", "48 files", "whole site".
#[must_use]
pub fn reach_of(subject: SubjectKind, affected: u64) -> String {
    match subject {
        SubjectKind::Page => count(affected, "page", "pages"),
        SubjectKind::Resource => count(affected, "file", "files"),
        SubjectKind::Origin | SubjectKind::Site => "whole site".to_owned(),
    }
}

/// [`gain`] with its decimal always, as the terminal has it: "+3.0 points".
pub(crate) fn gain_on_terminal(gained: f64) -> String {
    let text = format!("+{gained:.1}");
    match text.as_str() {
        "+0.0" => "under 0.1 points".to_owned(),
        "+1.0" => "+1 point".to_owned(),
        _ => format!("{text} points"),
    }
}
