//! What a check judges.

use crate::named_enum::named_enum;

named_enum! {
    /// What a check judges, and so what its counts are counts of.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum SubjectKind {
        /// Each page.
        Page = "page",
        /// Each resource or file.
        Resource = "resource",
        /// The origin, once.
        Origin = "origin",
        /// The site as a whole, once.
        Site = "site",
    }
}
