//! The two shapes of a report.

use crate::Dimension;
use crate::named_enum::named_enum;

named_enum! {
    /// Which dimensions a report speaks of.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Variant {
        /// All six.
        Current = "current",
        /// All but AI readiness, which is left out with its issues and its part of the score.
        Legacy = "legacy",
    }
}

impl Variant {
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
