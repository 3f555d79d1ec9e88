//! The metrics that a browser measures, and what they count.

use std::collections::BTreeMap;

use super::{PageTotal, Share};

/// A metric that counts in the performance score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// First Contentful Paint.
    Fcp,
    /// Largest Contentful Paint.
    Lcp,
    /// Total Blocking Time.
    Tbt,
    /// Cumulative Layout Shift.
    Cls,
    /// Speed Index.
    SpeedIndex,
}

/// A weight of 1 in 100, and a grade of 1 in 100, in billionths of a whole.
const UNIT: u32 = 100_000;

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 5] = [Self::Fcp, Self::Lcp, Self::Tbt, Self::Cls, Self::SpeedIndex];

    /// What it counts of 100, as in Lighthouse.
    #[must_use]
    pub const fn weight(self) -> u32 {
        match self {
            Self::Fcp | Self::SpeedIndex => 10,
            Self::Lcp | Self::Cls => 25,
            Self::Tbt => 30,
        }
    }

    /// The check that reports it.
    #[must_use]
    pub const fn check_id(self) -> &'static str {
        match self {
            Self::Fcp => "fcp",
            Self::Lcp => "lcp",
            Self::Tbt => "tbt",
            Self::Cls => "cls",
            Self::SpeedIndex => "speed-index",
        }
    }

    /// The metric that a check reports.
    #[must_use]
    pub fn of_check(check_id: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|metric| metric.check_id() == check_id)
    }
}

/// The grades of the metrics of a page, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MetricGrades([Option<u8>; 5]);

impl MetricGrades {
    /// Sets the grade of a metric; more than 100 counts as 100.
    pub fn set(&mut self, metric: Metric, hundredths: u8) {
        let place = Metric::ALL.iter().position(|known| *known == metric);
        if let Some(grade) = place.and_then(|place| self.0.get_mut(place)) {
            *grade = Some(hundredths.min(100));
        }
    }

    /// The mean of the grades by weight, exact; none unless every metric has a grade.
    ///
    /// ```
    /// use domain::score::{Metric, MetricGrades};
    ///
    /// let mut grades = MetricGrades::default();
    /// for (metric, grade) in Metric::ALL.into_iter().zip([96, 91, 94, 100, 98]) {
    ///     grades.set(metric, grade);
    /// }
    /// // (10 × 96 + 25 × 91 + 30 × 94 + 25 × 100 + 10 × 98) / 100
    /// assert_eq!(grades.score().unwrap().to_points(), 95.35);
    /// ```
    #[must_use]
    pub fn score(&self) -> Option<Share> {
        let graded = Metric::ALL.into_iter().zip(self.0);
        let sum = graded.map(|(metric, grade)| Some(metric.weight() * u32::from(grade?)));
        let sum: u32 = sum.sum::<Option<u32>>()?;
        Some(Share::from_billionths(sum.saturating_mul(UNIT)))
    }

    /// What the score would gain if each metric had its best grade.
    fn gains(&self) -> impl Iterator<Item = (Metric, u64)> {
        Metric::ALL.into_iter().zip(self.0).map(|(metric, grade)| {
            let missing = 100 - u32::from(grade.unwrap_or(100)).min(100);
            let gain = metric.weight().saturating_mul(missing).saturating_mul(UNIT);
            (metric, u64::from(gain))
        })
    }
}

/// The metrics of the measured pages, counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct MetricTally {
    /// The measured pages and the sum of their scores.
    pub pages: PageTotal,
    /// What the sum would gain without what a check found, in billionths, by the id of the check.
    pub gains: BTreeMap<String, u64>,
}

impl MetricTally {
    /// The tally of these pages, without those of which a metric is missing.
    #[must_use]
    pub fn of_pages(pages: impl IntoIterator<Item = MetricGrades>) -> Self {
        let mut tally = Self::default();
        for grades in pages {
            let Some(score) = grades.score() else {
                continue;
            };
            tally.pages.add(score);
            for (metric, gain) in grades.gains().filter(|(_, gain)| *gain > 0) {
                let sum = tally.gains.entry(metric.check_id().to_owned()).or_default();
                *sum = sum.saturating_add(gain);
            }
        }
        tally
    }

    /// The pages as they would be without what a check found.
    pub(super) fn without(&self, check_id: Option<&str>) -> PageTotal {
        let gain = check_id.and_then(|check| self.gains.get(check)).copied();
        PageTotal {
            sum: self.pages.sum.saturating_add(gain.unwrap_or_default()),
            ..self.pages
        }
    }
}

/// The score of performance with metrics: 0.7 × metrics + 0.3 × the rest, rounded half up; the rest alone if no page
/// was measured.
pub(super) fn with_metrics(rest: Share, metrics: PageTotal) -> Share {
    const METRICS: u64 = 7;
    const REST: u64 = 3;
    if metrics.count == 0 {
        return rest;
    }
    let sum =
        METRICS * u64::from(metrics.mean().billionths()) + REST * u64::from(rest.billionths());
    Share::mean(sum, METRICS + REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grades(hundredths: [u8; 5]) -> MetricGrades {
        let mut grades = MetricGrades::default();
        for (metric, grade) in Metric::ALL.into_iter().zip(hundredths) {
            grades.set(metric, grade);
        }
        grades
    }

    #[test]
    fn the_weights_are_a_whole() {
        let sum: u32 = Metric::ALL.into_iter().map(Metric::weight).sum();
        assert_eq!(sum, 100);
        assert_eq!(grades([100; 5]).score(), Some(Share::ONE));
        assert_eq!(grades([0; 5]).score(), Some(Share::ZERO));
    }

    #[test]
    fn a_page_without_one_of_the_metrics_has_no_score() {
        let mut without = MetricGrades::default();
        for metric in Metric::ALL.into_iter().skip(1) {
            assert_eq!(without.score(), None);
            without.set(metric, 50);
        }
        assert_eq!(without.score(), None);
        let tally = MetricTally::of_pages([without, grades([50; 5])]);
        assert_eq!(tally.pages.count, 1);
    }

    #[test]
    fn the_gains_of_all_metrics_are_all_that_is_missing() {
        let tally = MetricTally::of_pages([grades([90, 50, 0, 100, 7]), grades([1, 2, 3, 4, 5])]);
        let missing = 2 * u64::from(Share::ONE.billionths()) - tally.pages.sum;
        assert_eq!(tally.gains.values().sum::<u64>(), missing);
        assert_eq!(Metric::of_check("lcp"), Some(Metric::Lcp));
        assert_eq!(Metric::of_check("ttfb"), None);
    }

    #[test]
    fn metrics_count_seven_tenths() {
        let metrics = |score| PageTotal {
            count: 1,
            sum: Share::from_hundredths(score).billionths().into(),
        };
        let rest = Share::from_hundredths(50);
        assert_eq!(with_metrics(rest, metrics(100)).to_points(), 85.0);
        assert_eq!(with_metrics(rest, metrics(0)).to_points(), 15.0);
        assert_eq!(with_metrics(rest, PageTotal::default()), rest);
    }
}
