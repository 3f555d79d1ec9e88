//! Slow Largest Contentful Paint (LCP).

use domain::score::Metric;

use crate::check::{Evidence, Verdicts};
use crate::common::measures::lab::{milliseconds, of_element, record_metric};
use crate::declare_check;
use crate::lab::LabMetric;
use crate::site::{MeasuredPage, Site};

declare_check! {
    /// ## What it checks
    /// The largest image or text in the window is painted within 2.5 s on a phone, and within 1.2 s on a desktop computer. The grade
    /// falls with the value: it is 0.5 at 4 s and 2.4 s.
    ///
    /// ## Why it matters
    /// It is about when visitors see what they came for. It is one of the Core Web Vitals, which search engines use.
    ///
    /// ## How to fix it
    /// If it is an image, put it into the HTML as `img` with `fetchpriority="high"` and without `loading="lazy"`, and make its file
    /// smaller. If it is text, let nothing hold it back: scripts that write it, style sheets and fonts.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Welcome</p>
    /// <div id="app"></div>
    /// <script>
    /// const show = () => { app.innerHTML = '<h1>Ferries leave every hour from nine to five</h1>'; };
    /// const load = (left) => left ? fetch('/ferries/' + left).then(() => load(left - 1)) : show();
    /// load(20);
    /// </script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Welcome</p>
    /// <h1>Ferries leave every hour from nine to five</h1></html>
    /// ```
    ///
    /// ## Limits
    /// The page is loaded with an empty cache, and with the connection and the processor of a mid-range phone on slow 4G (150 ms for
    /// each round trip, 1.6 Mbit/s) or of a desktop computer. The start page and one page of each further pattern of URLs are
    /// measured, at most five pages. Values vary between audits, and differ from those of Lighthouse, which estimates them from a
    /// fast load by default.
    /// The value counts 25 % of the metrics, which are seven tenths of the performance score.
    ///
    /// ## Also known as
    /// - Lighthouse: `largest-contentful-paint`
    /// - Common name: Core Web Vitals
    ///
    /// ## References
    /// - web.dev: Largest Contentful Paint (LCP)
    /// - Chrome for Developers, Lighthouse: Largest Contentful Paint
    LCP {
        id: "lcp",
        title: "Slow Largest Contentful Paint (LCP)",
        dimension: Performance,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Medium,
        needs: [Browser, Measured],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    record_metric(site, verdicts, LabMetric::Scored(Metric::Lcp), evidence);
}

fn evidence(page: &MeasuredPage, measured: &str) -> Vec<Evidence> {
    let Some(largest) = &page.load.observed.largest else {
        return Vec::new();
    };
    let kind = if largest.url.is_some() {
        "image"
    } else {
        "element"
    };
    let loaded = largest.loaded_ms.map_or_else(String::new, |(begun, ended)| {
        let (begun, ended) = (milliseconds(begun), milliseconds(ended));
        format!(" The request for it began after {begun}, and its response had arrived after {ended}.")
    });
    let message = format!("The largest {kind} was painted after {measured}.{loaded}");
    vec![of_element(largest.element.as_ref()).message(message)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Outcome;
    use crate::common::measures::lab::testing::{graded, outcomes, painted};
    use crate::lab::{LabElement, LargestPaint, Observed};

    #[test]
    fn the_value_of_each_page_is_graded_and_the_element_is_named() {
        let slow = Observed {
            largest: Some(LargestPaint {
                at_ms: 4_000,
                element: Some(LabElement {
                    selector: Some("#hero".to_owned()),
                    snippet: "<img id=\"hero\">".to_owned(),
                }),
                url: Some("https://example.com/hero.png".to_owned()),
                loaded_ms: Some((1_200, 3_900)),
            }),
            ..painted(900, 0)
        };
        let outcomes = outcomes(&LCP, vec![painted(900, 2_500), slow]);
        assert_eq!(graded(&outcomes[0]), (90, Vec::new()));
        let (grade, messages) = graded(&outcomes[1]);
        assert_eq!(grade, 50);
        let expected = "The largest image was painted after 4,000 ms on the profile mobile-slow4g; expected at most 2,500 ms. \
                        The request for it began after 1,200 ms, and its response had arrived after 3,900 ms.";
        assert_eq!(messages, [expected]);
        let Outcome::Graded(_, failures) = &outcomes[1] else {
            return;
        };
        assert_eq!(failures[0].selector.as_deref(), Some("#hero"));
    }
}
