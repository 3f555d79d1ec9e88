//! Whether an issue or a cause was there in the report before.

/// What became of an issue or a cause since the site's report before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IssueState {
    /// The report before does not have it.
    New,
    /// The report before has it as well.
    Persisting,
}

impl IssueState {
    /// All states.
    pub const ALL: [Self; 2] = [Self::New, Self::Persisting];

    /// The name on the wire, and by which it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Persisting => "persisting",
        }
    }
}
