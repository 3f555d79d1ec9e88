//! Files that block rendering, or fonts, behind a redirect.

use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::common::measures::lab::milliseconds;
use crate::declare_check;
use crate::lab::{RequestKind, TimedRequest};
use crate::site::{MeasuredPage, Site};

declare_check! {
    /// ## What it checks
    /// Style sheets and scripts that block rendering, and fonts, arrive without a redirect.
    ///
    /// ## Why it matters
    /// Each redirect takes at least one more round trip, and on another server also a new connection. The page stays
    /// blank meanwhile.
    ///
    /// ## How to fix it
    /// Replace the URL in the page or the style sheet with the one that the redirect leads to.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.css"><p>Open from nine to five.</p></html>
    /// === /site.css
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /site.5e1d.css
    ///
    /// === /site.5e1d.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// p { color: navy }
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.5e1d.css"><p>Open from nine to five.</p></html>
    /// === /site.5e1d.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// p { color: navy }
    /// ```
    ///
    /// ## Limits
    /// Only pages whose load a browser measured are evaluated: the start page and one page of each further pattern of
    /// URLs, at most five pages. Times are those of the profile. Redirects of the page itself are in the list of
    /// redirects of the report.
    ///
    /// ## Also known as
    /// - Lighthouse: `redirects`
    /// - Lighthouse: `network-dependency-tree-insight`
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Avoid multiple page redirects
    /// - RFC 9110, HTTP Semantics, section 15.4 Redirection
    BLOCKING_REDIRECT {
        id: "blocking-redirect",
        title: "Redirects of files that block rendering",
        dimension: Performance,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Browser, Measured],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for page in &site.lab {
        verdicts.record(&page.measurement.url, evaluate_page(page));
    }
}

fn evaluate_page(page: &MeasuredPage) -> Outcome {
    let requests = page.load.observed.requests.iter();
    let urgent = requests.filter(|file| file.blocks_rendering || file.kind == RequestKind::Font);
    Outcome::for_each(urgent, |file| {
        Verdict::pass_if(file.redirects == 0, || evidence(page, file))
    })
}

fn evidence(page: &MeasuredPage, file: &TimedRequest) -> Evidence {
    let (kind, url) = (file.kind.as_str(), file.url.as_str());
    let redirects = match file.redirects {
        1 => "a redirect".to_owned(),
        many => format!("{many} redirects"),
    };
    Evidence::here()
        .message(format!(
            "The {kind} {url} arrives after {redirects}, which took {} on the profile {}; expected none.",
            milliseconds(file.redirects_ms),
            page.measurement.profile
        ))
        .cause(url, format!("Redirect of the {kind} {url}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::measures::lab::testing::{outcomes, painted, request};
    use crate::lab::Observed;

    fn file(kind: RequestKind, redirects: u32, blocks_rendering: bool) -> TimedRequest {
        TimedRequest {
            redirects,
            redirects_ms: 320 * redirects,
            blocks_rendering,
            ..request("https://example.com/a", kind, (600, 1_500))
        }
    }

    fn outcome(files: Vec<TimedRequest>) -> Outcome {
        let observed = Observed {
            requests: files,
            ..painted(900, 900)
        };
        outcomes(&BLOCKING_REDIRECT, vec![observed]).pop().unwrap()
    }

    #[test]
    fn redirects_of_what_blocks_rendering_and_of_fonts_fail_with_their_time() {
        for (kind, blocks) in [
            (RequestKind::Stylesheet, true),
            (RequestKind::Script, true),
            (RequestKind::Font, false),
        ] {
            let Outcome::Failed(failures) = outcome(vec![file(kind, 2, blocks)]) else {
                panic!("{kind:?}");
            };
            let expected = format!(
                "The {} https://example.com/a arrives after 2 redirects, which took 640 ms on the profile mobile-slow4g; \
                 expected none.",
                kind.as_str()
            );
            assert_eq!(failures[0].message, expected);
        }
    }

    #[test]
    fn files_without_redirects_pass_and_those_that_block_nothing_are_not_judged() {
        let style = RequestKind::Stylesheet;
        assert_eq!(outcome(vec![file(style, 0, true)]), Outcome::Passed);
        assert_eq!(outcome(vec![file(style, 1, false)]), Outcome::NotApplicable);
        assert_eq!(
            outcome(vec![file(RequestKind::Image, 1, false)]),
            Outcome::NotApplicable
        );
    }
}
