//! What a browser measured while it loaded pages.

use crate::Confidence;
use crate::named_enum::named_enum;
use crate::run::Device;
use crate::score::Share;

/// Pages of an audit that are measured, at most.
pub const MAX_MEASURED_PAGES: usize = 20;

named_enum! {
    /// The device and the connection that a page is measured with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum LabProfile {
        /// A phone: 150 ms for each round trip, 1.6 Mbit/s down, 0.75 Mbit/s up, a slow processor.
        MobileSlow4g = "mobile-slow4g",
        /// A desktop computer: 40 ms for each round trip, 10 Mbit/s both ways.
        Desktop = "desktop",
    }
}

impl From<Device> for LabProfile {
    fn from(device: Device) -> Self {
        match device {
            Device::Mobile => Self::MobileSlow4g,
            Device::Desktop => Self::Desktop,
        }
    }
}

/// The values of one load of a page. A value that was not measured is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", default)
)]
pub struct LabMetrics {
    /// Time to First Byte of the document, in milliseconds.
    pub ttfb_ms: Option<u32>,
    /// First Contentful Paint, in milliseconds.
    pub fcp_ms: Option<u32>,
    /// Largest Contentful Paint, in milliseconds.
    pub lcp_ms: Option<u32>,
    /// Cumulative Layout Shift, in thousandths.
    pub cls_thousandths: Option<u32>,
    /// Total Blocking Time, in milliseconds.
    pub tbt_ms: Option<u32>,
    /// Speed Index, in milliseconds.
    pub speed_index_ms: Option<u32>,
    /// The longest time from pressing the Tab key to the next paint, in milliseconds: a proxy for Interaction to Next
    /// Paint.
    pub inp_proxy_ms: Option<u32>,
    /// How long the main thread of the page was busy, in milliseconds.
    pub main_thread_ms: Option<u32>,
}

/// A page as it was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct PageMeasurement {
    /// Its URL.
    pub url: String,
    /// What it was measured with.
    pub profile: LabProfile,
    /// Loads that were measured; the values are those of the one with the median Largest Contentful Paint.
    pub runs: u32,
    /// The values.
    pub metrics: LabMetrics,
    /// The score of the metrics; none if one of them is missing, or if the machine was too unsteady.
    pub score: Option<Share>,
    /// Medium if the page had not settled when its time was over, low if the speed of the machine changed too much
    /// meanwhile, else high.
    pub confidence: Confidence,
    /// The speed of the machine before the load, as Lighthouse's `BenchmarkIndex` measures it.
    pub benchmark: u32,
}
