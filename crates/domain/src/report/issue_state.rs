//! Whether an issue or a cause was there in the report before.

use crate::named_enum::named_enum;

named_enum! {
    /// What became of an issue or a cause since the site's report before.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum IssueState {
        /// The report before does not have it.
        New = "new",
        /// The report before has it as well.
        Persisting = "persisting",
    }
}
