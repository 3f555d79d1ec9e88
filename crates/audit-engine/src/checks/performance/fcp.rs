//! Slow First Contentful Paint (FCP).

use domain::score::Metric;

use crate::check::{Evidence, Verdicts};
use crate::common::measures::lab::{milliseconds, record_metric};
use crate::declare_check;
use crate::lab::LabMetric;
use crate::site::{MeasuredPage, Site};

declare_check! {
    /// ## What it checks
    /// The first text or image of a page is painted within 1.8 s on a phone, and within 0.93 s on a desktop computer. The grade falls
    /// with the value: it is 0.5 at 3 s and 1.6 s.
    ///
    /// ## Why it matters
    /// Until then visitors look at an empty window, and do not know whether the page works.
    ///
    /// ## How to fix it
    /// Respond faster, and remove what the browser waits for before it paints: style sheets and scripts in the head that the first
    /// paint does not need, fonts without `font-display: swap`, and redirects.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title>
    /// <script>for (const end = performance.now() + 2500; performance.now() < end;);</script>
    /// <p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title>
    /// <p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The page is loaded with an empty cache, and with the connection and the processor of a mid-range phone on slow 4G (150 ms for
    /// each round trip, 1.6 Mbit/s) or of a desktop computer. The start page and one page of each further pattern of URLs are
    /// measured, at most five pages. Values vary between audits, and differ from those of Lighthouse, which estimates them from a
    /// fast load by default.
    /// The value counts 10 % of the metrics, which are seven tenths of the performance score.
    ///
    /// ## Also known as
    /// - Lighthouse: `first-contentful-paint`
    ///
    /// ## References
    /// - web.dev: First Contentful Paint (FCP)
    /// - Chrome for Developers, Lighthouse: First Contentful Paint
    FCP {
        id: "fcp",
        title: "Slow First Contentful Paint (FCP)",
        dimension: Performance,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [Browser, Measured],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    record_metric(site, verdicts, LabMetric::Scored(Metric::Fcp), evidence);
}

fn evidence(page: &MeasuredPage, measured: &str) -> Vec<Evidence> {
    let response = page
        .measurement
        .metrics
        .ttfb_ms
        .map_or_else(String::new, |ms| {
            format!(" The first byte arrived after {}.", milliseconds(ms))
        });
    let message = format!("The first text or image was painted after {measured}.{response}");
    vec![Evidence::here().message(message)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::measures::lab::testing::{graded, outcomes, painted};
    use crate::lab::Observed;

    #[test]
    fn the_value_of_each_page_is_graded() {
        let slow = Observed {
            ttfb_ms: Some(700),
            ..painted(3_000, 3_000)
        };
        let outcomes = outcomes(&FCP, vec![painted(1_800, 1_800), slow]);
        assert_eq!(graded(&outcomes[0]), (90, Vec::new()));
        let expected = "The first text or image was painted after 3,000 ms on the profile mobile-slow4g; expected at most \
                        1,800 ms. The first byte arrived after 700 ms.";
        assert_eq!(graded(&outcomes[1]), (50, vec![expected]));
    }
}
