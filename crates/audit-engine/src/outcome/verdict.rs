//! Outcomes and verdicts of checks.

use domain::Severity;
use domain::score::Share;

use super::{Evidence, Extent, Failures};

/// A score from 0 to 1 in hundredths, for checks that measure a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grade(u8);

impl Grade {
    /// The lowest grade that counts as good.
    pub const GOOD: Self = Self(90);

    /// A grade in hundredths; values above 100 become 100.
    #[must_use]
    pub const fn from_hundredths(hundredths: u8) -> Self {
        Self(if hundredths > 100 { 100 } else { hundredths })
    }

    /// Hundredths, 0 to 100.
    #[must_use]
    pub const fn hundredths(self) -> u8 {
        self.0
    }
}

/// The outcome of a check on its subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No failures.
    Passed,
    /// Failures, always with evidence.
    Failed(Failures),
    /// Measured on a curve. Below [`Grade::GOOD`] the evidence explains the grade.
    Graded(Grade, Failures),
    /// The subject contains nothing to which the check applies.
    NotApplicable,
    /// The check cannot tell; the reason is one sentence.
    CannotTell(&'static str),
}

/// The verdict on one of several items within a subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The item passes.
    Pass,
    /// The item fails.
    Fail(Evidence),
    /// The check cannot tell for this item.
    CannotTell(&'static str),
}

impl Verdict {
    /// Passes if `holds`; otherwise fails with the evidence.
    pub fn pass_if(holds: bool, evidence: impl FnOnce() -> Evidence) -> Self {
        if holds {
            Self::Pass
        } else {
            Self::Fail(evidence())
        }
    }
}

impl Outcome {
    /// Replaces the messages of its evidence with more precise ones, where there are any.
    pub(crate) fn make_precise(&mut self) {
        if let Self::Failed(failures) | Self::Graded(_, failures) = self {
            failures.make_precise();
        }
    }

    /// Evaluates every item: failed if any item fails, otherwise cannot tell if any verdict says so,
    /// passed if all pass, and not applicable if there are none. Failures cost half of the check's penalty,
    /// and of the other half the share of the failing items. Items beyond the limit of [`Failures`] are not
    /// evaluated.
    pub fn for_each<T>(
        items: impl IntoIterator<Item = T>,
        mut evaluate: impl FnMut(T) -> Verdict,
    ) -> Self {
        let mut judged = 0_u64;
        let mut unknown = None;
        let mut failures = Failures::default();
        for item in items {
            judged += 1;
            match evaluate(item) {
                Verdict::Pass => {}
                Verdict::Fail(evidence) => {
                    failures.push(evidence);
                    if failures.has_stopped() {
                        break;
                    }
                }
                Verdict::CannotTell(reason) => unknown = Some(reason),
            }
        }
        match (judged, failures.is_none(), unknown) {
            (0, _, _) => Self::NotApplicable,
            (_, false, _) => Self::Failed(failures.with_extent(Extent::OfItems { judged })),
            (_, true, Some(reason)) => Self::CannotTell(reason),
            (_, true, None) => Self::Passed,
        }
    }

    /// As [`Outcome::for_each`], but items for which `evaluate` returns `None` are ignored if there are
    /// others. If it returns `None` for all of them, the outcome is cannot tell, with this reason.
    pub(crate) fn for_each_known<T>(
        items: impl IntoIterator<Item = T>,
        reason: &'static str,
        mut evaluate: impl FnMut(T) -> Option<Verdict>,
    ) -> Self {
        let mut unknown = false;
        let known = items.into_iter().filter_map(|item| {
            let verdict = evaluate(item);
            unknown |= verdict.is_none();
            verdict
        });
        match Self::for_each(known, |verdict| verdict) {
            Self::NotApplicable if unknown => Self::CannotTell(reason),
            outcome => outcome,
        }
    }

    /// Fails if there are failures; otherwise passes.
    #[must_use]
    pub fn from_failures(failures: Failures) -> Self {
        if failures.is_none() {
            Self::Passed
        } else {
            Self::Failed(failures)
        }
    }

    /// Fails with the evidence, which must not be empty.
    pub fn failed(evidence: impl IntoIterator<Item = Evidence>) -> Self {
        Self::Failed(evidence.into_iter().collect())
    }

    /// A measurement on a curve, with the evidence that explains it.
    pub fn graded(grade: Grade, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        Self::Graded(grade, evidence.into_iter().collect())
    }

    /// Passes if `holds`; otherwise fails with the evidence.
    pub fn pass_if(holds: bool, evidence: impl FnOnce() -> Evidence) -> Self {
        if holds {
            Self::Passed
        } else {
            Self::failed([evidence()])
        }
    }

    /// The same outcome, whose failures cost this part of the check's penalty.
    #[must_use]
    pub fn with_extent(self, extent: Extent) -> Self {
        match self {
            Self::Failed(failures) => Self::Failed(failures.with_extent(extent)),
            other => other,
        }
    }

    /// The same outcome, whose failures have a lower severity than the check's.
    #[must_use]
    pub fn with_severity(self, severity: Severity) -> Self {
        match self {
            Self::Failed(failures) => Self::Failed(failures.with_severity(severity)),
            Self::Graded(grade, failures) => Self::Graded(grade, failures.with_severity(severity)),
            other => other,
        }
    }

    /// Whether it is what [`Verdicts::lose_page`] records.
    pub(crate) fn is_lost_page(&self) -> bool {
        matches!(self, Self::Failed(failures)
            if failures.is_none() && failures.extent() == Extent::PageLost)
    }

    /// Whether the outcome counts towards the score.
    #[must_use]
    pub const fn counts(&self) -> bool {
        matches!(self, Self::Passed | Self::Failed(_) | Self::Graded(..))
    }
}

/// Receives the verdicts of a check that evaluates many subjects after the crawl. Verdicts are passed on one
/// by one and not stored.
pub struct Verdicts<'a> {
    record: &'a mut dyn FnMut(&str, Outcome) -> bool,
    cannot_tell: Option<&'static str>,
    reach: Option<Share>,
}

impl std::fmt::Debug for Verdicts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Verdicts").finish_non_exhaustive()
    }
}

impl<'a> Verdicts<'a> {
    pub(crate) fn new(record: &'a mut dyn FnMut(&str, Outcome) -> bool) -> Self {
        Self {
            record,
            cannot_tell: None,
            reach: None,
        }
    }

    /// Records the outcome for the page or resource at `url`. Subjects must be evaluated in the order in which
    /// the site lists its pages or resources, each once. Returns whether the subject fails and counts: a subject of
    /// which waivers accept everything does not.
    pub fn record(&mut self, url: &str, outcome: Outcome) -> bool {
        (self.record)(url, outcome)
    }

    /// Records that the site lost the page at `url` by what the check found elsewhere, at the links to it: the page
    /// counts with a score of 0 in the dimension of the check, unless waivers accept every failure with this URL as
    /// the key of its cause. The check must judge pages and record them before.
    pub fn lose_page(&mut self, url: &str) {
        let lost = Failures::default().with_extent(Extent::PageLost);
        (self.record)(url, Outcome::Failed(lost));
    }

    /// Sets how much of its penalty the check costs as a whole, for a check of resources that counts bytes and not
    /// files. Without it, this is the mean of what its failures cost on each subject.
    pub const fn set_reach(&mut self, reach: Share) {
        self.reach = Some(reach);
    }

    /// How much of its penalty the check costs, if it was set.
    pub(crate) const fn reach(&self) -> Option<Share> {
        self.reach
    }

    /// Records that the check cannot tell for any subject.
    pub fn cannot_tell(&mut self, reason: &'static str) {
        self.cannot_tell = Some(reason);
    }

    /// The reason why the check cannot tell for any subject.
    pub(crate) const fn unknown(&self) -> Option<&'static str> {
        self.cannot_tell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome_of(items: &[Verdict]) -> Outcome {
        Outcome::for_each(items, Verdict::clone)
    }

    #[test]
    fn no_items_are_not_a_pass() {
        assert_eq!(outcome_of(&[]), Outcome::NotApplicable);
    }

    #[test]
    fn one_failure_fails_even_if_others_are_unknown() {
        let fail = Verdict::Fail(Evidence::here().message("x."));
        let outcome = outcome_of(&[Verdict::Pass, Verdict::CannotTell("why"), fail]);
        assert!(matches!(outcome, Outcome::Failed(evidence) if evidence.len() == 1));
    }

    #[test]
    fn unknown_items_are_ignored_if_others_are_known() {
        let outcome_of =
            |items: &[Option<Verdict>]| Outcome::for_each_known(items, "why", Option::clone);
        assert_eq!(outcome_of(&[]), Outcome::NotApplicable);
        assert_eq!(outcome_of(&[None]), Outcome::CannotTell("why"));
        assert_eq!(outcome_of(&[None, Some(Verdict::Pass)]), Outcome::Passed);
    }

    #[test]
    fn cannot_tell_outweighs_passed() {
        let outcome = outcome_of(&[Verdict::Pass, Verdict::CannotTell("why")]);
        assert_eq!(outcome, Outcome::CannotTell("why"));
    }
}
