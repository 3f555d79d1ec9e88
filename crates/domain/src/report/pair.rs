//! The report on one audit in both of its shapes.

use super::{AuditResult, Report, Scores, Variant};
use crate::score::DimensionWeights;

/// The report on a run in both variants, so that either can be shown later, unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportPair {
    /// All six dimensions. Its issues give the order in which they are numbered.
    pub current: Report,
    /// The first five. Its issues are those of `current` without AI readiness, by fingerprint.
    pub legacy: Report,
}

impl ReportPair {
    /// Makes both reports of a result.
    #[must_use]
    pub fn assemble(result: &AuditResult, weights: &DimensionWeights) -> Self {
        Self {
            current: Report::assemble(result, Variant::Current, weights),
            legacy: Report::assemble(result, Variant::Legacy, weights),
        }
    }

    /// Their scores.
    #[must_use]
    pub fn scores(&self) -> Scores {
        Scores::new(&self.current, &self.legacy)
    }
}
