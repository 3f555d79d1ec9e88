//! What a browser measured, as it is stored in the coverage of a report.

use domain::Confidence;
use domain::report::{LabMetrics, LabProfile, LabSpread, PageMeasurement};
use domain::score::Share;
use serde::{Deserialize, Serialize};

use crate::database::error::StorageError;
use crate::database::values::{from_json, known, storable};

/// A measured page.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredMeasurement {
    url: String,
    profile: String,
    runs: u32,
    #[serde(flatten)]
    metrics: StoredMetrics,
    /// Missing in reports of earlier versions, and if the page was loaded once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spread: Option<StoredSpread>,
    /// In billionths.
    score: Option<u32>,
    confidence: String,
    benchmark: u32,
}

/// The values of a load.
#[derive(Serialize, Deserialize)]
struct StoredMetrics {
    ttfb_ms: Option<u32>,
    fcp_ms: Option<u32>,
    lcp_ms: Option<u32>,
    cls_thousandths: Option<u32>,
    tbt_ms: Option<u32>,
    speed_index_ms: Option<u32>,
    inp_proxy_ms: Option<u32>,
    main_thread_ms: Option<u32>,
}

/// The least and the greatest values of several loads.
#[derive(Serialize, Deserialize)]
struct StoredSpread {
    least: StoredMetrics,
    most: StoredMetrics,
}

impl StoredMetrics {
    const fn new(metrics: LabMetrics) -> Self {
        Self {
            ttfb_ms: metrics.ttfb_ms,
            fcp_ms: metrics.fcp_ms,
            lcp_ms: metrics.lcp_ms,
            cls_thousandths: metrics.cls_thousandths,
            tbt_ms: metrics.tbt_ms,
            speed_index_ms: metrics.speed_index_ms,
            inp_proxy_ms: metrics.inp_proxy_ms,
            main_thread_ms: metrics.main_thread_ms,
        }
    }

    const fn read(&self) -> LabMetrics {
        LabMetrics {
            ttfb_ms: self.ttfb_ms,
            fcp_ms: self.fcp_ms,
            lcp_ms: self.lcp_ms,
            cls_thousandths: self.cls_thousandths,
            tbt_ms: self.tbt_ms,
            speed_index_ms: self.speed_index_ms,
            inp_proxy_ms: self.inp_proxy_ms,
            main_thread_ms: self.main_thread_ms,
        }
    }
}

impl StoredMeasurement {
    pub(super) fn new(page: &PageMeasurement) -> Self {
        Self {
            url: storable(&page.url),
            profile: page.profile.as_str().to_owned(),
            runs: page.runs,
            metrics: StoredMetrics::new(page.metrics),
            spread: page.spread.map(|spread| StoredSpread {
                least: StoredMetrics::new(spread.least),
                most: StoredMetrics::new(spread.most),
            }),
            score: page.score.map(Share::billionths),
            confidence: page.confidence.as_str().to_owned(),
            benchmark: page.benchmark,
        }
    }

    pub(super) fn read(self) -> Result<PageMeasurement, StorageError> {
        let (profile, confidence) = (&self.profile, &self.confidence);
        Ok(PageMeasurement {
            profile: known("lab profile", profile, LabProfile::named(profile))?,
            confidence: known("confidence", confidence, Confidence::named(confidence))?,
            url: self.url,
            runs: self.runs,
            metrics: self.metrics.read(),
            spread: self.spread.map(|spread| LabSpread {
                least: spread.least.read(),
                most: spread.most.read(),
            }),
            score: self.score.map(Share::from_billionths),
            benchmark: self.benchmark,
        })
    }
}

/// The part of a stored coverage with the measured pages.
#[derive(Deserialize)]
struct StoredPages {
    #[serde(default)]
    measured: Vec<StoredMeasurement>,
}

/// What a browser measured of a page, by the stored coverage of a report.
pub(crate) fn measurement_of(
    coverage: &str,
    url: &str,
) -> Result<Option<PageMeasurement>, StorageError> {
    let pages: StoredPages = from_json("coverage", coverage)?;
    let page = pages.measured.into_iter().find(|page| page.url == url);
    page.map(StoredMeasurement::read).transpose()
}
