//! What a browser measured, on the wire.

use api_types::report as wire;
use domain::report::{LabProfile, PageMeasurement};
use domain::score::Share;

use super::text::bounded;
use super::{MAX_URL, confidence};

/// A measured page.
pub(super) fn page(page: &PageMeasurement) -> wire::LabPage {
    let metrics = page.metrics;
    wire::LabPage {
        url: bounded(&page.url, MAX_URL),
        profile: match page.profile {
            LabProfile::MobileSlow4g => wire::LabProfile::MobileSlow4g,
            LabProfile::Desktop => wire::LabProfile::Desktop,
        },
        runs: page.runs,
        fcp: metrics.fcp_ms,
        lcp: metrics.lcp_ms,
        cls: metrics
            .cls_thousandths
            .map(|thousandths| f64::from(thousandths) / 1_000.0),
        tbt: metrics.tbt_ms,
        speed_index: metrics.speed_index_ms,
        ttfb: metrics.ttfb_ms,
        inp_proxy: metrics.inp_proxy_ms,
        main_thread: metrics.main_thread_ms,
        score: page.score.map(Share::to_points),
        confidence: confidence(page.confidence),
        benchmark: page.benchmark,
    }
}
