//! Slow Largest Contentful Paint (LCP).

use domain::score::Metric;

use crate::check::{Evidence, Verdicts};
use crate::common::measures::lab::{milliseconds, of_element, record_metric};
use crate::declare_check;
use crate::lab::{Initiator, LabMetric, LargestPaint, Observed, RequestKind};
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
    /// Where the request for an image began more than 300 ms after the first byte of the page, the finding says what the browser
    /// waited for: a script that adds the image, `loading="lazy"`, or a style sheet that names it.
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
    let reason = lateness(&page.load.observed, largest);
    let told = reason.as_ref().map_or("", |reason| reason.told.as_str());
    let message = format!("The largest {kind} was painted after {measured}.{loaded}{told}");
    let evidence = of_element(largest.element.as_ref()).message(message);
    vec![match reason {
        Some(reason) => evidence.cause(reason.key, reason.title),
        None => evidence,
    }]
}

/// Why a browser asked for the largest image late.
struct Lateness {
    key: &'static str,
    title: &'static str,
    /// A sentence with the time that passed.
    told: String,
}

/// A request that begins less than this after the first byte of the document is not late: two round trips on slow 4G.
const LATE_MS: u32 = 300;

/// Why the request for the image began late, if it did. The document names an image that is not lazy in time, unless the
/// browser gives it a low priority.
fn lateness(observed: &Observed, largest: &LargestPaint) -> Option<Lateness> {
    let (began, _) = largest.loaded_ms?;
    let url = largest.url.as_deref()?;
    let waited = began.saturating_sub(observed.ttfb_ms?);
    if waited < LATE_MS {
        return None;
    }
    let mut requests = observed.requests.iter();
    let request =
        requests.find(|request| request.kind == RequestKind::Image && request.url == url)?;
    let snippet = largest
        .element
        .as_ref()
        .map_or("", |element| element.snippet.as_str());
    let is_lazy = snippet.starts_with("<img") && snippet.contains("loading=\"lazy\"");
    let is_of_sheet =
        (observed.named_by_file(request)).is_some_and(|file| file.kind == RequestKind::Stylesheet);
    let (key, title, reason) = if is_lazy {
        (
            "lazy",
            "The largest image is loaded lazily",
            "the image has loading=\"lazy\"",
        )
    } else if is_of_sheet {
        (
            "style",
            "The largest image waits for a style sheet",
            "only a style sheet names the image",
        )
    } else if matches!(request.initiator, Initiator::Script | Initiator::Other) {
        // The browser does not know which script added an element to a page that it has read.
        (
            "script",
            "The largest image waits for a script",
            "the response does not name the image, and a script adds it",
        )
    } else {
        return None;
    };
    let waited = milliseconds(waited);
    Some(Lateness {
        key,
        title,
        told: format!(" {waited} of it passed before the request, because {reason}."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Outcome;
    use crate::common::measures::lab::testing::{graded, outcomes, painted, request};
    use crate::lab::{LabElement, TimedRequest};

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

    fn late(began_ms: u32, snippet: &str, request: TimedRequest) -> Observed {
        Observed {
            ttfb_ms: Some(600),
            largest: Some(LargestPaint {
                at_ms: 4_000,
                element: Some(LabElement {
                    selector: None,
                    snippet: snippet.to_owned(),
                }),
                url: Some(request.url.clone()),
                loaded_ms: Some((began_ms, 3_900)),
            }),
            requests: vec![
                self::request(
                    "https://example.com/a.css",
                    RequestKind::Stylesheet,
                    (600, 800),
                ),
                request,
            ],
            ..painted(900, 0)
        }
    }

    #[test]
    fn the_reason_of_a_late_request_is_the_cause_with_the_time_that_passed() {
        let image = || {
            request(
                "https://example.com/hero.png",
                RequestKind::Image,
                (2_000, 3_900),
            )
        };
        let by = |initiator, named_by: &str| TimedRequest {
            initiator,
            named_by: Some(named_by.to_owned()),
            ..image()
        };
        let page = "https://example.com/";
        let cause = |observed: Observed| {
            let outcomes = outcomes(&LCP, vec![observed]);
            let Outcome::Graded(_, failures) = &outcomes[0] else {
                panic!("{outcomes:?}");
            };
            let cause = failures[0].cause.as_ref().map(|cause| cause.key.clone());
            (
                cause,
                failures[0]
                    .message
                    .contains("1,400 ms of it passed before the request"),
            )
        };
        for (snippet, request, expected) in [
            (
                "<img src=a>",
                by(Initiator::Script, "https://example.com/a.js"),
                Some("script"),
            ),
            ("<img src=a>", image(), Some("script")),
            (
                "<img loading=\"lazy\" src=a>",
                by(Initiator::Parser, page),
                Some("lazy"),
            ),
            (
                "<div class=hero>",
                by(Initiator::Parser, "https://example.com/a.css"),
                Some("style"),
            ),
            ("<img src=a>", by(Initiator::Parser, page), None),
        ] {
            let found = cause(late(2_000, snippet, request));
            assert_eq!(
                found,
                (expected.map(str::to_owned), expected.is_some()),
                "{snippet}"
            );
        }
        let early = late(899, "<img src=a>", by(Initiator::Script, page));
        assert_eq!(cause(early), (None, false));
    }
}
