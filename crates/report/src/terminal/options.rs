//! How to show a report.

use std::time::Duration;

/// How to show a report on a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Whether to colour. The caller looks at the terminal and at `NO_COLOR`.
    pub color: bool,
    /// Columns of the terminal; fewer than 40 count as 40.
    pub width: u16,
    /// Whether to show all issues and all checks without a complete result.
    pub all_issues: bool,
    /// How many issues to show otherwise.
    pub max_issues: usize,
}

/// What is known of the audit beside its report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalFacts<'a> {
    /// When it was made, in RFC 3339.
    pub created_at: Option<&'a str>,
    /// How long it took.
    pub took: Option<Duration>,
    /// The overall score of the baseline, if the two can be compared.
    pub baseline_score: Option<u8>,
}

impl Default for TerminalOptions {
    fn default() -> Self {
        Self {
            color: false,
            width: 80,
            all_issues: false,
            max_issues: 10,
        }
    }
}
