//! What a check found, by cause.

use crate::{Confidence, Dimension, Severity};

/// What a check judges, and so what its counts are counts of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubjectKind {
    /// Each page.
    Page,
    /// Each resource or file.
    Resource,
    /// The origin, once.
    Origin,
    /// The site as a whole, once.
    Site,
}

impl SubjectKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Page, Self::Resource, Self::Origin, Self::Site];

    /// The name it is stored by.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Resource => "resource",
            Self::Origin => "origin",
            Self::Site => "site",
        }
    }
}

/// One place where a check failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The page or file.
    pub url: String,
    /// A CSS selector that finds the element.
    pub selector: Option<String>,
    /// An excerpt.
    pub snippet: Option<String>,
    /// Line in the source, from 1.
    pub line: Option<u32>,
    /// What is wrong here, in one sentence.
    pub message: String,
}

/// What a check found that has one cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// How much it hurts.
    pub severity: Severity,
    /// How sure the check is.
    pub confidence: Confidence,
    /// How much work a fix usually is: `small`, `medium` or `large`.
    pub effort: String,
    /// What tells this cause from the check's others; empty where it has only one.
    pub cause: String,
    /// What was found, as a headline without a full stop.
    pub title: String,
    /// Why it matters to the people who use the site.
    pub why: String,
    /// How to fix it.
    pub fix: String,
    /// Standards and sources.
    pub references: Vec<String>,
    /// Subjects with this cause.
    pub affected: u64,
    /// Subjects the check was applied to.
    pub applicable: u64,
    /// What the subjects are.
    pub subject: SubjectKind,
    /// The hundredths the check regains if this cause alone is fixed.
    pub sole_lost_hundredths: u64,
    /// How often it occurs, whatever the number kept.
    pub occurrences_total: u64,
    /// The places kept, at most 1,000, in the order of the pages.
    pub occurrences: Vec<Occurrence>,
}
