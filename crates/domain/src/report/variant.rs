//! The two shapes of a report.

use std::fmt;

use crate::Dimension;

/// Which dimensions a report speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// All six.
    Current,
    /// All but AI readiness, which is left out with its issues and its part of the score.
    Legacy,
}

impl Variant {
    /// The name on the wire and in the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Legacy => "legacy",
        }
    }

    /// Its dimensions, in the order in which they are shown.
    #[must_use]
    pub const fn dimensions(self) -> &'static [Dimension] {
        const FIRST_FIVE: [Dimension; 5] = [
            Dimension::Performance,
            Dimension::Accessibility,
            Dimension::Seo,
            Dimension::Security,
            Dimension::Content,
        ];
        match self {
            Self::Current => &Dimension::ALL,
            Self::Legacy => &FIRST_FIVE,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
