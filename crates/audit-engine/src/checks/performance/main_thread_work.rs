//! Much main-thread work.

use crate::check::{Evidence, Verdicts};
use crate::common::measures::lab::{milliseconds, record_metric};
use crate::declare_check;
use crate::lab::LabMetric;
use crate::site::{MeasuredPage, Site};

declare_check! {
    /// ## What it checks
    /// The main thread is busy for at most 2 s until the page has settled.
    ///
    /// ## Why it matters
    /// The main thread parses, computes styles and layout, and runs scripts. What waits for it waits for all of that, and it empties
    /// the battery of phones.
    ///
    /// ## How to fix it
    /// See which part is large. Run less script, use fewer elements and simpler selectors, and do not read the layout between
    /// changes.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p>
    /// <script>for (const end = performance.now() + 3000; performance.now() < end;);</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The page is loaded with an empty cache, and with the connection and the processor of a mid-range phone on slow 4G (150 ms for
    /// each round trip, 1.6 Mbit/s) or of a desktop computer. The start page and one page of each further pattern of URLs are
    /// measured, at most five pages. Values vary between audits, and differ from those of Lighthouse, which estimates them from a
    /// fast load by default.
    /// It is information and not part of the score: what of it visitors notice is in `tbt`.
    ///
    /// ## Also known as
    /// - Lighthouse: `mainthread-work-breakdown`
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Minimize main thread work
    MAIN_THREAD_WORK {
        id: "main-thread-work",
        title: "Much main-thread work",
        dimension: Performance,
        scope: Page,
        severity: Info,
        confidence: Medium,
        effort: Large,
        needs: [Browser, Measured],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    record_metric(site, verdicts, LabMetric::MainThread, evidence);
}

fn evidence(page: &MeasuredPage, measured: &str) -> Vec<Evidence> {
    let observed = &page.load.observed;
    let parts = observed.script_ms.zip(observed.layout_ms);
    let parts = parts.map_or_else(String::new, |(scripts, layout)| {
        let (scripts, layout) = (milliseconds(scripts), milliseconds(layout));
        format!(" Scripts took {scripts} of it, styles and layout {layout}.")
    });
    vec![Evidence::here().message(format!("The main thread was busy for {measured}.{parts}"))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::measures::lab::testing::{graded, outcomes, painted};
    use crate::lab::Observed;

    fn busy(ms: u32) -> Observed {
        Observed {
            main_thread_ms: Some(ms),
            script_ms: Some(2_500),
            layout_ms: Some(300),
            ..painted(900, 900)
        }
    }

    #[test]
    fn the_value_of_each_page_is_graded() {
        let outcomes = outcomes(&MAIN_THREAD_WORK, vec![busy(2_010), busy(4_000)]);
        assert_eq!(graded(&outcomes[0]), (90, Vec::new()));
        let expected = "The main thread was busy for 4,000 ms on the profile mobile-slow4g; expected at most 2,017 ms. Scripts \
                        took 2,500 ms of it, styles and layout 300 ms.";
        assert_eq!(graded(&outcomes[1]), (50, vec![expected]));
    }
}
