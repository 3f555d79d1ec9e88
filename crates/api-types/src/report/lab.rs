//! What a browser measured.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Confidence;

/// A page that a browser measured, with the speed of the connection and the processor of its profile. Times are in
/// milliseconds, rounded to 10. A value is `null` if it was not measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabPage {
    /// The URL of the page.
    pub url: String,
    /// The profile.
    pub profile: LabProfile,
    /// The number of loads that were measured. The values are those of the load with the median Largest Contentful
    /// Paint.
    pub runs: u32,
    /// First Contentful Paint.
    pub fcp: Option<u32>,
    /// Largest Contentful Paint.
    pub lcp: Option<u32>,
    /// Cumulative Layout Shift, rounded to three decimals.
    pub cls: Option<f64>,
    /// Total Blocking Time.
    pub tbt: Option<u32>,
    /// Speed Index.
    pub speed_index: Option<u32>,
    /// Time to First Byte of the document, with the round trips of the profile. Not part of the score.
    pub ttfb: Option<u32>,
    /// The longest time from pressing the Tab key after the load to the next paint. A proxy for Interaction to Next
    /// Paint, not part of the score.
    pub inp_proxy: Option<u32>,
    /// How long the main thread was busy. Not part of the score.
    pub main_thread: Option<u32>,
    /// How far the loads are apart; `null` if the page was loaded once, and in reports of earlier versions.
    #[serde(default)]
    pub spread: Option<LabSpread>,
    /// The weighted mean of the grades of the metrics, 0 to 100; `null` if a metric is missing or the confidence is
    /// low. Then the page does not count in the performance score.
    pub score: Option<f64>,
    /// `medium` if the page was still busy when its time was over; `low` if the speed of the machine changed by more than
    /// 25 % during the load, also when it was repeated.
    pub confidence: Confidence,
    /// The speed of the machine, measured as Lighthouse's `BenchmarkIndex`: the mean of the last benchmarks before the load. On
    /// `mobile-slow4g` it says how much the processor was slowed down.
    pub benchmark: u32,
}

/// How far the values of several loads of a page are apart; `null` for a metric that no load has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabSpread {
    /// First Contentful Paint.
    pub fcp: Option<LabRange>,
    /// Largest Contentful Paint.
    pub lcp: Option<LabRange>,
    /// Cumulative Layout Shift.
    pub cls: Option<LabRange>,
    /// Total Blocking Time.
    pub tbt: Option<LabRange>,
    /// Speed Index.
    pub speed_index: Option<LabRange>,
}

/// The least and the greatest value of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabRange {
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

/// The connection and the processor that a page is measured with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum LabProfile {
    /// A phone: 150 ms for each round trip, 1.6 Mbit/s down, 0.75 Mbit/s up, a slow processor.
    #[serde(rename = "mobile-slow4g")]
    MobileSlow4g,
    /// A desktop computer: 40 ms for each round trip, 10 Mbit/s both ways.
    #[serde(rename = "desktop")]
    Desktop,
}

/// A page that a browser measured for both of two reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabPageDiff {
    /// The URL of the page.
    pub url: String,
    /// The profile of the report.
    pub profile: LabProfile,
    /// The profile of the report to which it is compared.
    pub against_profile: LabProfile,
    /// The metrics that both have.
    pub changes: Vec<LabChange>,
}

/// A measured value in two reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabChange {
    /// The metric.
    pub metric: LabMetric,
    /// The value of the report to which it is compared: milliseconds, except for `cls`.
    pub before: f64,
    /// The value of the report.
    pub after: f64,
    /// What the difference means.
    pub kind: LabChangeKind,
}

/// A metric of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LabMetric {
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

/// What a difference of a measured value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabChangeKind {
    /// There is none.
    Same,
    /// The ranges of the loads overlap: the difference may be noise.
    WithinSpread,
    /// The ranges of the loads do not overlap.
    Changed,
    /// The spread is not known: the page was loaded once, the machine was unsteady, or the report is of an earlier version.
    Unknown,
    /// The profiles are different, so the values cannot be compared.
    OtherProfile,
}
