//! What a browser measured, as a child writes it.

use std::collections::BTreeMap;

use domain::Confidence;
use domain::report::{LabMetrics, LabProfile, PageMeasurement};
use domain::score::{MetricTally, PageTotal, Share};
use serde::{Deserialize, Serialize};

use super::result::{UnknownName, named};

/// `domain::report::PageMeasurement`.
#[derive(Serialize, Deserialize)]
pub(super) struct WireMeasurement {
    url: String,
    profile: String,
    runs: u32,
    /// The fields of `domain::report::LabMetrics`, in their order.
    metrics: [Option<u32>; 8],
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
        let LabMetrics {
            ttfb_ms,
            fcp_ms,
            lcp_ms,
            cls_thousandths,
            tbt_ms,
            speed_index_ms,
            inp_proxy_ms,
            main_thread_ms,
        } = page.metrics;
        Self {
            url: page.url,
            profile: page.profile.as_str().to_owned(),
            runs: page.runs,
            metrics: [
                ttfb_ms,
                fcp_ms,
                lcp_ms,
                cls_thousandths,
                tbt_ms,
                speed_index_ms,
                inp_proxy_ms,
                main_thread_ms,
            ],
            score: page.score.map(Share::billionths),
            confidence: page.confidence.as_str().to_owned(),
            benchmark: page.benchmark,
        }
    }
}

impl TryFrom<WireMeasurement> for PageMeasurement {
    type Error = UnknownName;

    fn try_from(page: WireMeasurement) -> Result<Self, UnknownName> {
        let [
            ttfb_ms,
            fcp_ms,
            lcp_ms,
            cls_thousandths,
            tbt_ms,
            speed_index_ms,
            inp_proxy_ms,
            main_thread_ms,
        ] = page.metrics;
        Ok(Self {
            url: page.url,
            profile: named(LabProfile::ALL, LabProfile::as_str, &page.profile)?,
            runs: page.runs,
            metrics: LabMetrics {
                ttfb_ms,
                fcp_ms,
                lcp_ms,
                cls_thousandths,
                tbt_ms,
                speed_index_ms,
                inp_proxy_ms,
                main_thread_ms,
            },
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
