//! The failures of a check on one subject.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, RandomState};
use std::ops::Deref;
use std::sync::OnceLock;

use domain::Severity;
use domain::action::PageKey;
use domain::report::{MAX_CAUSES, MAX_OCCURRENCES_PER_PAGE};
use domain::score::Share;

use super::Evidence;
use super::evidence::bounded_key;
use crate::bounds::{MAX_FINDINGS_PER_SUBJECT, MAX_SUBJECT_EVIDENCE_BYTES};

/// The failures of a check on one subject: exact totals, and a bounded amount of evidence.
///
/// At each URL the first [`MAX_OCCURRENCES_PER_PAGE`] occurrences are stored, and the first of each cause, within
/// [`MAX_SUBJECT_EVIDENCE_BYTES`]. At [`MAX_FINDINGS_PER_SUBJECT`] the check stops. It dereferences to the stored
/// evidence.
#[derive(Debug, Clone, Default)]
pub struct Failures {
    kept: Vec<Evidence>,
    /// For each stored evidence, the index of its cause in `causes`.
    cause_of: Vec<usize>,
    causes: Vec<CauseCount>,
    places: HashMap<u64, usize>,
    /// The failures at each address; `None` is the subject's address.
    found_at: BTreeMap<Option<PageKey>, AtAddress>,
    total: u64,
    bytes: usize,
    has_stopped: bool,
    extent: Extent,
    severity: Option<Severity>,
}

/// The number of failures at an address.
#[derive(Debug, Clone, Default)]
struct AtAddress {
    total: usize,
    /// The number with each cause, by its index.
    by_cause: BTreeMap<usize, u64>,
}

/// How much of a check's penalty its failures on a subject cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// All of it.
    #[default]
    Whole,
    /// A part of it: the wasted share of a documented limit.
    Part(Share),
    /// ½ + ½ × failing / judged of it, for a check that judges several things on the subject.
    OfItems {
        /// The number of things judged; the failures are the failing ones.
        judged: u64,
    },
    /// The whole score of the page, because no one gets the page: it is an error, or blocked.
    PageLost,
}

/// The number of occurrences of a cause on one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CauseCount {
    /// The hash of its key; see [`hash_of`].
    pub(crate) hash: u64,
    pub(crate) count: u64,
}

/// A hash of a cause's key or of an address, seeded randomly once per process, so that no site can provoke
/// collisions.
pub(crate) fn hash_of(text: &str) -> u64 {
    static HASHER: OnceLock<RandomState> = OnceLock::new();
    HASHER.get_or_init(RandomState::new).hash_one(text)
}

/// The hash of the key of a cause, as [`Failures::causes`] has it.
pub(crate) fn cause_hash(key: &str) -> u64 {
    hash_of(&bounded_key(key.to_owned()))
}

impl Failures {
    /// Counts the evidence, and stores it if there is room. At the findings limit it does neither.
    pub fn push(&mut self, evidence: Evidence) {
        if self.total >= MAX_FINDINGS_PER_SUBJECT && !cfg!(feature = "every-occurrence") {
            self.has_stopped = true;
            return;
        }
        self.total += 1;
        let hash = hash_of(evidence.cause_key());
        let next = self.causes.len();
        let cause = *self.places.entry(hash).or_insert(next);
        let is_first = cause == next;
        if is_first {
            self.causes.push(CauseCount { hash, count: 0 });
        }
        if let Some(known) = self.causes.get_mut(cause) {
            known.count += 1;
        }
        if self.has_room(&evidence, is_first, cause) {
            self.bytes += evidence.text_bytes();
            self.kept.push(evidence);
            self.cause_of.push(cause);
        }
    }

    fn has_room(&mut self, evidence: &Evidence, is_first: bool, cause: usize) -> bool {
        let address = evidence.url.as_deref().map(PageKey::from_url);
        let found = self.found_at.entry(address).or_default();
        found.total += 1;
        *found.by_cause.entry(cause).or_default() += 1;
        if cfg!(feature = "every-occurrence") {
            return true;
        }
        let is_wanted = (is_first && cause < MAX_CAUSES) || found.total <= MAX_OCCURRENCES_PER_PAGE;
        let fits = self.bytes + evidence.text_bytes() <= MAX_SUBJECT_EVIDENCE_BYTES;
        is_wanted && (fits || self.kept.is_empty())
    }

    /// Replaces the messages of the stored evidence with more precise ones, where there are any.
    pub(crate) fn make_precise(&mut self) {
        for evidence in &mut self.kept {
            evidence.make_precise();
        }
    }

    /// The same failures, which cost this part of the check's penalty.
    #[must_use]
    pub const fn with_extent(mut self, extent: Extent) -> Self {
        self.extent = extent;
        self
    }

    /// The same failures with a lower severity than the check's, where the harm is less here than it
    /// usually is. A severity that is not lower has no effect.
    #[must_use]
    pub const fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// How much of the check's penalty they cost.
    pub(crate) const fn extent(&self) -> Extent {
        self.extent
    }

    /// Their severity, for a check of this severity.
    pub(crate) fn severity(&self, usual: Severity) -> Severity {
        // A better severity is a greater value.
        self.severity.map_or(usual, |lowered| lowered.max(usual))
    }

    /// Whether there are no failures.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.total == 0
    }

    /// The number of failures, including those that are not stored.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Whether the check stopped at [`MAX_FINDINGS_PER_SUBJECT`].
    #[must_use]
    pub const fn has_stopped(&self) -> bool {
        self.has_stopped
    }

    /// The addresses with failures, whether or not the evidence is stored; `None` is the subject's address.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = Option<PageKey>> {
        self.found_at.keys().copied()
    }

    /// The number of failures with each cause at each address; `None` is the subject's address.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (usize, Option<PageKey>, u64)> {
        self.found_at.iter().flat_map(|(&address, found)| {
            let by_cause = found.by_cause.iter();
            by_cause.map(move |(&cause, &count)| (cause, address, count))
        })
    }

    /// The number of occurrences of each cause, in the order of their first occurrence.
    pub(crate) fn causes(&self) -> &[CauseCount] {
        &self.causes
    }

    /// The stored evidence, each with the index of its cause in [`Failures::causes`].
    pub(crate) fn iter_with_causes(&self) -> impl Iterator<Item = (usize, &Evidence)> {
        self.cause_of.iter().copied().zip(&self.kept)
    }

    /// As [`Failures::iter_with_causes`], by value.
    pub(crate) fn into_kept(self) -> impl Iterator<Item = (usize, Evidence)> {
        self.cause_of.into_iter().zip(self.kept)
    }

    /// The approximate size in bytes of the stored evidence.
    pub(crate) fn bytes(&self) -> usize {
        let found_at = self.found_at.values();
        let counts: usize = found_at.map(|found| found.by_cause.len()).sum();
        self.bytes + (self.causes.len() + self.found_at.len() + counts) * 48
    }
}

impl Deref for Failures {
    type Target = [Evidence];

    fn deref(&self) -> &Self::Target {
        &self.kept
    }
}

impl PartialEq for Failures {
    fn eq(&self, other: &Self) -> bool {
        self.kept == other.kept && self.total == other.total
    }
}

impl Eq for Failures {}

impl FromIterator<Evidence> for Failures {
    fn from_iter<I: IntoIterator<Item = Evidence>>(evidence: I) -> Self {
        let mut failures = Self::default();
        failures.extend(evidence);
        failures
    }
}

impl Extend<Evidence> for Failures {
    /// Adds evidence until the findings limit.
    fn extend<I: IntoIterator<Item = Evidence>>(&mut self, evidence: I) {
        for evidence in evidence {
            self.push(evidence);
            if self.has_stopped {
                break;
            }
        }
    }
}

impl From<Vec<Evidence>> for Failures {
    fn from(evidence: Vec<Evidence>) -> Self {
        evidence.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caused(key: &str) -> Evidence {
        Evidence::here().message("x.").cause(key, key)
    }

    #[test]
    fn twenty_per_url_are_stored_and_all_are_counted() {
        let failures: Failures = (0..30)
            .map(|_| Evidence::here())
            .chain((0..5).map(|_| Evidence::here().at("https://e.com/b")))
            .collect();
        assert_eq!((failures.len(), failures.total()), (25, 35));
        assert_eq!(failures.causes().len(), 1);
        assert_eq!(failures.causes()[0].count, 35);
    }

    #[test]
    fn the_first_of_each_cause_is_stored_up_to_the_limits() {
        let failures: Failures = (0..1_500).map(|n| caused(&n.to_string())).collect();
        assert!(
            failures.len() <= MAX_CAUSES && failures.len() > 500,
            "{}",
            failures.len()
        );
        assert!(failures.bytes <= MAX_SUBJECT_EVIDENCE_BYTES);
        assert_eq!((failures.total(), failures.causes().len()), (1_500, 1_500));
    }

    #[test]
    fn bytes_of_evidence_are_bounded() {
        let long = "x".repeat(500);
        let failures: Failures = (0..1_000)
            .map(|n| caused(&n.to_string()).message(long.as_str()))
            .collect();
        assert!(
            failures.len() < 260 && failures.len() > 100,
            "{}",
            failures.len()
        );
        assert!(failures.bytes < MAX_SUBJECT_EVIDENCE_BYTES);
        assert_eq!(failures.total(), 1_000);
    }

    #[test]
    fn a_check_stops_at_the_findings_limit() {
        let mut looked_at = 0;
        let failures: Failures = std::iter::repeat_with(|| {
            looked_at += 1;
            Evidence::here()
        })
        .collect();
        assert!(failures.has_stopped());
        assert_eq!(failures.total(), MAX_FINDINGS_PER_SUBJECT);
        assert_eq!(looked_at, MAX_FINDINGS_PER_SUBJECT + 1);
    }
}
