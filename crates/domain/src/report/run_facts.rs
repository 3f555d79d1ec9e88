//! What a run saw that its report does not have.

use super::PageVisit;
use crate::artifact::Artifact;

/// What a run saw that its report does not have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFacts {
    /// The addresses of the site that it requested, in the order of the crawl; empty if they are not known.
    pub visits: Vec<PageVisit>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// Its pictures, in the order of their ids, or the first of them; empty if they are not at hand.
    pub pictures: Vec<Artifact>,
}
