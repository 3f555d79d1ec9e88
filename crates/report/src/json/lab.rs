//! What a browser measured, on the wire.

use api_types::report as wire;
use domain::Confidence;
use domain::report::{
    LabChange, LabChangeKind, LabMetrics, LabPageChanges, LabProfile, LabSpread, PageMeasurement,
};
use domain::score::{Metric, Share};

use super::text::bounded;
use super::{MAX_URL, confidence};

/// A measured page, as the HTTP API has it.
#[must_use]
pub fn measured_page(page: &PageMeasurement) -> wire::LabPage {
    let metrics = page.metrics;
    wire::LabPage {
        url: bounded(&page.url, MAX_URL),
        profile: profile(page.profile),
        runs: page.runs,
        fcp: metrics.fcp_ms,
        lcp: metrics.lcp_ms,
        cls: metrics.cls_thousandths.map(thousandths),
        tbt: metrics.tbt_ms,
        speed_index: metrics.speed_index_ms,
        ttfb: metrics.ttfb_ms,
        inp_proxy: metrics.inp_proxy_ms,
        main_thread: metrics.main_thread_ms,
        spread: page.spread.map(spread),
        score: page.score.map(Share::to_points),
        confidence: confidence(page.confidence),
        benchmark: page.benchmark,
    }
}

fn spread(spread: LabSpread) -> wire::LabSpread {
    let range = |metric, as_number: fn(u32) -> f64| {
        let (min, max) = spread.range(metric)?;
        Some(wire::LabRange {
            min: as_number(min),
            max: as_number(max),
        })
    };
    wire::LabSpread {
        fcp: range(Metric::Fcp, f64::from),
        lcp: range(Metric::Lcp, f64::from),
        cls: range(Metric::Cls, thousandths),
        tbt: range(Metric::Tbt, f64::from),
        speed_index: range(Metric::SpeedIndex, f64::from),
    }
}

fn thousandths(number: u32) -> f64 {
    f64::from(number) / 1_000.0
}

/// The profile of a measurement, as the HTTP API has it.
const fn profile(profile: LabProfile) -> wire::LabProfile {
    match profile {
        LabProfile::MobileSlow4g => wire::LabProfile::MobileSlow4g,
        LabProfile::Desktop => wire::LabProfile::Desktop,
    }
}

/// The measured values of a page in two reports, as the HTTP API has them.
#[must_use]
pub fn measured_changes(page: &LabPageChanges) -> wire::LabPageDiff {
    let (before, now) = page.profiles;
    wire::LabPageDiff {
        url: bounded(&page.url, MAX_URL),
        profile: profile(now),
        against_profile: profile(before),
        changes: page.changes.iter().map(change).collect(),
    }
}

fn change(change: &LabChange) -> wire::LabChange {
    let (metric, as_number): (_, fn(u32) -> f64) = match change.metric {
        Metric::Fcp => (wire::LabMetric::Fcp, f64::from),
        Metric::Lcp => (wire::LabMetric::Lcp, f64::from),
        Metric::Tbt => (wire::LabMetric::Tbt, f64::from),
        Metric::Cls => (wire::LabMetric::Cls, thousandths),
        Metric::SpeedIndex => (wire::LabMetric::SpeedIndex, f64::from),
    };
    wire::LabChange {
        metric,
        before: as_number(change.before),
        after: as_number(change.after),
        kind: match change.kind {
            LabChangeKind::Same => wire::LabChangeKind::Same,
            LabChangeKind::WithinSpread => wire::LabChangeKind::WithinSpread,
            LabChangeKind::Changed => wire::LabChangeKind::Changed,
            LabChangeKind::Unknown => wire::LabChangeKind::Unknown,
            LabChangeKind::OtherProfile => wire::LabChangeKind::OtherProfile,
        },
    }
}

/// A measured page as a saved report has it, without its score.
#[must_use]
pub fn read_measured_page(page: &wire::LabPage) -> PageMeasurement {
    let whole = |range: Option<wire::LabRange>, end: fn(wire::LabRange) -> f64| {
        range.map(|range| whole_number(end(range)))
    };
    let of_spread = |spread: wire::LabSpread, end: fn(wire::LabRange) -> f64| LabMetrics {
        fcp_ms: whole(spread.fcp, end),
        lcp_ms: whole(spread.lcp, end),
        tbt_ms: whole(spread.tbt, end),
        speed_index_ms: whole(spread.speed_index, end),
        cls_thousandths: spread.cls.map(|range| whole_number(end(range) * 1_000.0)),
        ..LabMetrics::default()
    };
    PageMeasurement {
        url: page.url.clone(),
        profile: match page.profile {
            wire::LabProfile::MobileSlow4g => LabProfile::MobileSlow4g,
            wire::LabProfile::Desktop => LabProfile::Desktop,
        },
        runs: page.runs,
        metrics: LabMetrics {
            ttfb_ms: page.ttfb,
            fcp_ms: page.fcp,
            lcp_ms: page.lcp,
            cls_thousandths: page.cls.map(|shift| whole_number(shift * 1_000.0)),
            tbt_ms: page.tbt,
            speed_index_ms: page.speed_index,
            inp_proxy_ms: page.inp_proxy,
            main_thread_ms: page.main_thread,
        },
        spread: page.spread.map(|spread| LabSpread {
            least: of_spread(spread, |range| range.min),
            most: of_spread(spread, |range| range.max),
        }),
        score: None,
        confidence: match page.confidence {
            wire::Confidence::High => Confidence::High,
            wire::Confidence::Medium => Confidence::Medium,
            wire::Confidence::Low => Confidence::Low,
        },
        benchmark: page.benchmark,
    }
}

/// The nearest whole number; 0 for a number that is none of a measured value.
fn whole_number(number: f64) -> u32 {
    format!("{number:.0}").parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measured_page_comes_back_from_a_saved_report() {
        let loads = [(900, 10), (1_200, 300)].map(|(lcp, cls)| LabMetrics {
            lcp_ms: Some(lcp),
            cls_thousandths: Some(cls),
            ..LabMetrics::default()
        });
        let page = PageMeasurement {
            url: "https://example.com/".to_owned(),
            profile: LabProfile::Desktop,
            runs: 2,
            metrics: loads[0],
            spread: LabSpread::of(&loads),
            score: None,
            confidence: Confidence::Medium,
            benchmark: 1_500,
        };
        assert_eq!(read_measured_page(&measured_page(&page)), page);
    }
}
