//! Redirects do not form a loop.

use crate::check::{Evidence, Extent, Outcome, Verdicts};
use crate::common::links::redirects::{entry_urls, is_loop};
use crate::declare_check;
use crate::site::Site;
use crate::site::UrlId;

declare_check! {
    /// ## What it checks
    /// No URL that is linked, is listed in a sitemap or is the start URL of the audit ends in a
    /// redirect loop.
    ///
    /// ## Why it matters
    /// Visitors cannot reach the page at all: browsers stop with an error message.
    ///
    /// ## How to fix it
    /// Remove the redirect rule that leads back to an earlier URL. Often two rules contradict each other: one adds a
    /// slash or `www`, and the other removes it.
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
    /// The check cannot distinguish a loop that affects only visitors without cookies from a loop
    /// that affects all visitors.
    ///
    /// ## Also known as
    /// - Screaming Frog: Response Codes: Internal Redirect Loop
    /// - Search Console: Redirect error
    ///
    /// ## References
    /// - RFC 9110, HTTP Semantics, section 15.4
    REDIRECT_LOOP {
        id: "redirect-loop",
        title: "Redirect loops",
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
        let outcome = Outcome::pass_if(!is_loop(&chain), || {
            let path: Vec<&str> = chain.iter().map(|step| site.urls.url(*step)).collect();
            // The smallest URL identifies the loop, regardless of the URL that enters it.
            let first = cycle(&chain).iter().map(|step| site.urls.url(*step)).min();
            let first = first.unwrap_or(&entry.url);
            Evidence::here()
                .message(format!(
                    "The URL ends in a redirect loop: {}.",
                    path.join(" → ")
                ))
                .cause(first, format!("Redirect loop through {first}"))
        })
        .with_extent(Extent::PageLost);
        verdicts.record(&entry.url, outcome);
    }
}

/// The part of the chain that repeats: from the first occurrence of the last URL on.
fn cycle(chain: &[UrlId]) -> &[UrlId] {
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
    fn one_loop_is_one_finding_for_all_urls_that_enter_it() {
        let tallied = audit(
            &REDIRECT_LOOP,
            "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\nHTTP/1.1 301 X\nLocation: /b\n\n=== /b\nHTTP/1.1 301 X\nLocation: /a\n",
        );
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
        assert_eq!(tallied.findings[0].cause, "https://example.com/a");
    }

    #[test]
    fn a_url_that_redirects_to_itself_fails() {
        let tallied = audit(
            &REDIRECT_LOOP,
            "=== /\n<a href=/a>a</a>\n=== /a\nHTTP/1.1 302 X\nLocation: /a\n",
        );
        assert_eq!(tallied.affected, 1);
    }
}
