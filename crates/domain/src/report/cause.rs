//! A cause of an issue.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{FindingCause, IssueState, Occurrence};
use crate::SubjectKind;
use crate::fingerprint::fingerprint;

/// One of the causes of an issue: a broken address, a cookie, a template's element.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct IssueCause {
    /// What is the same for this check and cause in every run: 32 hexadecimal digits.
    pub fingerprint: String,
    /// What tells this cause from the check's others; empty where the check has only one.
    pub key: String,
    /// What was found, as a headline without a full stop.
    pub message: String,
    /// Subjects with this cause.
    pub affected: u64,
    /// The pages it was found on: exact for page checks, else the different URLs among the
    /// occurrences kept.
    pub affected_pages: u64,
    /// Its part of the points that its issue gains, to two decimals: the causes of an issue gain what
    /// the issue gains, each by its share of the occurrences.
    pub score_impact: f64,
    /// Whether the site's report before had it; none before a report is stored, and where the
    /// report before cannot tell.
    pub state: Option<IssueState>,
    /// The total number of occurrences, including those that are not stored.
    pub occurrences_total: u64,
    /// How many of its occurrences a waiver accepts.
    pub waived: u64,
    /// The occurrences at hand, in the order of the pages.
    pub occurrences: Vec<Occurrence>,
}

impl IssueCause {
    pub(super) fn new(subject: SubjectKind, cause: &FindingCause, check_id: &str) -> Self {
        Self {
            fingerprint: fingerprint(check_id, &cause.key),
            key: cause.key.clone(),
            message: cause.title.clone(),
            affected: cause.affected,
            affected_pages: match subject {
                SubjectKind::Page => cause.affected,
                _ => different_urls(&cause.occurrences),
            },
            score_impact: 0.0,
            state: None,
            occurrences_total: cause.occurrences_total,
            waived: cause.waived,
            occurrences: cause.occurrences.clone(),
        }
    }

    /// Whether waivers accept all of its occurrences.
    #[must_use]
    pub const fn is_waived(&self) -> bool {
        self.waived > 0 && self.waived >= self.occurrences_total
    }

    /// The order of the causes of an issue: points to gain, then how often it occurs, then the key.
    #[must_use]
    pub fn largest_first(&self, other: &Self) -> Ordering {
        (other.score_impact.total_cmp(&self.score_impact))
            .then_with(|| other.occurrences_total.cmp(&self.occurrences_total))
            .then_with(|| other.affected.cmp(&self.affected))
            .then_with(|| self.key.cmp(&other.key))
    }
}

fn different_urls(occurrences: &[Occurrence]) -> u64 {
    let urls: BTreeSet<_> = occurrences.iter().map(|found| &found.url).collect();
    u64::try_from(urls.len()).unwrap_or(u64::MAX)
}
