//! Every page is at most four links away from the start page.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Every page is reachable from the start page by following four links or fewer.
    ///
    /// ## Why it matters
    /// Visitors give up before they reach deep pages. Search engines crawl deep pages less often
    /// and consider them less important.
    ///
    /// ## How to fix it
    /// Link the page from an overview that is closer to the start page, such as a section page, a
    /// table of contents or an HTML sitemap.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/1">On</a>
    /// === /1
    /// <!doctype html><html lang="en"><title>Step 1 – Island Line</title><a href="/2">On</a>
    /// === /2
    /// <!doctype html><html lang="en"><title>Step 2 – Island Line</title><a href="/3">On</a>
    /// === /3
    /// <!doctype html><html lang="en"><title>Step 3 – Island Line</title><a href="/4">On</a>
    /// === /4
    /// <!doctype html><html lang="en"><title>Step 4 – Island Line</title><a href="/5">On</a>
    /// === /5
    /// <!doctype html><html lang="en"><title>Step 5 – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/1">Step 1</a><a href="/2">Step 2</a><a href="/3">Step 3</a><a href="/4">Step 4</a><a href="/5">Step 5</a>
    /// === /1
    /// <!doctype html><html lang="en"><title>Step 1 – Island Line</title>
    /// === /2
    /// <!doctype html><html lang="en"><title>Step 2 – Island Line</title>
    /// === /3
    /// <!doctype html><html lang="en"><title>Step 3 – Island Line</title>
    /// === /4
    /// <!doctype html><html lang="en"><title>Step 4 – Island Line</title>
    /// === /5
    /// <!doctype html><html lang="en"><title>Step 5 – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// Four is a rule of thumb. Pages that only a sitemap lists have no click depth and are
    /// skipped. In static mode, the crawler does not see links that scripts add.
    ///
    /// ## Also known as
    /// - Screaming Frog: Links: Pages With High Crawl Depth
    /// - Common name: Crawl depth
    ///
    /// ## References
    /// - Google Search Central, Link best practices for Google
    CLICK_DEPTH_HIGH {
        id: "click-depth-high",
        title: "Pages with high click depth",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Medium,
        needs: [CompleteCrawl],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

const MAX_DEPTH: u32 = 4;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for page in &site.pages {
        let Some(depth) = page.depth else { continue };
        verdicts.record(
            page.url.as_str(),
            Outcome::pass_if(depth <= MAX_DEPTH, || {
                Evidence::here().message(format!(
                    "The page is {depth} links away from the start page; expected at most {MAX_DEPTH}."
                ))
            }),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_page_four_links_away_passes_and_a_page_five_links_away_fails() {
        let mut site = String::new();
        for step in 0..6 {
            site.push_str(&format!(
                "=== /{}\n<a href=/{}>on</a>\n",
                if step == 0 {
                    String::new()
                } else {
                    step.to_string()
                },
                step + 1
            ));
        }
        let tallied = audit(&CLICK_DEPTH_HIGH, &site);
        assert_eq!((tallied.applicable, tallied.affected), (6, 1));
        assert_eq!(
            tallied.findings[0].occurrences[0].url,
            "https://example.com/5"
        );
    }
}
