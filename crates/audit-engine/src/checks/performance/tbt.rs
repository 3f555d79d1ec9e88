//! Scripts block the main thread (TBT).

use domain::score::Metric;

use crate::check::{Evidence, Verdicts};
use crate::common::measures::lab::{milliseconds, record_metric};
use crate::declare_check;
use crate::lab::LabMetric;
use crate::site::{MeasuredPage, Site};

declare_check! {
    /// ## What it checks
    /// From the first paint until the page is interactive, the main thread is blocked for at most 200 ms on a phone, and 150 ms on a
    /// desktop computer. Of each task the part beyond 50 ms counts. A page is interactive after its document was read and after the
    /// last long task before five seconds without a long task and with at most two open requests (Time to Interactive). The grade falls
    /// with the value: it is 0.5 at 600 ms and 350 ms.
    ///
    /// ## Why it matters
    /// While a task runs, the page does not react: clicks, keys and scrolling wait.
    ///
    /// ## How to fix it
    /// Run less script while the page loads: load it where it is needed, with `import()`, and remove libraries of which little is
    /// used. Split what remains into tasks of less than 50 ms.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p>
    /// <script>
    /// const work = () => { for (const end = performance.now() + 1500; performance.now() < end;); };
    /// fetch('/tides').then(() => setTimeout(work, 300));
    /// </script></html>
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
    /// Scripts are named by how long they ran in frames that took more than 50 ms.
    /// The value counts 30 % of the metrics, which are seven tenths of the performance score.
    ///
    /// ## Also known as
    /// - Lighthouse: `total-blocking-time`
    ///
    /// ## References
    /// - web.dev: Total Blocking Time (TBT)
    /// - web.dev: Time to Interactive (TTI)
    /// - W3C: Long Animation Frames API
    TBT {
        id: "tbt",
        title: "Scripts block the main thread (TBT)",
        dimension: Performance,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Large,
        needs: [Browser, Measured],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The scripts that are shown: those that took most time.
const SHOWN: usize = 5;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    record_metric(site, verdicts, LabMetric::Scored(Metric::Tbt), evidence);
}

fn evidence(page: &MeasuredPage, measured: &str) -> Vec<Evidence> {
    let blocked = format!("The main thread was blocked for {measured}.");
    let scripts = page.load.observed.busy_scripts.iter();
    let named: Vec<Evidence> = scripts
        .filter(|script| !script.url.is_empty())
        .take(SHOWN)
        .map(|script| {
            let (url, ran) = (&script.url, milliseconds(script.ms));
            let message = format!("{blocked} The scripts of {url} ran for {ran} in long frames.");
            let title = format!("Scripts of {url} block the main thread");
            Evidence::here().message(message).cause(url.as_str(), title)
        })
        .collect();
    if named.is_empty() {
        return vec![Evidence::here().message(blocked)];
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::measures::lab::testing::{graded, outcomes, painted};
    use crate::lab::{BusyScript, Observed, Task};

    fn blocked(ms: u32, script: &str) -> Observed {
        Observed {
            long_tasks: vec![Task { at_ms: 1_000, ms }],
            busy_scripts: vec![BusyScript {
                url: script.to_owned(),
                ms,
            }],
            ..painted(900, 900)
        }
    }

    #[test]
    fn the_value_of_each_page_is_graded_and_the_scripts_are_named() {
        let script = "https://example.com/a.js";
        let pages = vec![blocked(250, script), blocked(650, script), blocked(650, "")];
        let outcomes = outcomes(&TBT, pages);
        assert_eq!(graded(&outcomes[0]), (90, Vec::new()));
        let expected = "The main thread was blocked for 600 ms on the profile mobile-slow4g; expected at most 200 ms. The \
                        scripts of https://example.com/a.js ran for 650 ms in long frames.";
        assert_eq!(graded(&outcomes[1]), (50, vec![expected]));
        let (_, unnamed) = graded(&outcomes[2]);
        assert!(unnamed[0].ends_with("expected at most 200 ms."));
    }
}
