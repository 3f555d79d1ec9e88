//! What scoring starts from.

use crate::Dimension;

/// What one check found, counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckTally {
    /// The check; at most one tally per check.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// What it counts there.
    pub weight: u32,
    /// Subjects with a verdict: pages, resources, or 1 for the origin or the site.
    pub applicable: u64,
    /// Subjects that are not in order, at most `applicable`.
    pub affected: u64,
    /// What the subjects lost together: 100 for each affected subject of a check that says yes or
    /// no, 100 less the grade for each subject of a graded one. At most 100 × `applicable`; more
    /// counts as that.
    pub lost_hundredths: u64,
}

/// A finding so grave that its dimension cannot score above a maximum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cap {
    /// The dimension it holds down.
    pub dimension: Dimension,
    /// The highest subscore possible; above 100 counts as 100.
    pub maximum: u8,
    /// The check that found it.
    pub check_id: String,
    /// Why, as a clause: "no page can be indexed".
    pub reason: String,
}
