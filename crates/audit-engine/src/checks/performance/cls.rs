//! Layout shifts while the page loads (CLS).

use domain::score::Metric;

use crate::check::{Evidence, Verdicts};
use crate::common::measures::lab::{milliseconds, of_element, record_metric, thousandths};
use crate::declare_check;
use crate::lab::LabMetric;
use crate::site::{MeasuredPage, Site};

declare_check! {
    /// ## What it checks
    /// What is in the window does not move while the page loads: the largest sum of layout shifts within five seconds is at most
    /// 0.1. The grade falls with the value: it is 0.5 at 0.25.
    ///
    /// ## Why it matters
    /// Visitors lose the line that they read, or press something else than they meant to. It is one of the Core Web Vitals, which search
    /// engines use.
    ///
    /// ## How to fix it
    /// Reserve the place of everything that comes later: `width` and `height` of images and videos, `min-height` for banners and
    /// advertisements, and fonts whose fallback has the same size.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title>
    /// <meta name="viewport" content="width=device-width"><div id="news"></div>
    /// <main style="height: 700px; background: #cde"><p>Open from nine to five.</p></main>
    /// <script>
    /// const show = () => { news.innerHTML = '<p style="height: 300px">New ferries</p>'; };
    /// fetch('/news').then(() => setTimeout(show, 300));
    /// </script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title>
    /// <meta name="viewport" content="width=device-width"><div id="news" style="height: 340px"></div>
    /// <main style="height: 700px; background: #cde"><p>Open from nine to five.</p></main>
    /// <script>
    /// const show = () => { news.innerHTML = '<p style="height: 300px">New ferries</p>'; };
    /// fetch('/news').then(() => setTimeout(show, 300));
    /// </script></html>
    /// ```
    ///
    /// ## Limits
    /// The page is loaded with an empty cache, and with the connection and the processor of a mid-range phone on slow 4G (150 ms for
    /// each round trip, 1.6 Mbit/s) or of a desktop computer. The start page and one page of each further pattern of URLs are
    /// measured, at most five pages. Values vary between audits, and differ from those of Lighthouse, which estimates them from a
    /// fast load by default.
    /// Shifts after the load, while visitors scroll or press something, are not measured.
    /// The value counts 25 % of the metrics, which are seven tenths of the performance score.
    ///
    /// ## Also known as
    /// - Lighthouse: `cumulative-layout-shift`
    /// - Lighthouse: `layout-shifts`
    /// - Common name: Core Web Vitals
    ///
    /// ## References
    /// - web.dev: Cumulative Layout Shift (CLS)
    /// - WICG: Layout Instability API
    CLS {
        id: "cls",
        title: "Layout shifts while the page loads (CLS)",
        dimension: Performance,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Medium,
        needs: [Browser, Measured],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The shifts that are shown: the largest.
const SHOWN: usize = 5;

/// Shifts below this are not shown, in millionths.
const LEAST: u32 = 1_000;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    record_metric(site, verdicts, LabMetric::Scored(Metric::Cls), evidence);
}

fn evidence(page: &MeasuredPage, measured: &str) -> Vec<Evidence> {
    let sources = page.load.observed.shift_sources.iter();
    let shown = sources.filter(|source| source.shift.millionths >= LEAST);
    let shown: Vec<Evidence> = shown
        .take(SHOWN)
        .map(|source| {
            let shift = thousandths(f64::from(source.shift.millionths) / 1_000.0);
            let others = match source.elements {
                0 | 1 => String::new(),
                2 => " and another one".to_owned(),
                more => format!(" and {} others", more.saturating_sub(1)),
            };
            let at = milliseconds(source.shift.at_ms);
            of_element(source.element.as_ref()).message(format!(
                "This element{others} moved by {shift} after {at}. The sum of the page is {measured}."
            ))
        })
        .collect();
    if shown.is_empty() {
        let message = format!("The sum of the layout shifts is {measured}.");
        return vec![Evidence::here().message(message)];
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::measures::lab::testing::{graded, outcomes, painted};
    use crate::lab::{LabElement, Observed, Shift, ShiftSource};

    fn shifted(millionths: u32) -> Observed {
        let shift = Shift {
            at_ms: 1_520,
            millionths,
        };
        let source = ShiftSource {
            shift,
            element: Some(LabElement {
                selector: Some("main".to_owned()),
                snippet: "<main>".to_owned(),
            }),
            elements: 3,
        };
        Observed {
            shifts: vec![shift],
            shift_sources: vec![source; 10],
            ..painted(900, 900)
        }
    }

    #[test]
    fn the_value_of_each_page_is_graded_and_the_sources_are_named() {
        let outcomes = outcomes(
            &CLS,
            vec![painted(900, 900), shifted(100_000), shifted(250_000)],
        );
        assert_eq!(graded(&outcomes[0]), (100, Vec::new()));
        assert_eq!(graded(&outcomes[1]), (90, Vec::new()));
        let (grade, messages) = graded(&outcomes[2]);
        assert_eq!((grade, messages.len()), (50, SHOWN));
        let expected = "This element and 2 others moved by 0.25 after 1,520 ms. The sum of the page is 0.25 on the profile \
                        mobile-slow4g; expected at most 0.1.";
        assert_eq!(messages[0], expected);
    }
}
