//! Slow Speed Index.

use domain::score::Metric;

use crate::check::{Evidence, Verdicts};
use crate::common::measures::lab::record_metric;
use crate::declare_check;
use crate::lab::LabMetric;
use crate::site::{MeasuredPage, Site};

declare_check! {
    /// ## What it checks
    /// The window fills quickly: the mean time at which what it shows in the end was shown is at most 3.4 s on a phone, and 1.3 s on
    /// a desktop computer. The grade falls with the value: it is 0.5 at 5.8 s and 2.3 s.
    ///
    /// ## Why it matters
    /// A page whose first text comes early and whose rest comes late still feels slow.
    ///
    /// ## How to fix it
    /// Send what the window shows first in the HTML, and let styles, fonts and scripts not hold it back. Load what is below the
    /// window later.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Welcome</p><div id="app"></div>
    /// <script>
    /// const show = () => { app.innerHTML = '<div style="height: 600px; background: #135">Ferries</div>'; };
    /// const load = (left) => left ? fetch('/ferries/' + left).then(() => load(left - 1)) : show();
    /// load(40);
    /// </script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Welcome</p>
    /// <div style="height: 600px; background: #135">Ferries</div></html>
    /// ```
    ///
    /// ## Limits
    /// The page is loaded with an empty cache, and with the connection and the processor of a mid-range phone on slow 4G (150 ms for
    /// each round trip, 1.6 Mbit/s) or of a desktop computer. The start page and one page of each further pattern of URLs are
    /// measured, at most five pages. Values vary between audits, and differ from those of Lighthouse, which estimates them from a
    /// fast load by default.
    /// It is computed from small pictures of the window: a carousel or a video that moves makes it worse.
    /// The value counts 10 % of the metrics, which are seven tenths of the performance score.
    ///
    /// ## Also known as
    /// - Lighthouse: `speed-index`
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Speed Index
    SPEED_INDEX {
        id: "speed-index",
        title: "Slow Speed Index",
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
    record_metric(
        site,
        verdicts,
        LabMetric::Scored(Metric::SpeedIndex),
        evidence,
    );
}

fn evidence(_: &MeasuredPage, measured: &str) -> Vec<Evidence> {
    vec![Evidence::here().message(format!("The Speed Index is {measured}."))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::measures::lab::testing::{graded, outcomes, painted};
    use crate::lab::{Frame, Histogram, Observed};

    fn shown_at(at_ms: u32) -> Observed {
        Observed {
            frames: vec![Frame {
                at_ms,
                histogram: Histogram::of_rgb(&[0; 300]),
            }],
            ..painted(900, 900)
        }
    }

    #[test]
    fn the_value_of_each_page_is_graded() {
        let outcomes = outcomes(&SPEED_INDEX, vec![shown_at(3_380), shown_at(5_800)]);
        assert_eq!(graded(&outcomes[0]), (90, Vec::new()));
        let expected =
            "The Speed Index is 5,800 ms on the profile mobile-slow4g; expected at most 3,387 ms.";
        assert_eq!(graded(&outcomes[1]), (50, vec![expected]));
    }
}
