//! Redirects come to an end.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::links::redirects::{entry_urls, is_loop};
use crate::declare_check;
use crate::site::Site;
use crate::site::UrlId;

declare_check! {
    /// ## What it checks
    /// No URL that is linked or listed in a sitemap redirects in a circle.
    ///
    /// ## Why it matters
    /// The page cannot be reached at all: browsers give up with an error message.
    ///
    /// ## How to fix it
    /// Follow the steps that the finding names and remove the rule that leads back. Often two
    /// rules disagree, one adding a slash or `www` and the other taking it away.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /times/
    ///
    /// === /times/
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /times
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// HTTP/1.1 301 Moved Permanently
    /// Location: /times/
    ///
    /// === /times/
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// A circle that only visitors without cookies get into looks the same as one for everybody.
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.4
    REDIRECT_LOOP {
        id: "redirect-loop",
        title: "Redirects that lead in a circle",
        dimension: Seo,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for (id, entry) in entry_urls(site) {
        let chain = site.urls.chain(id);
        let outcome = Outcome::of(!is_loop(&chain), || {
            let path: Vec<&str> = chain.iter().map(|step| site.urls.url(*step)).collect();
            // Whichever way one enters the circle, it is the same one.
            let first = circle(&chain).iter().map(|step| site.urls.url(*step)).min();
            let first = first.unwrap_or(&entry.url);
            Evidence::here()
                .message(format!(
                    "The redirects lead in a circle: {}.",
                    path.join(" → ")
                ))
                .cause(first, format!("Circle of redirects through {first}"))
        });
        verdicts.judge(&entry.url, outcome);
    }
}

/// The steps from the first visit of the last URL on.
fn circle(chain: &[UrlId]) -> &[UrlId] {
    let start = chain.iter().position(|step| Some(step) == chain.last());
    start
        .and_then(|start| chain.get(start..))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn redirects_that_end_pass() {
        let tallied = audit(
            &REDIRECT_LOOP,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nb",
        );
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn one_circle_is_one_finding_however_it_is_entered() {
        let tallied = audit(
            &REDIRECT_LOOP,
            "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nHTTP/1.1 301 X\nLocation: /a\n",
        );
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
        assert_eq!(tallied.findings[0].cause, "https://example.com/a");
    }

    #[test]
    fn a_url_that_redirects_to_itself_is_a_circle() {
        let tallied = audit(
            &REDIRECT_LOOP,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 302 X\nLocation: /a\n",
        );
        assert_eq!(tallied.affected, 1);
    }
}
