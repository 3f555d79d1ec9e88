//! The priority of an action item.

use super::{FieldProblem, InvalidAction};
use crate::Severity;
use crate::named_enum::named_enum;

named_enum! {
    /// How much an action item matters to the organization. The first comes first in lists.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Priority {
        /// Now.
        Critical = "critical",
        /// Next.
        High = "high",
        /// In its turn.
        Medium = "medium",
        /// Some day.
        Low = "low",
    }
}

/// How far a problem reaches on a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// Pages or files with the problem.
    pub affected: u64,
    /// Pages or files that could have it.
    pub applicable: u64,
}

impl Reach {
    /// From so many subjects on, a share says something.
    const ENOUGH: u64 = 10;

    /// Half of the subjects or more, where there are ten or more.
    const fn is_wide(self) -> bool {
        self.applicable >= Self::ENOUGH && self.affected.saturating_mul(2) >= self.applicable
    }

    /// Less than one in a hundred.
    const fn is_narrow(self) -> bool {
        self.affected.saturating_mul(100) < self.applicable
    }
}

impl Priority {
    /// The priority that a new item gets from an audit; none where it makes no item.
    ///
    /// The severity decides: critical, high, medium, low. Where the problem is on half of the
    /// subjects or more (and there are ten), `medium` and `low` rise by one; where it is on less than
    /// one in a hundred, `high` and `medium` fall by one. So what is critical stays critical, and
    /// nothing else becomes it.
    #[must_use]
    pub const fn from_audit(severity: Severity, reach: Reach) -> Option<Self> {
        Some(match severity {
            Severity::Critical => Self::Critical,
            Severity::Serious if reach.is_narrow() => Self::Medium,
            Severity::Serious => Self::High,
            Severity::Moderate if reach.is_wide() => Self::High,
            Severity::Moderate if reach.is_narrow() => Self::Low,
            Severity::Moderate => Self::Medium,
            Severity::Minor if reach.is_wide() => Self::Medium,
            Severity::Minor => Self::Low,
            Severity::Info => return None,
        })
    }

    /// The priority of that name in a request.
    ///
    /// # Errors
    /// When there is none; the error names the field `priority`.
    pub fn parse(name: &str) -> Result<Self, InvalidAction> {
        Self::named(name).ok_or_else(|| {
            let known = "critical, high, medium, low";
            InvalidAction::new("priority", FieldProblem::UnknownValue { known })
        })
    }

    /// Its place in lists, 0 for `critical`; what a store sorts by.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Critical => 0,
            Self::High => 1,
            Self::Medium => 2,
            Self::Low => 3,
        }
    }

    /// The priority of that rank.
    #[must_use]
    pub fn ranked(rank: u8) -> Option<Self> {
        Self::ALL.get(usize::from(rank)).copied()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::critical(Severity::Critical, 1, 1_000, Some(Priority::Critical))]
    #[case::serious(Severity::Serious, 10, 1_000, Some(Priority::High))]
    #[case::serious_everywhere(Severity::Serious, 1_000, 1_000, Some(Priority::High))]
    #[case::serious_almost_nowhere(Severity::Serious, 9, 1_000, Some(Priority::Medium))]
    #[case::moderate(Severity::Moderate, 499, 1_000, Some(Priority::Medium))]
    #[case::moderate_on_half(Severity::Moderate, 500, 1_000, Some(Priority::High))]
    #[case::moderate_on_few_pages(Severity::Moderate, 9, 9, Some(Priority::Medium))]
    #[case::moderate_almost_nowhere(Severity::Moderate, 1, 101, Some(Priority::Low))]
    #[case::minor(Severity::Minor, 1, 1, Some(Priority::Low))]
    #[case::minor_everywhere(Severity::Minor, 10, 10, Some(Priority::Medium))]
    #[case::info(Severity::Info, 10, 10, None)]
    #[case::numbers_without_bounds(Severity::Minor, u64::MAX, u64::MAX, Some(Priority::Medium))]
    fn severity_and_reach_give_the_priority(
        #[case] severity: Severity,
        #[case] affected: u64,
        #[case] applicable: u64,
        #[case] expected: Option<Priority>,
    ) {
        let reach = Reach {
            affected,
            applicable,
        };
        assert_eq!(Priority::from_audit(severity, reach), expected);
    }

    #[test]
    fn names_and_ranks_are_found_again() {
        for priority in Priority::ALL {
            assert_eq!(Priority::named(priority.as_str()), Some(priority));
            assert_eq!(Priority::ranked(priority.rank()), Some(priority));
        }
        assert_eq!(Priority::ranked(4), None);
        assert!(Priority::ALL.is_sorted());
        assert_eq!(
            Priority::parse("High").unwrap_err().field(),
            Some("priority")
        );
    }
}
