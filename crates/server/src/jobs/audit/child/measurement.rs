//! What a browser measured, as a child writes it.

use std::collections::BTreeMap;

use domain::Confidence;
use domain::report::{LabMetrics, LabProfile, LabSpread, PageMeasurement};
use domain::score::{MetricTally, PageTotal, Share};
use serde::{Deserialize, Serialize};

use super::result::{UnknownName, named};

/// The fields of `domain::report::LabMetrics`, in their order.
type WireMetrics = [Option<u32>; 8];

const fn values(metrics: LabMetrics) -> WireMetrics {
    [
        metrics.ttfb_ms,
        metrics.fcp_ms,
        metrics.lcp_ms,
        metrics.cls_thousandths,
        metrics.tbt_ms,
        metrics.speed_index_ms,
        metrics.inp_proxy_ms,
        metrics.main_thread_ms,
    ]
}

const fn metrics(values: WireMetrics) -> LabMetrics {
    let [
        ttfb_ms,
        fcp_ms,
        lcp_ms,
        cls_thousandths,
        tbt_ms,
        speed_index_ms,
        inp_proxy_ms,
        main_thread_ms,
    ] = values;
    LabMetrics {
        ttfb_ms,
        fcp_ms,
        lcp_ms,
        cls_thousandths,
        tbt_ms,
        speed_index_ms,
        inp_proxy_ms,
        main_thread_ms,
    }
}

/// `domain::report::PageMeasurement`.
#[derive(Serialize, Deserialize)]
pub(super) struct WireMeasurement {
    url: String,
    profile: String,
    runs: u32,
    metrics: WireMetrics,
    /// The least and the greatest values.
    spread: Option<[WireMetrics; 2]>,
    /// In billionths.
    score: Option<u32>,
    confidence: String,
    benchmark: u32,
}

/// `domain::score::MetricTally`.
#[derive(Serialize, Deserialize)]
pub(super) struct WireMetricTally {
    count: u64,
    sum: u64,
    gains: BTreeMap<String, u64>,
}

impl From<PageMeasurement> for WireMeasurement {
    fn from(page: PageMeasurement) -> Self {
        Self {
            url: page.url,
            profile: page.profile.as_str().to_owned(),
            runs: page.runs,
            metrics: values(page.metrics),
            spread: (page.spread).map(|spread| [values(spread.least), values(spread.most)]),
            score: page.score.map(Share::billionths),
            confidence: page.confidence.as_str().to_owned(),
            benchmark: page.benchmark,
        }
    }
}

impl TryFrom<WireMeasurement> for PageMeasurement {
    type Error = UnknownName;

    fn try_from(page: WireMeasurement) -> Result<Self, UnknownName> {
        Ok(Self {
            url: page.url,
            profile: named(LabProfile::ALL, LabProfile::as_str, &page.profile)?,
            runs: page.runs,
            metrics: metrics(page.metrics),
            spread: (page.spread).map(|[least, most]| LabSpread {
                least: metrics(least),
                most: metrics(most),
            }),
            score: page.score.map(Share::from_billionths),
            confidence: named(Confidence::ALL, Confidence::as_str, &page.confidence)?,
            benchmark: page.benchmark,
        })
    }
}

impl From<MetricTally> for WireMetricTally {
    fn from(tally: MetricTally) -> Self {
        Self {
            count: tally.pages.count,
            sum: tally.pages.sum,
            gains: tally.gains,
        }
    }
}

impl From<WireMetricTally> for MetricTally {
    fn from(tally: WireMetricTally) -> Self {
        Self {
            pages: PageTotal {
                count: tally.count,
                sum: tally.sum,
            },
            gains: tally.gains,
        }
    }
}
