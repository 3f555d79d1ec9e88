//! The severity and confidence of a finding.

use std::str::FromStr;

use crate::named_enum::named_enum;

named_enum! {
    /// The impact of a finding on users of the site, worst first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Severity {
        /// Something does not work, or is open to attack.
        Critical = "critical",
        /// Many people are hindered.
        Serious = "serious",
        /// Some people are hindered, or quality is lost.
        Moderate = "moderate",
        /// A blemish.
        Minor = "minor",
        /// Worth knowing; never part of a score and never an action item.
        Info = "info",
    }
}

impl FromStr for Severity {
    type Err = UnknownSeverity;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::named(text).ok_or_else(|| UnknownSeverity(text.to_owned()))
    }
}

/// A name that is none of the severities.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown severity `{0}`; known severities: critical, serious, moderate, minor, info")]
pub struct UnknownSeverity(pub String);

named_enum! {
    /// How sure a check is of what it reports.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Confidence {
        /// Follows from the standard or the answer itself.
        High = "high",
        /// A heuristic that is right in most cases.
        Medium = "medium",
        /// A hint to look at.
        Low = "low",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_names_parse_back() {
        for severity in Severity::ALL {
            assert_eq!(severity.as_str().parse(), Ok(severity));
        }
    }
}
