//! How many issues there are of each severity.

use domain::Severity;
use domain::report::Issue;

/// How many issues there are of a severity.
pub struct SeverityCount {
    /// The severity.
    pub severity: Severity,
    /// How many issues have it.
    pub number: usize,
}

/// The severities that occur.
pub(super) fn counts(issues: &[Issue]) -> Vec<SeverityCount> {
    let counts = Severity::ALL.into_iter().map(|severity| SeverityCount {
        severity,
        number: issues
            .iter()
            .filter(|issue| issue.severity == severity)
            .count(),
    });
    counts.filter(|count| count.number > 0).collect()
}
