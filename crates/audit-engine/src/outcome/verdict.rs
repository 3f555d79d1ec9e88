//! What a check answers.

use super::{Evidence, Failures};

/// A score between 0 and 1 in hundredths, for checks that measure instead of deciding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grade(u8);

impl Grade {
    /// From this grade on a measurement counts as good.
    pub const GOOD: Self = Self(90);

    /// A grade of so many hundredths; more than 100 is 100.
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

/// What a check found out about its subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Passed,
    /// Something is wrong; never without evidence.
    Failed(Failures),
    /// Measured on a curve. With a grade below [`Grade::GOOD`] the evidence says why.
    Graded(Grade, Failures),
    /// There is nothing here to judge.
    NotApplicable,
    /// The check cannot know; the reason is one sentence.
    CannotTell(&'static str),
}

/// What a check says of one of several things within its subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// This one is well.
    Pass,
    /// This one is not.
    Fail(Evidence),
    /// Nobody can know of this one.
    CannotTell(&'static str),
}

impl Verdict {
    /// Passes when `holds`; otherwise fails with the evidence.
    pub fn of(holds: bool, evidence: impl FnOnce() -> Evidence) -> Self {
        if holds {
            Self::Pass
        } else {
            Self::Fail(evidence())
        }
    }
}

impl Outcome {
    /// Judges every item: failed where any fails, else unknown where any is unknown, passed where
    /// all pass, not applicable where there are none. Items behind the bound of [`Failures`] are not judged.
    pub fn for_each<T>(
        items: impl IntoIterator<Item = T>,
        mut judge: impl FnMut(T) -> Verdict,
    ) -> Self {
        let mut any = false;
        let mut unknown = None;
        let mut failures = Failures::default();
        for item in items {
            any = true;
            match judge(item) {
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
        match (any, failures.is_none(), unknown) {
            (false, _, _) => Self::NotApplicable,
            (true, false, _) => Self::Failed(failures),
            (true, true, Some(reason)) => Self::CannotTell(reason),
            (true, true, None) => Self::Passed,
        }
    }

    /// As [`Outcome::for_each`], but an item of which `judge` knows nothing, and says so with none, counts for
    /// nothing beside the others. Only where it knows nothing of any, the outcome is unknown, for that reason.
    pub(crate) fn for_each_known<T>(
        items: impl IntoIterator<Item = T>,
        reason: &'static str,
        mut judge: impl FnMut(T) -> Option<Verdict>,
    ) -> Self {
        let mut unknown = false;
        let known = items.into_iter().filter_map(|item| {
            let verdict = judge(item);
            unknown |= verdict.is_none();
            verdict
        });
        match Self::for_each(known, |verdict| verdict) {
            Self::NotApplicable if unknown => Self::CannotTell(reason),
            outcome => outcome,
        }
    }

    /// Fails with all the evidence there is; passes where there is none.
    #[must_use]
    pub fn from_failures(failures: Failures) -> Self {
        if failures.is_none() {
            Self::Passed
        } else {
            Self::Failed(failures)
        }
    }

    /// Fails with the evidence, of which there is some.
    pub fn failed(evidence: impl IntoIterator<Item = Evidence>) -> Self {
        Self::Failed(evidence.into_iter().collect())
    }

    /// A measurement on a curve, with the evidence that says why.
    pub fn graded(grade: Grade, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        Self::Graded(grade, evidence.into_iter().collect())
    }

    /// Passes when `holds`; otherwise fails with the evidence.
    pub fn of(holds: bool, evidence: impl FnOnce() -> Evidence) -> Self {
        if holds {
            Self::Passed
        } else {
            Self::failed([evidence()])
        }
    }

    /// Whether the outcome takes part in the score.
    #[must_use]
    pub const fn counts(&self) -> bool {
        matches!(self, Self::Passed | Self::Failed(_) | Self::Graded(..))
    }
}

/// Takes the verdicts of a check that judges many subjects after the crawl, one by one: none is held.
pub struct Verdicts<'a> {
    record: &'a mut dyn FnMut(&str, Outcome),
    cannot_tell: Option<&'static str>,
}

impl std::fmt::Debug for Verdicts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Verdicts").finish_non_exhaustive()
    }
}

impl<'a> Verdicts<'a> {
    pub(crate) fn new(record: &'a mut dyn FnMut(&str, Outcome)) -> Self {
        Self {
            record,
            cannot_tell: None,
        }
    }

    /// Records what was found out about the page or resource at `url`. Judge in the order in which
    /// the site lists its pages or resources, and each subject once.
    pub fn judge(&mut self, url: &str, outcome: Outcome) {
        (self.record)(url, outcome);
    }

    /// Says that nothing can be known of any subject.
    pub fn cannot_tell(&mut self, reason: &'static str) {
        self.cannot_tell = Some(reason);
    }

    /// Why nothing can be known, where the check said so.
    pub(crate) const fn unknown(&self) -> Option<&'static str> {
        self.cannot_tell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(items: &[Verdict]) -> Outcome {
        Outcome::for_each(items, Verdict::clone)
    }

    #[test]
    fn nothing_to_judge_is_not_a_pass() {
        assert_eq!(judged(&[]), Outcome::NotApplicable);
    }

    #[test]
    fn one_failure_fails_whatever_else_is_unknown() {
        let fail = Verdict::Fail(Evidence::here().message("x."));
        let outcome = judged(&[Verdict::Pass, Verdict::CannotTell("why"), fail]);
        assert!(matches!(outcome, Outcome::Failed(evidence) if evidence.len() == 1));
    }

    #[test]
    fn items_of_which_nothing_is_known_say_nothing_against_the_others() {
        let judged =
            |items: &[Option<Verdict>]| Outcome::for_each_known(items, "why", Option::clone);
        assert_eq!(judged(&[]), Outcome::NotApplicable);
        assert_eq!(judged(&[None]), Outcome::CannotTell("why"));
        assert_eq!(judged(&[None, Some(Verdict::Pass)]), Outcome::Passed);
    }

    #[test]
    fn unknown_outweighs_passed() {
        let outcome = judged(&[Verdict::Pass, Verdict::CannotTell("why")]);
        assert_eq!(outcome, Outcome::CannotTell("why"));
    }
}
