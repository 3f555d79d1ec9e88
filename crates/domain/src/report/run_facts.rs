//! What a run saw that its report does not have.

use super::PageVisit;

/// What a run saw that its report does not have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFacts {
    /// The addresses of the site that it requested, in the order of the crawl; empty if they are not known.
    pub visits: Vec<PageVisit>,
    /// How long it took.
    pub duration_ms: Option<u64>,
}
