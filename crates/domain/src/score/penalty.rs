//! What severities cost.

use super::Share;
use crate::Severity;

/// The part of a score that a finding of this severity costs where it reaches everything.
///
/// The figures and how they were found are in decision 15.
#[must_use]
pub const fn penalty(severity: Severity) -> Share {
    Share::from_hundredths(match severity {
        Severity::Critical => 45,
        Severity::Serious => 20,
        Severity::Moderate => 7,
        Severity::Minor => 2,
        Severity::Info => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worse_severity_costs_more() {
        assert!(Severity::ALL.windows(2).all(|pair| match pair {
            [worse, better] => penalty(*worse) > penalty(*better),
            _ => false,
        }));
        assert_eq!(penalty(Severity::Info), Share::ZERO);
    }
}
