//! What a browser measures while it loads a page, and the metrics that follow from it.
//!
//! Pure functions of what was observed: no browser is needed. Times are whole milliseconds since the navigation began.
//! The metrics and their scores are those of Lighthouse, but measured while the connection and the processor are
//! slowed down, and not estimated from a fast load.

mod cls;
mod grade;
mod interactive;
mod median;
mod profile;
mod request;
mod speed_index;
mod tbt;

use domain::Confidence;
use domain::report::{LabMetrics, LabProfile, LabSpread, PageMeasurement};
use url::Url;

pub use cls::Shift;
pub(crate) use grade::curve_of;
pub use grade::{LabMetric, grades};
pub(crate) use median::median_by_largest_paint;
pub use profile::{LinkSpeed, cpu_rate, link_speed};
pub use request::{Initiator, MAX_TIMED_REQUESTS, RequestKind, TimedRequest};
pub use speed_index::{Frame, Histogram};
pub use tbt::Task;

/// Layout shifts of one load that are kept. A page paints at most 60 times a second, and is measured for 25 s.
pub const MAX_SHIFTS: usize = 2_000;

/// Long tasks of one load that are kept. Each takes at least 50 ms.
pub const MAX_LONG_TASKS: usize = 1_000;

/// Layout shifts of which the moved elements are kept: the largest.
pub const MAX_SHIFT_SOURCES: usize = 10;

/// Scripts whose time in long tasks is kept: those that took most.
pub const MAX_BUSY_SCRIPTS: usize = 10;

/// Bytes of a text from a measured page that are kept: a selector, an excerpt or a URL.
pub const MAX_LAB_TEXT_BYTES: usize = 2_048;

/// An element of a measured page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LabElement {
    /// A CSS selector that matches it; none if that would be too long.
    pub selector: Option<String>,
    /// Its start tag.
    pub snippet: String,
}

/// The largest element that was painted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LargestPaint {
    /// When it was painted.
    pub at_ms: u32,
    /// The element; none if it was removed.
    pub element: Option<LabElement>,
    /// The URL of the image; none for text.
    pub url: Option<String>,
    /// When the request for the image began and when its response had arrived; none for text.
    pub loaded_ms: Option<(u32, u32)>,
}

/// A layout shift with the element that moved most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShiftSource {
    /// The shift.
    pub shift: Shift,
    /// The element; none if it was removed.
    pub element: Option<LabElement>,
    /// How many elements moved.
    pub elements: u32,
}

/// A script, and how long it ran in frames that took longer than 50 ms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusyScript {
    /// The URL of its file, or of the document that it is in; empty if it is not known.
    pub url: String,
    /// How long it ran.
    pub ms: u32,
}

/// What a browser observed during one load.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observed {
    /// When the first byte of the document arrived.
    pub ttfb_ms: Option<u32>,
    /// When the first text or image was painted.
    pub fcp_ms: Option<u32>,
    /// The largest element that was painted.
    pub largest: Option<LargestPaint>,
    /// The layout shifts that no input caused, in order. At most [`MAX_SHIFTS`].
    pub shifts: Vec<Shift>,
    /// Elements that moved, by the largest shifts. At most [`MAX_SHIFT_SOURCES`].
    pub shift_sources: Vec<ShiftSource>,
    /// Tasks of the main thread that took at least 50 ms, in order. At most [`MAX_LONG_TASKS`].
    pub long_tasks: Vec<Task>,
    /// The scripts that took most of the time of long tasks. At most [`MAX_BUSY_SCRIPTS`].
    pub busy_scripts: Vec<BusyScript>,
    /// The requests, in the order in which they began. At most [`MAX_TIMED_REQUESTS`].
    pub requests: Vec<TimedRequest>,
    /// What the window showed, in order.
    pub frames: Vec<Frame>,
    /// The longest time from pressing a key to the next paint.
    pub key_ms: Option<u32>,
    /// How long the main thread was busy.
    pub main_thread_ms: Option<u32>,
    /// How long of that scripts ran.
    pub script_ms: Option<u32>,
    /// How long of that styles and layout were computed.
    pub layout_ms: Option<u32>,
    /// When the document and its deferred scripts had been read, and `DOMContentLoaded` was handled.
    pub content_loaded_ms: Option<u32>,
    /// When the load had settled.
    pub ended_ms: u32,
}

impl Observed {
    /// The style sheet or script that names the file of a request; none if the page itself does, or if it is not known.
    #[must_use]
    pub fn named_by_file(&self, request: &TimedRequest) -> Option<&TimedRequest> {
        let named_by = request.named_by.as_deref()?;
        self.requests.iter().find(|other| {
            let is_file = matches!(other.kind, RequestKind::Stylesheet | RequestKind::Script);
            let answered = other.landed_at.as_deref().unwrap_or(&other.url);
            is_file && answered == named_by && other.url != request.url
        })
    }
}

/// The speed of the machine around a load, as Lighthouse's `BenchmarkIndex` measures it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineIndexes {
    /// The mean of the last benchmarks before the load, from which the rate of the processor was taken ([`cpu_rate`]).
    pub mean: u32,
    /// That of the last benchmark before.
    pub before: u32,
    /// That of the first benchmark after; 0 if it failed.
    pub after: u32,
}

/// One load of a page that was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredLoad {
    /// The URL of the document, after redirects.
    pub url: Url,
    /// What it was measured with.
    pub profile: LabProfile,
    /// The speed of the machine.
    pub benchmark: MachineIndexes,
    /// Whether the page had settled. If not, its time was over.
    pub is_settled: bool,
    /// What was observed.
    pub observed: Observed,
}

impl MeasuredLoad {
    /// The metrics of the load. Times are rounded to 10 ms, because they are never more exact.
    #[must_use]
    pub fn metrics(&self) -> LabMetrics {
        let observed = &self.observed;
        let fcp = observed.fcp_ms;
        let largest = observed.largest.as_ref().map(|largest| largest.at_ms);
        LabMetrics {
            ttfb_ms: observed.ttfb_ms.map(tens),
            fcp_ms: fcp.map(tens),
            lcp_ms: largest.map(tens),
            // A page that never painted never shifted anything that a visitor saw.
            cls_thousandths: fcp.map(|_| cls::cumulative_layout_shift(&observed.shifts)),
            tbt_ms: fcp.map(|fcp| {
                let interactive = interactive::time_to_interactive(observed, fcp);
                tens(tbt::total_blocking_time(
                    &observed.long_tasks,
                    fcp,
                    interactive,
                ))
            }),
            speed_index_ms: fcp
                .and_then(|fcp| speed_index::speed_index(&observed.frames, fcp))
                .map(tens),
            inp_proxy_ms: observed.key_ms.map(tens),
            main_thread_ms: observed.main_thread_ms.map(tens),
        }
    }

    /// Whether the speed of the machine changed by at most this share of the speed before. An index of 0 is that of no benchmark.
    #[must_use]
    pub const fn is_steady(&self, most_percent: u32) -> bool {
        let MachineIndexes { before, after, .. } = self.benchmark;
        let change = before.abs_diff(after).saturating_mul(100);
        before > 0 && change <= before.saturating_mul(most_percent)
    }

    /// The measurement as a report has it, of a page that was loaded this many times with this spread.
    #[must_use]
    pub fn measurement(
        &self,
        url: &str,
        (runs, spread): (u32, Option<LabSpread>),
        is_steady: bool,
    ) -> PageMeasurement {
        let metrics = self.metrics();
        let score = grades(&metrics, self.profile).score();
        PageMeasurement {
            url: url.to_owned(),
            profile: self.profile,
            runs,
            metrics,
            spread,
            score: score.filter(|_| is_steady),
            confidence: match (is_steady, self.is_settled) {
                (false, _) => Confidence::Low,
                (true, false) => Confidence::Medium,
                (true, true) => Confidence::High,
            },
            benchmark: self.benchmark.mean,
        }
    }
}

/// Rounded to tens, half up.
const fn tens(number: u32) -> u32 {
    number.saturating_add(5) / 10 * 10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load((before, after): (u32, u32)) -> MeasuredLoad {
        MeasuredLoad {
            url: Url::parse("https://example.com/").unwrap(),
            profile: LabProfile::MobileSlow4g,
            benchmark: MachineIndexes {
                mean: before,
                before,
                after,
            },
            is_settled: true,
            observed: Observed {
                fcp_ms: Some(904),
                largest: Some(LargestPaint {
                    at_ms: 1_205,
                    ..LargestPaint::default()
                }),
                frames: vec![Frame {
                    at_ms: 900,
                    histogram: Histogram::of_rgb(&[0; 300]),
                }],
                ended_ms: 3_000,
                ..Observed::default()
            },
        }
    }

    #[test]
    fn times_are_rounded_to_ten_milliseconds() {
        let metrics = load((1_000, 1_000)).metrics();
        assert_eq!((metrics.fcp_ms, metrics.lcp_ms), (Some(900), Some(1_210)));
        assert_eq!(
            (metrics.tbt_ms, metrics.cls_thousandths),
            (Some(0), Some(0))
        );
    }

    #[test]
    fn a_machine_that_changes_by_a_quarter_is_steady_and_by_more_is_not() {
        assert!(load((1_000, 1_250)).is_steady(25) && load((1_000, 750)).is_steady(25));
        assert!(!load((1_000, 1_251)).is_steady(25) && !load((1_000, 749)).is_steady(25));
        assert!(!load((0, 0)).is_steady(25));
        let unsteady = load((1_000, 400)).measurement("https://example.com/", (1, None), false);
        assert_eq!(
            (unsteady.score, unsteady.confidence),
            (None, Confidence::Low)
        );
        assert!(unsteady.metrics.lcp_ms.is_some());
    }

    #[test]
    fn a_page_that_did_not_settle_counts_with_less_confidence() {
        let unsettled = MeasuredLoad {
            is_settled: false,
            ..load((1_000, 1_000))
        };
        let measured = unsettled.measurement("https://example.com/", (1, None), true);
        assert_eq!(measured.confidence, Confidence::Medium);
        assert!(measured.score.is_some());
    }

    #[test]
    fn a_page_that_never_painted_has_no_score() {
        let mut blank = load((1_000, 1_000));
        blank.observed.fcp_ms = None;
        blank.observed.largest = None;
        let measured = blank.measurement("https://example.com/", (1, None), true);
        assert_eq!(measured.metrics, LabMetrics::default());
        assert_eq!(
            (measured.score, measured.confidence),
            (None, Confidence::High)
        );
    }
}
