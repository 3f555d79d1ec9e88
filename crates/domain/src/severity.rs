//! The severity and confidence of a finding.

use std::fmt;
use std::str::FromStr;

/// The impact of a finding on users of the site, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Something does not work, or is open to attack.
    Critical,
    /// Many people are hindered.
    Serious,
    /// Some people are hindered, or quality is lost.
    Moderate,
    /// A blemish.
    Minor,
    /// Worth knowing; never part of a score and never an action item.
    Info,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 5] = [
        Self::Critical,
        Self::Serious,
        Self::Moderate,
        Self::Minor,
        Self::Info,
    ];

    /// The weight of a check of this severity in its dimension's score.
    #[must_use]
    pub const fn weight(self) -> u32 {
        match self {
            Self::Critical => 10,
            Self::Serious => 7,
            Self::Moderate => 3,
            Self::Minor => 1,
            Self::Info => 0,
        }
    }

    /// The name on the wire, for example `serious`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Serious => "serious",
            Self::Moderate => "moderate",
            Self::Minor => "minor",
            Self::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Severity {
    type Err = UnknownSeverity;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|severity| severity.as_str() == text)
            .ok_or_else(|| UnknownSeverity(text.to_owned()))
    }
}

/// A name that is none of the severities.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown severity `{0}`; known severities: critical, serious, moderate, minor, info")]
pub struct UnknownSeverity(pub String);

/// How sure a check is of what it reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// Follows from the standard or the answer itself.
    High,
    /// A heuristic that is right in most cases.
    Medium,
    /// A hint to look at.
    Low,
}

impl Confidence {
    /// All of them, the surest first.
    pub const ALL: [Self; 3] = [Self::High, Self::Medium, Self::Low];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_scoring_policy() {
        assert_eq!(Severity::ALL.map(Severity::weight), [10, 7, 3, 1, 0]);
    }

    #[test]
    fn wire_names_parse_back() {
        for severity in Severity::ALL {
            assert_eq!(severity.as_str().parse(), Ok(severity));
        }
    }
}
