//! What the measured values of two reports say about their difference.

use domain::report::{LabChange, LabChangeKind, LabPageChanges};

use super::lab::{metric_abbreviation, metric_value};

/// Why a change of the performance score may say nothing about the site.
pub const PERFORMANCE_IS_NOISE: &str = "The performance score changed only because of measured values that are within the spread of the measurement: \
     the change may be noise.";

/// A measured value in two reports, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabChangeInWords {
    /// "LCP"
    pub metric: &'static str,
    /// "1,200 ms"
    pub before: String,
    /// "1,100 ms"
    pub after: String,
    /// "within the spread of the measurement"
    pub meaning: &'static str,
}

impl LabChangeInWords {
    /// The words for a change.
    #[must_use]
    pub fn new(change: &LabChange) -> Self {
        Self {
            metric: metric_abbreviation(change.metric),
            before: metric_value(change.metric, change.before),
            after: metric_value(change.metric, change.after),
            meaning: meaning(change),
        }
    }

    /// "LCP 1,200 ms → 1,100 ms: within the spread of the measurement"
    pub(crate) fn line(&self) -> String {
        let (metric, before, after) = (self.metric, &self.before, &self.after);
        format!("{metric} {before} → {after}: {}", self.meaning)
    }
}

/// All changes of a page, in words. The page is measured in the same way in both reports unless they say otherwise.
pub(crate) fn lines(page: &LabPageChanges) -> impl Iterator<Item = String> {
    let changes = page.changes.iter();
    changes.map(|change| LabChangeInWords::new(change).line())
}

const fn meaning(change: &LabChange) -> &'static str {
    match change.kind {
        LabChangeKind::Same => "unchanged",
        LabChangeKind::WithinSpread => "within the spread of the measurement",
        LabChangeKind::Changed if change.after < change.before => {
            "better, beyond the spread of the measurement"
        }
        LabChangeKind::Changed => "worse, beyond the spread of the measurement",
        LabChangeKind::Unknown => {
            "perhaps noise, because the spread of the measurement is not known"
        }
        LabChangeKind::OtherProfile => "not comparable, because the profiles are different",
    }
}

#[cfg(test)]
mod tests {
    use domain::score::Metric;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(LabChangeKind::Same, "LCP 1,200 ms → 1,300 ms: unchanged")]
    #[case(
        LabChangeKind::WithinSpread,
        "LCP 1,200 ms → 1,300 ms: within the spread of the measurement"
    )]
    #[case(
        LabChangeKind::Changed,
        "LCP 1,200 ms → 1,300 ms: worse, beyond the spread of the measurement"
    )]
    #[case(
        LabChangeKind::OtherProfile,
        "LCP 1,200 ms → 1,300 ms: not comparable, because the profiles are different"
    )]
    fn lines_say_what_a_change_means(#[case] kind: LabChangeKind, #[case] expected: &str) {
        let change = LabChange {
            metric: Metric::Lcp,
            before: 1_200,
            after: 1_300,
            kind,
        };
        assert_eq!(LabChangeInWords::new(&change).line(), expected);
    }
}
