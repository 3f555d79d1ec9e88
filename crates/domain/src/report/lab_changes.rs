//! What measured values say about the difference between two reports.

use super::{LabProfile, PageMeasurement};
use crate::Confidence;
use crate::score::Metric;

/// What a difference of a measured value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabChangeKind {
    /// There is none.
    Same,
    /// The loads of the one report and those of the other have values in common, so the difference may come from the
    /// measurement alone.
    WithinSpread,
    /// No load of the one report has a value as those of the other.
    Changed,
    /// It cannot be told apart from the differences between loads: the page was loaded once for each report, the machine was
    /// unsteady, or the report is of an earlier version.
    Unknown,
    /// The profiles are different, so the values say nothing about the page.
    OtherProfile,
}

/// A measured value in two reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabChange {
    /// The metric.
    pub metric: Metric,
    /// The earlier value: milliseconds, and thousandths for Cumulative Layout Shift.
    pub before: u32,
    /// The later value.
    pub after: u32,
    /// What the difference means.
    pub kind: LabChangeKind,
}

/// A page that was measured for both reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabPageChanges {
    /// Its URL.
    pub url: String,
    /// The profiles of the earlier and of the later report.
    pub profiles: (LabProfile, LabProfile),
    /// The metrics that both have.
    pub changes: Vec<LabChange>,
}

/// The pages that were measured for both reports, in the order of the later one, with their values.
#[must_use]
pub fn lab_changes(before: &[PageMeasurement], after: &[PageMeasurement]) -> Vec<LabPageChanges> {
    let pages = after.iter().filter_map(|now| {
        let then = before.iter().find(|then| then.url == now.url)?;
        Some(LabPageChanges {
            url: now.url.clone(),
            profiles: (then.profile, now.profile),
            changes: changes(then, now),
        })
    });
    pages.filter(|page| !page.changes.is_empty()).collect()
}

/// Whether all differences between measured values may come from the measurement alone, and there are some.
#[must_use]
pub fn is_noise(pages: &[LabPageChanges]) -> bool {
    let kinds = || {
        pages
            .iter()
            .flat_map(|page| &page.changes)
            .map(|change| change.kind)
    };
    let is_quiet = |kind| matches!(kind, LabChangeKind::Same | LabChangeKind::WithinSpread);
    kinds().any(|kind| kind == LabChangeKind::WithinSpread) && kinds().all(is_quiet)
}

fn changes(before: &PageMeasurement, after: &PageMeasurement) -> Vec<LabChange> {
    let both = Metric::ALL.into_iter().filter_map(|metric| {
        let values = before
            .metrics
            .value(metric)
            .zip(after.metrics.value(metric));
        let (then, now) = values?;
        Some(LabChange {
            metric,
            before: then,
            after: now,
            kind: kind(metric, before, after),
        })
    });
    both.collect()
}

fn kind(metric: Metric, before: &PageMeasurement, after: &PageMeasurement) -> LabChangeKind {
    if before.profile != after.profile {
        return LabChangeKind::OtherProfile;
    }
    if before.metrics.value(metric) == after.metrics.value(metric) {
        return LabChangeKind::Same;
    }
    let is_unsteady = |page: &PageMeasurement| page.confidence == Confidence::Low;
    let has_spread = |page: &PageMeasurement| page.spread.is_some();
    if is_unsteady(before) || is_unsteady(after) || !(has_spread(before) || has_spread(after)) {
        return LabChangeKind::Unknown;
    }
    match range(before, metric).zip(range(after, metric)) {
        Some(((least, most), (other_least, other_most)))
            if least <= other_most && other_least <= most =>
        {
            LabChangeKind::WithinSpread
        }
        Some(_) => LabChangeKind::Changed,
        None => LabChangeKind::Unknown,
    }
}

/// The least and the greatest value of the loads of a page.
fn range(page: &PageMeasurement, metric: Metric) -> Option<(u32, u32)> {
    match page.spread {
        Some(spread) => spread.range(metric),
        None => page.metrics.value(metric).map(|value| (value, value)),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::report::{LabMetrics, LabSpread};

    fn lcp(ms: u32) -> LabMetrics {
        LabMetrics {
            lcp_ms: Some(ms),
            ..LabMetrics::default()
        }
    }

    /// A page whose loads had these paints; the middle one is reported.
    fn page(loads: &[u32]) -> PageMeasurement {
        let metrics: Vec<_> = loads.iter().map(|ms| lcp(*ms)).collect();
        PageMeasurement {
            url: "https://example.com/".to_owned(),
            profile: LabProfile::Desktop,
            runs: 3,
            metrics: lcp(loads[loads.len() / 2]),
            spread: LabSpread::of(&metrics),
            score: None,
            confidence: Confidence::High,
            benchmark: 1_500,
        }
    }

    #[rstest]
    #[case::equal(&[900, 1_000, 1_100], &[950, 1_000, 1_200], LabChangeKind::Same)]
    #[case::ranges_overlap(&[900, 1_000, 1_100], &[1_100, 1_150, 1_300], LabChangeKind::WithinSpread)]
    #[case::slower(&[900, 1_000, 1_100], &[1_110, 1_150, 1_300], LabChangeKind::Changed)]
    #[case::faster(&[900, 1_000, 1_100], &[700, 800, 890], LabChangeKind::Changed)]
    #[case::one_load_within(&[900, 1_000, 1_100], &[1_050], LabChangeKind::WithinSpread)]
    #[case::one_load_beyond(&[1_050], &[1_060, 1_100, 1_200], LabChangeKind::Changed)]
    #[case::one_load_each(&[1_000], &[2_000], LabChangeKind::Unknown)]
    fn kinds(#[case] before: &[u32], #[case] after: &[u32], #[case] expected: LabChangeKind) {
        let found = lab_changes(&[page(before)], &[page(after)]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].changes.len(), 1);
        assert_eq!(found[0].changes[0].kind, expected);
        assert_eq!(is_noise(&found), expected == LabChangeKind::WithinSpread);
    }

    #[test]
    fn values_of_other_profiles_and_of_unsteady_machines_say_nothing() {
        let before = page(&[900, 1_000, 1_100]);
        let mobile = PageMeasurement {
            profile: LabProfile::MobileSlow4g,
            ..page(&[2_000, 2_100, 2_200])
        };
        let kind = |after: &PageMeasurement| {
            lab_changes(std::slice::from_ref(&before), std::slice::from_ref(after))[0].changes[0]
                .kind
        };
        assert_eq!(kind(&mobile), LabChangeKind::OtherProfile);
        let unsteady = PageMeasurement {
            confidence: Confidence::Low,
            ..page(&[2_000, 2_100, 2_200])
        };
        assert_eq!(kind(&unsteady), LabChangeKind::Unknown);
    }

    #[test]
    fn pages_of_one_report_alone_are_left_out() {
        let other = PageMeasurement {
            url: "https://example.com/a".to_owned(),
            ..page(&[900, 1_000])
        };
        assert_eq!(lab_changes(&[page(&[900])], &[other]), []);
        assert!(!is_noise(&[]));
    }
}
