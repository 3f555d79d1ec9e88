//! What scoring starts from.

use std::collections::BTreeMap;

use super::{MetricTally, Share, penalty};
use crate::{Dimension, Severity, SubjectKind};

/// What an audit counted: the page scores of each dimension, and each check's part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Tallies {
    /// The page scores of each dimension; a dimension that is not here counts as perfect pages.
    pub pages: BTreeMap<Dimension, PageTotal>,
    /// One count for each check that gave a verdict, in the order of the catalogue.
    pub checks: Vec<CheckTally>,
    /// The metrics of the pages that a browser measured; none if it measured none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub metrics: Option<MetricTally>,
}

/// The page scores of a dimension, added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct PageTotal {
    /// The number of pages.
    pub count: u64,
    /// The sum of their scores, in billionths of a perfect one.
    pub sum: u64,
}

impl PageTotal {
    /// Adds a page with this score.
    pub fn add(&mut self, score: Share) {
        self.count = self.count.saturating_add(1);
        self.sum = self.sum.saturating_add(score.billionths().into());
    }

    /// The mean; the whole where there is no page.
    #[must_use]
    pub fn mean(self) -> Share {
        if self.count == 0 {
            return Share::ONE;
        }
        Share::mean(self.sum, self.count)
    }
}

/// What one check found, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct CheckTally {
    /// The check; at most one tally for each.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// What it judges: pages lower their own scores, anything else lowers the dimension's.
    pub subject: SubjectKind,
    /// How severe its findings are: the worst of them, or the check's own severity where there are none.
    pub severity: Severity,
    /// Subjects with a verdict: pages, resources, or 1 for the origin or the site.
    pub judged: u64,
    /// Subjects that fail.
    pub failed: u64,
    /// How much of its penalty it costs: the mean of what it costs on each subject judged.
    pub reach: Share,
    /// For a check of pages: what the sum of all page scores would gain without the check, in
    /// billionths. 0 for other checks.
    pub page_gain: u64,
}

impl CheckTally {
    /// Whether the check lowers the dimension's score itself, and not the scores of pages.
    #[must_use]
    pub fn is_of_site(&self) -> bool {
        self.subject != SubjectKind::Page
    }

    /// The factor by which a check that is not of pages lowers its dimension's score.
    #[must_use]
    pub fn factor(&self) -> Share {
        penalty(self.severity).times(self.reach).complement()
    }
}

/// A finding so severe that its dimension cannot score above a maximum.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Cap {
    /// The dimension that it caps.
    pub dimension: Dimension,
    /// The highest subscore possible; above 100 counts as 100.
    pub maximum: u8,
    /// The check that found it.
    pub check_id: String,
    /// Why, as a clause: "no page can be indexed".
    pub reason: String,
}
