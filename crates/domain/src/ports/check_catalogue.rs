//! What is known of the checks, beside what they find.

use crate::{Dimension, Severity};

/// A check of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckInfo {
    /// Its id.
    pub id: String,
    /// What it finds, as a headline.
    pub title: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// What it judges: `page`, `resource`, `origin` or `site`.
    pub scope: String,
    /// The severity of its findings.
    pub severity: Severity,
    /// Whether it needs a browser.
    pub needs_browser: bool,
    /// Its documentation, Markdown of our own.
    pub documentation: String,
}

/// A check's documentation, taken apart: Markdown of our own, each paragraph and item on one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckGuide {
    /// What the check finds, as a headline.
    pub title: String,
    /// What it checks.
    pub what: String,
    /// Why it matters.
    pub why: String,
    /// How to fix what it finds.
    pub fix: String,
    /// What it does not see; may be empty.
    pub limits: String,
    /// Standards and sources.
    pub references: Vec<String>,
}

/// The checks that the engine knows.
pub trait CheckCatalogue: Send + Sync {
    /// All checks, in the order of their dimensions and ids.
    fn checks(&self) -> Vec<CheckInfo>;

    /// The check of that id.
    fn check(&self, id: &str) -> Option<CheckInfo>;

    /// The documentation of the check of that id; none for one that was retired.
    fn guide(&self, id: &str) -> Option<CheckGuide>;
}
