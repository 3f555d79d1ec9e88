//! What a browser measured while it loaded pages.

use crate::Confidence;
use crate::named_enum::named_enum;
use crate::run::Device;
use crate::score::{Metric, Share};

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

impl LabMetrics {
    /// The value of a metric: milliseconds, and thousandths for Cumulative Layout Shift.
    #[must_use]
    pub const fn value(&self, metric: Metric) -> Option<u32> {
        match metric {
            Metric::Fcp => self.fcp_ms,
            Metric::Lcp => self.lcp_ms,
            Metric::Tbt => self.tbt_ms,
            Metric::Cls => self.cls_thousandths,
            Metric::SpeedIndex => self.speed_index_ms,
        }
    }

    /// The values of two loads, each chosen by `choose` where both have one.
    fn merged(self, other: Self, choose: fn(u32, u32) -> u32) -> Self {
        let merge = |one: Option<u32>, other: Option<u32>| match (one, other) {
            (Some(one), Some(other)) => Some(choose(one, other)),
            (one, other) => one.or(other),
        };
        Self {
            ttfb_ms: merge(self.ttfb_ms, other.ttfb_ms),
            fcp_ms: merge(self.fcp_ms, other.fcp_ms),
            lcp_ms: merge(self.lcp_ms, other.lcp_ms),
            cls_thousandths: merge(self.cls_thousandths, other.cls_thousandths),
            tbt_ms: merge(self.tbt_ms, other.tbt_ms),
            speed_index_ms: merge(self.speed_index_ms, other.speed_index_ms),
            inp_proxy_ms: merge(self.inp_proxy_ms, other.inp_proxy_ms),
            main_thread_ms: merge(self.main_thread_ms, other.main_thread_ms),
        }
    }
}

/// How far the values of several loads of a page are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct LabSpread {
    /// The least value of each metric.
    pub least: LabMetrics,
    /// The greatest value of each metric.
    pub most: LabMetrics,
}

impl LabSpread {
    /// The spread of these loads; `None` if there are fewer than two.
    #[must_use]
    pub fn of(loads: &[LabMetrics]) -> Option<Self> {
        let (first, others) = loads.split_first()?;
        if others.is_empty() {
            return None;
        }
        let over = |choose: fn(u32, u32) -> u32| {
            let merge = |all: LabMetrics, load: &LabMetrics| all.merged(*load, choose);
            others.iter().fold(*first, merge)
        };
        Some(Self {
            least: over(Ord::min),
            most: over(Ord::max),
        })
    }

    /// The least and the greatest value of a metric.
    #[must_use]
    pub fn range(&self, metric: Metric) -> Option<(u32, u32)> {
        self.least.value(metric).zip(self.most.value(metric))
    }
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
    /// How far the loads are apart; `None` if there was one, and in reports of earlier versions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub spread: Option<LabSpread>,
    /// The score of the metrics; none if one of them is missing, or if the machine was too unsteady.
    pub score: Option<Share>,
    /// Medium if the page had not settled when its time was over, low if the speed of the machine changed too much
    /// meanwhile, else high.
    pub confidence: Confidence,
    /// The speed of the machine, as Lighthouse's `BenchmarkIndex` measures it: the mean of the last benchmarks before the load. On
    /// `mobile-slow4g` it says how much the processor was slowed down.
    pub benchmark: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_the_loads_that_have_a_value() {
        let load = |lcp_ms, cls_thousandths| LabMetrics {
            lcp_ms,
            cls_thousandths,
            ..LabMetrics::default()
        };
        let loads = [
            load(Some(1_200), Some(10)),
            load(Some(900), None),
            load(Some(1_000), None),
        ];
        let spread = LabSpread::of(&loads).unwrap();
        assert_eq!(spread.range(Metric::Lcp), Some((900, 1_200)));
        assert_eq!(spread.range(Metric::Cls), Some((10, 10)));
        assert_eq!(spread.range(Metric::Tbt), None);
        assert_eq!(LabSpread::of(&loads[..1]), None);
        assert_eq!(LabSpread::of(&[]), None);
    }
}
