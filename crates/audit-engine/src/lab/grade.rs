//! The grades of the metrics, by the curves of Lighthouse.

use domain::report::{LabMetrics, LabProfile};
use domain::score::{Metric, MetricGrades};

use crate::algorithms::log_normal::Curve;

/// A metric of which a value is good, fair or poor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabMetric {
    /// A metric that counts in the score.
    Scored(Metric),
    /// How long the main thread is busy.
    MainThread,
}

/// The curve of a metric. Times are in milliseconds, layout shifts in thousandths.
pub(crate) const fn curve_of(metric: LabMetric, profile: LabProfile) -> Curve {
    let (p10, median) = match (metric, profile) {
        (LabMetric::Scored(Metric::Fcp), LabProfile::MobileSlow4g) => (1_800.0, 3_000.0),
        (LabMetric::Scored(Metric::Fcp), LabProfile::Desktop) => (934.0, 1_600.0),
        (LabMetric::Scored(Metric::Lcp), LabProfile::MobileSlow4g) => (2_500.0, 4_000.0),
        (LabMetric::Scored(Metric::Lcp), LabProfile::Desktop) => (1_200.0, 2_400.0),
        (LabMetric::Scored(Metric::Tbt), LabProfile::MobileSlow4g) => (200.0, 600.0),
        (LabMetric::Scored(Metric::Tbt), LabProfile::Desktop) => (150.0, 350.0),
        (LabMetric::Scored(Metric::Cls), _) => (100.0, 250.0),
        (LabMetric::Scored(Metric::SpeedIndex), LabProfile::MobileSlow4g) => (3_387.0, 5_800.0),
        (LabMetric::Scored(Metric::SpeedIndex), LabProfile::Desktop) => (1_311.0, 2_300.0),
        (LabMetric::MainThread, _) => (2_017.0, 4_000.0),
    };
    Curve { p10, median }
}

/// The value of a metric that counts in the score.
const fn value(metrics: &LabMetrics, metric: Metric) -> Option<u32> {
    match metric {
        Metric::Fcp => metrics.fcp_ms,
        Metric::Lcp => metrics.lcp_ms,
        Metric::Tbt => metrics.tbt_ms,
        Metric::Cls => metrics.cls_thousandths,
        Metric::SpeedIndex => metrics.speed_index_ms,
    }
}

impl LabMetric {
    /// The value of the metric.
    #[must_use]
    pub const fn value(self, metrics: &LabMetrics) -> Option<u32> {
        match self {
            Self::Scored(metric) => value(metrics, metric),
            Self::MainThread => metrics.main_thread_ms,
        }
    }
}

/// The grades of the metrics that were measured.
#[must_use]
pub fn grades(metrics: &LabMetrics, profile: LabProfile) -> MetricGrades {
    let mut grades = MetricGrades::default();
    for metric in Metric::ALL {
        if let Some(value) = value(metrics, metric) {
            let curve = curve_of(LabMetric::Scored(metric), profile);
            grades.set(metric, curve.grade(value.into()));
        }
    }
    grades
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const fn metrics(fcp: u32, lcp: u32, tbt: u32, cls: u32, speed_index: u32) -> LabMetrics {
        LabMetrics {
            ttfb_ms: None,
            fcp_ms: Some(fcp),
            lcp_ms: Some(lcp),
            cls_thousandths: Some(cls),
            tbt_ms: Some(tbt),
            speed_index_ms: Some(speed_index),
            inp_proxy_ms: None,
            main_thread_ms: None,
        }
    }

    /// The scores that Lighthouse gives, rounded to whole points.
    #[rstest]
    #[case(metrics(1_500, 2_400, 150, 20, 2_600), 95, 74)]
    #[case(metrics(3_000, 4_000, 600, 250, 5_800), 50, 23)]
    #[case(metrics(4_200, 9_000, 1_500, 400, 9_000), 14, 7)]
    #[case(metrics(600, 900, 0, 0, 900), 100, 99)]
    fn a_page_has_the_score_that_lighthouse_gives(
        #[case] metrics: LabMetrics,
        #[case] mobile: u8,
        #[case] desktop: u8,
    ) {
        let score = |profile| grades(&metrics, profile).score().unwrap().to_score();
        assert_eq!(score(LabProfile::MobileSlow4g), mobile);
        assert_eq!(score(LabProfile::Desktop), desktop);
    }

    #[test]
    fn thresholds_of_main_thread_work_are_those_of_lighthouse() {
        let curve = curve_of(LabMetric::MainThread, LabProfile::Desktop);
        assert_eq!(curve.grade(2_017.0), 90);
        assert_eq!(curve.grade(4_000.0), 50);
    }
}
