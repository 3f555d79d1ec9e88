//! The issues that cost points.

use super::part;
use crate::report::{Coverage, Issue};
use crate::score::Score;
use crate::text::{count, enumeration, first_sentence, grouped};
use crate::{Severity, SubjectKind};

/// An issue with its cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Costly<'a> {
    /// The issue.
    pub(super) issue: &'a Issue,
    /// The points that its dimension gains without it.
    pub(super) cost: f64,
}

impl<'a> Costly<'a> {
    /// The issues except notes and those of which waivers accept everything, in the order of the report.
    pub(super) fn all(score: &Score, issues: &'a [Issue]) -> Vec<Self> {
        issues
            .iter()
            .filter(|issue| issue.severity != Severity::Info && !issue.is_waived())
            .map(|issue| Self {
                issue,
                cost: cost(score, issue),
            })
            .collect()
    }

    /// "“Broken internal links”"
    pub(super) fn title(&self) -> String {
        format!("“{}”", self.issue.title.trim_end_matches('.'))
    }

    /// ", on 12 of 40 pages, most of them below /shop/"; empty for what is of the whole site.
    pub(super) fn place(&self, coverage: &Coverage) -> String {
        let issue = self.issue;
        let affected = grouped(issue.affected);
        let place = match issue.subject {
            SubjectKind::Page if issue.affected >= coverage.pages_audited => {
                match coverage.pages_audited {
                    1 => ", on the one page audited".to_owned(),
                    _ => ", on every page".to_owned(),
                }
            }
            SubjectKind::Page => {
                format!(
                    ", on {affected} of {}",
                    count(coverage.pages_audited, "page", "pages")
                )
            }
            SubjectKind::Resource if issue.affected >= issue.applicable.max(2) => {
                format!(", in all {affected} files")
            }
            SubjectKind::Resource => {
                format!(
                    ", in {affected} of {}",
                    count(issue.applicable, "file", "files")
                )
            }
            SubjectKind::Origin | SubjectKind::Site => String::new(),
        };
        let part = match issue.affected {
            0..=2 => None,
            _ => part::most_below(issue),
        };
        match part {
            Some(folder) if !place.is_empty() => format!("{place}, most of them below {folder}"),
            _ => place,
        }
    }

    /// "Start with “Broken internal links”: Correct the URL."; empty without advice.
    pub(super) fn first_step(&self) -> String {
        let fix = first_sentence(&self.issue.recommendation);
        if fix.is_empty() {
            return String::new();
        }
        format!("Start with {}: {fix}", self.title())
    }
}

fn cost(score: &Score, issue: &Issue) -> f64 {
    let dimension = score.dimensions.get(&issue.dimension);
    let mut checks = dimension.into_iter().flat_map(|score| &score.checks);
    let check = checks.find(|check| check.check_id == issue.check_id);
    check.map_or(0.0, |check| check.cost.to_points())
}

/// "Next come “A” (2.1 points) and “B” (1 point)."; empty if there are none.
pub(super) fn next(costly: &[Costly<'_>], aside: impl Fn(&Costly<'_>) -> String) -> String {
    let named: Vec<_> = costly
        .iter()
        .map(|costly| format!("{} ({})", costly.title(), aside(costly)))
        .collect();
    match named.len() {
        0 => String::new(),
        1 => format!("Next comes {}.", enumeration(&named)),
        _ => format!("Next come {}.", enumeration(&named)),
    }
}
