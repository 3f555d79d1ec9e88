//! What a browser measured.

use domain::Confidence;
use domain::report::{Coverage, LabProfile, PageMeasurement};
use domain::score::Metric;
use domain::text::{count, grouped};

use super::{number_of, score::decimals};

/// The metrics in the order in which reports name them: the most telling ones first.
const ORDER: [Metric; 5] = [
    Metric::Lcp,
    Metric::Fcp,
    Metric::Cls,
    Metric::Tbt,
    Metric::SpeedIndex,
];

/// "A browser measured 3 pages on the profile mobile-slow4g (benchmark 1,420). https://example.com/: LCP 1,210 ms …";
/// empty if nothing was measured.
pub(crate) fn sentences(coverage: &Coverage) -> String {
    let Some(first) = coverage.measured.first() else {
        return String::new();
    };
    let pages = heading(coverage, first);
    let rows = (coverage.measured.iter()).map(|page| format!("{}: {}.", page.url, values(page)));
    std::iter::once(pages)
        .chain(rows)
        .collect::<Vec<_>>()
        .join(" ")
}

/// How many pages were measured, with what, and how steady the machine was.
pub(crate) fn heading(coverage: &Coverage, first: &PageMeasurement) -> String {
    let pages = count(number_of(coverage.measured.len()), "page", "pages");
    let benchmark = grouped(u64::from(first.benchmark));
    format!(
        "A browser measured {pages} on the profile {} (benchmark index of the machine: {benchmark}): {}.",
        first.profile,
        conditions(first.profile)
    )
}

/// The device and the connection of a profile.
const fn conditions(profile: LabProfile) -> &'static str {
    match profile {
        LabProfile::MobileSlow4g => {
            "a phone with a slow processor, 150 ms for each round trip, 1.6 Mbit/s down and 0.75 Mbit/s up"
        }
        LabProfile::Desktop => "a desktop computer, 40 ms for each round trip, 10 Mbit/s both ways",
    }
}

/// "LCP 1,210 ms (1,180 to 1,300 ms), FCP 900 ms, CLS 0.01, TBT 0 ms, Speed Index 950 ms, score 98, the median of 3 loads,
/// high confidence".
pub(crate) fn values(page: &PageMeasurement) -> String {
    let metrics = ORDER
        .into_iter()
        .filter_map(|metric| metric_of(page, metric));
    let first_byte = page
        .metrics
        .ttfb_ms
        .map(|ms| format!("TTFB {}", milliseconds(ms)));
    let score = match (page.confidence, page.score) {
        (Confidence::Low, _) => "not judged, because the speed of the machine changed".to_owned(),
        (Confidence::Medium, Some(score)) => {
            format!(
                "score {} (the page was still busy at the end)",
                score.to_score()
            )
        }
        (Confidence::High, Some(score)) => format!("score {}", score.to_score()),
        (_, None) => "not judged, because a value is missing".to_owned(),
    };
    let loads = match page.runs {
        0 | 1 => "one load".to_owned(),
        runs => format!("the median of {runs} loads"),
    };
    let confidence = format!("{} confidence", page.confidence);
    metrics
        .chain(first_byte)
        .chain([score, loads, confidence])
        .collect::<Vec<_>>()
        .join(", ")
}

/// "LCP 1,210 ms (1,180 to 1,300 ms)": a value, and those of all loads where they differ.
fn metric_of(page: &PageMeasurement, metric: Metric) -> Option<String> {
    let value = page.metrics.value(metric)?;
    let range = page.spread.and_then(|spread| spread.range(metric));
    let range = match range {
        Some((least, most)) if least < most => {
            format!(
                " ({} to {})",
                amount(metric, least),
                metric_value(metric, most)
            )
        }
        _ => String::new(),
    };
    Some(format!(
        "{} {}{range}",
        metric_abbreviation(metric),
        metric_value(metric, value)
    ))
}

/// The name of a metric, as developers shorten it.
#[must_use]
pub const fn metric_abbreviation(metric: Metric) -> &'static str {
    match metric {
        Metric::Fcp => "FCP",
        Metric::Lcp => "LCP",
        Metric::Tbt => "TBT",
        Metric::Cls => "CLS",
        Metric::SpeedIndex => "Speed Index",
    }
}

/// The name of a metric.
#[must_use]
pub const fn metric_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Fcp => "First Contentful Paint",
        Metric::Lcp => "Largest Contentful Paint",
        Metric::Tbt => "Total Blocking Time",
        Metric::Cls => "Cumulative Layout Shift",
        Metric::SpeedIndex => "Speed Index",
    }
}

/// A value of a metric with its unit: "1,210 ms", "0.01".
#[must_use]
pub fn metric_value(metric: Metric, value: u32) -> String {
    match metric {
        Metric::Cls => amount(metric, value),
        Metric::Fcp | Metric::Lcp | Metric::Tbt | Metric::SpeedIndex => milliseconds(value),
    }
}

fn amount(metric: Metric, value: u32) -> String {
    match metric {
        Metric::Cls => decimals(f64::from(value) / 1_000.0, 3),
        Metric::Fcp | Metric::Lcp | Metric::Tbt | Metric::SpeedIndex => grouped(u64::from(value)),
    }
}

fn milliseconds(ms: u32) -> String {
    format!("{} ms", grouped(u64::from(ms)))
}

#[cfg(test)]
mod tests {
    use domain::report::{CrawlMode, LabMetrics, LabSpread};
    use domain::score::Share;

    use super::*;

    fn coverage(measured: Vec<PageMeasurement>) -> Coverage {
        Coverage {
            mode: CrawlMode::Rendered,
            complete: true,
            stopped_by: None,
            pages_discovered: 1,
            pages_fetched: 1,
            pages_audited: 1,
            pages_rendered: 1,
            measured,
            requests: 1,
            skipped: Vec::new(),
        }
    }

    fn loads(lcp_ms: u32, cls_thousandths: u32) -> LabMetrics {
        LabMetrics {
            fcp_ms: Some(900),
            lcp_ms: Some(lcp_ms),
            cls_thousandths: Some(cls_thousandths),
            ..LabMetrics::default()
        }
    }

    fn page() -> PageMeasurement {
        PageMeasurement {
            url: "https://example.com/".to_owned(),
            profile: LabProfile::MobileSlow4g,
            runs: 3,
            metrics: LabMetrics {
                ttfb_ms: Some(480),
                fcp_ms: Some(900),
                lcp_ms: Some(1_210),
                cls_thousandths: Some(10),
                tbt_ms: Some(0),
                speed_index_ms: Some(950),
                inp_proxy_ms: None,
                main_thread_ms: Some(400),
            },
            spread: Some(LabSpread {
                least: loads(1_180, 10),
                most: loads(1_300, 200),
            }),
            score: Some(Share::from_hundredths(98)),
            confidence: Confidence::High,
            benchmark: 1_420,
        }
    }

    #[test]
    fn what_was_measured_and_how_is_said() {
        assert_eq!(
            sentences(&coverage(vec![page()])),
            "A browser measured 1 page on the profile mobile-slow4g (benchmark index of the machine: 1,420): a phone with a \
             slow processor, 150 ms for each round trip, 1.6 Mbit/s down and 0.75 Mbit/s up. \
             https://example.com/: LCP 1,210 ms (1,180 to 1,300 ms), FCP 900 ms, CLS 0.01 (0.01 to 0.2), TBT 0 ms, \
             Speed Index 950 ms, TTFB 480 ms, score 98, the median of 3 loads, high confidence."
        );
        assert_eq!(sentences(&coverage(Vec::new())), "");
    }

    #[test]
    fn a_page_that_does_not_count_says_why() {
        let unsteady = PageMeasurement {
            confidence: Confidence::Low,
            score: None,
            ..page()
        };
        let expected =
            "because the speed of the machine changed, the median of 3 loads, low confidence";
        assert!(values(&unsteady).ends_with(expected));
        let busy = PageMeasurement {
            confidence: Confidence::Medium,
            ..page()
        };
        assert!(values(&busy).contains("score 98 (the page was still busy at the end), "));
        let missing = PageMeasurement {
            metrics: LabMetrics::default(),
            runs: 1,
            score: None,
            ..page()
        };
        let expected = "not judged, because a value is missing, one load, high confidence";
        assert_eq!(values(&missing), expected);
    }
}
