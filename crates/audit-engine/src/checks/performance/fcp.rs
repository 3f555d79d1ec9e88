//! Slow First Contentful Paint (FCP).

use domain::score::Metric;

use crate::check::{Evidence, Verdicts};
use crate::common::measures::bytes::size;
use crate::common::measures::lab::{milliseconds, record_metric};
use crate::declare_check;
use crate::lab::{LabMetric, Observed, RequestKind, TimedRequest};
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
    /// The finding names the files that arrived last of those that the browser waited for before it painted, as it reports them.
    /// Scripts in the page itself are not among them.
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

/// The files that are named: those that arrived last.
const SHOWN: usize = 5;

fn evidence(page: &MeasuredPage, measured: &str) -> Vec<Evidence> {
    let response = page
        .measurement
        .metrics
        .ttfb_ms
        .map_or_else(String::new, |ms| {
            format!(" The first byte arrived after {}.", milliseconds(ms))
        });
    let message = format!("The first text or image was painted after {measured}.{response}");
    let named: Vec<Evidence> = blocking(&page.load.observed)
        .into_iter()
        .take(SHOWN)
        .map(|(file, ended)| of_file(&message, &page.load.observed, file, ended))
        .collect();
    if named.is_empty() {
        return vec![Evidence::here().message(message)];
    }
    named
}

/// The files that the first paint waited for, with the time when each had arrived, the last first. A file that had arrived
/// when the document had delayed nothing.
fn blocking(observed: &Observed) -> Vec<(&TimedRequest, u32)> {
    let requests = &observed.requests;
    let document = requests
        .iter()
        .find(|file| file.kind == RequestKind::Document);
    let (Some(fcp), Some(arrived)) = (observed.fcp_ms, document.and_then(|file| file.ended_ms))
    else {
        return Vec::new();
    };
    let mut found: Vec<(&TimedRequest, u32)> = requests
        .iter()
        .filter(|file| file.blocks_rendering)
        .filter_map(|file| Some((file, file.ended_ms?)))
        .filter(|(_, ended)| (arrived..=fcp).contains(ended))
        .collect();
    found.sort_by_key(|(_, ended)| std::cmp::Reverse(*ended));
    found
}

fn of_file(message: &str, observed: &Observed, file: &TimedRequest, ended: u32) -> Evidence {
    let (kind, url) = (file.kind.as_str(), file.url.as_str());
    let took = milliseconds(ended.saturating_sub(file.began_ms));
    let bytes = size(file.wire_bytes);
    // A style sheet that imports it, or a script that adds it, had to arrive before.
    let through = (observed.named_by_file(file)).map_or_else(String::new, |by| {
        format!(" The browser learned of it only from {}.", by.url)
    });
    Evidence::here()
        .message(format!(
            "{message} The {kind} {url} blocked rendering: its {bytes} took {took}, and had arrived after {}.{through}",
            milliseconds(ended)
        ))
        .cause(url, format!("The first paint waits for the {kind} {url}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::measures::lab::testing::{graded, outcomes, painted, request};
    use crate::lab::Initiator;

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

    fn requested(url: &str, kind: RequestKind, times: (u32, u32), by: &str) -> TimedRequest {
        TimedRequest {
            named_by: Some(by.to_owned()),
            initiator: Initiator::Parser,
            wire_bytes: 30_000,
            ..request(url, kind, times)
        }
    }

    fn slow(requests: Vec<TimedRequest>) -> Observed {
        Observed {
            requests,
            ..painted(3_000, 3_000)
        }
    }

    #[test]
    fn files_that_block_rendering_are_named_with_their_time_the_last_first() {
        let page = "https://example.com/";
        let sheet = "https://example.com/a.css";
        let style = RequestKind::Stylesheet;
        let blocking = |url: &str, times, by: &str| TimedRequest {
            blocks_rendering: true,
            ..requested(url, style, times, by)
        };
        let outcomes = outcomes(
            &FCP,
            vec![slow(vec![
                request(page, RequestKind::Document, (0, 600)),
                blocking(sheet, (610, 1_500), page),
                blocking("https://example.com/b.css", (1_510, 2_900), sheet),
                // Before the document had arrived, after the paint, and what blocks nothing.
                blocking("https://example.com/c.css", (300, 590), page),
                blocking("https://example.com/d.css", (610, 3_100), page),
                requested(
                    "https://example.com/e.png",
                    RequestKind::Image,
                    (610, 2_000),
                    page,
                ),
            ])],
        );
        let (_, messages) = graded(&outcomes[0]);
        let ends: Vec<&str> = messages
            .iter()
            .map(|message| message.split_once("1,800 ms. ").unwrap().1)
            .collect();
        let expected = [
            "The style sheet https://example.com/b.css blocked rendering: its 29 KiB took 1,390 ms, and had arrived after \
             2,900 ms. The browser learned of it only from https://example.com/a.css.",
            "The style sheet https://example.com/a.css blocked rendering: its 29 KiB took 890 ms, and had arrived after 1,500 ms.",
        ];
        assert_eq!(ends, expected);
    }

    #[test]
    fn a_page_that_waits_for_many_files_names_those_that_arrived_last() {
        let many = (0..20).map(|number| TimedRequest {
            blocks_rendering: true,
            ..request(
                &format!("https://example.com/{number}.css"),
                RequestKind::Stylesheet,
                (610, 700 + number),
            )
        });
        let document = request("https://example.com/", RequestKind::Document, (0, 600));
        let outcomes = outcomes(
            &FCP,
            vec![slow(std::iter::once(document).chain(many).collect())],
        );
        let (_, messages) = graded(&outcomes[0]);
        assert_eq!(messages.len(), SHOWN);
        assert!(messages[0].contains("/19.css"), "{messages:?}");
    }
}
