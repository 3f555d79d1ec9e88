//! What a browser measured.

use domain::Confidence;
use domain::report::{Coverage, PageMeasurement};
use domain::text::{count, grouped};

use super::{number_of, score::decimals};

/// "A browser measured 3 pages on the profile mobile-slow4g (benchmark 1,420). https://example.com/: LCP 1,210 ms …";
/// empty if nothing was measured.
pub(crate) fn sentences(coverage: &Coverage) -> String {
    let Some(first) = coverage.measured.first() else {
        return String::new();
    };
    let pages = heading(coverage, first);
    let rows = coverage.measured.iter().map(|page| {
        let runs = match page.runs {
            0 | 1 => String::new(),
            runs => format!(" (the median of {runs} loads)"),
        };
        format!("{}: {}{runs}.", page.url, values(page))
    });
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
        "A browser measured {pages} on the profile {} (benchmark index of the machine: {benchmark}).",
        first.profile
    )
}

/// "LCP 1,210 ms, FCP 900 ms, CLS 0.01, TBT 0 ms, Speed Index 950 ms, score 98".
pub(crate) fn values(page: &PageMeasurement) -> String {
    let metrics = page.metrics;
    let time =
        |name: &str, ms: Option<u32>| ms.map(|ms| format!("{name} {} ms", grouped(u64::from(ms))));
    let shift = metrics
        .cls_thousandths
        .map(|thousandths| format!("CLS {}", decimals(f64::from(thousandths) / 1_000.0, 3)));
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
    let values = [
        time("LCP", metrics.lcp_ms),
        time("FCP", metrics.fcp_ms),
        shift,
        time("TBT", metrics.tbt_ms),
        time("Speed Index", metrics.speed_index_ms),
        time("TTFB", metrics.ttfb_ms),
        Some(score),
    ];
    values.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use domain::report::{CrawlMode, LabMetrics, LabProfile};
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
            score: Some(Share::from_hundredths(98)),
            confidence: Confidence::High,
            benchmark: 1_420,
        }
    }

    #[test]
    fn what_was_measured_and_how_is_said() {
        assert_eq!(
            sentences(&coverage(vec![page()])),
            "A browser measured 1 page on the profile mobile-slow4g (benchmark index of the machine: 1,420). \
             https://example.com/: LCP 1,210 ms, FCP 900 ms, CLS 0.01, TBT 0 ms, Speed Index 950 ms, TTFB 480 ms, score 98 \
             (the median of 3 loads)."
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
        assert!(values(&unsteady).ends_with("because the speed of the machine changed"));
        let busy = PageMeasurement {
            confidence: Confidence::Medium,
            ..page()
        };
        assert!(values(&busy).ends_with("score 98 (the page was still busy at the end)"));
        let missing = PageMeasurement {
            metrics: LabMetrics::default(),
            score: None,
            ..page()
        };
        assert_eq!(values(&missing), "not judged, because a value is missing");
    }
}
