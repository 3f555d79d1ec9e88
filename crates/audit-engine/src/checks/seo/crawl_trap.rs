//! The site has an end.

use crate::check::{Evidence, Outcome};
use crate::common::inlinks::Inlinks;
use crate::common::numbers::grouped;
use crate::declare_check;
use crate::site::{Site, SkipReason, UrlState};

declare_check! {
    /// ## What it checks
    /// No links lead into a space of URLs without an end: paths of more than 20 segments, paths
    /// that repeat a segment more than twice, more than 20 queries of one path, or more than ten
    /// redirects one after the other. Such URLs are not requested.
    ///
    /// ## Why it matters
    /// Calendars, filters, session ids and wrong relative links make more URLs than any crawler
    /// can visit. Search engines spend their time there and find the real pages later, or never.
    ///
    /// ## How to fix it
    /// End calendars at their last entry, keep filters and session ids out of links, write relative
    /// links from the root, and exclude what remains in robots.txt.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><a href="/times/more/more/more/">More</a>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line</title><a href="/times/">Times</a>
    /// === /times/
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// A long list with an end, of more than 20 pages by query, looks the same; for that reason
    /// the check never counts in the score. What was left out may hold pages that are nowhere else.
    ///
    /// ## References
    /// - Google Search Central, Managing crawling of faceted navigation URLs
    /// - Google Search Central, URL structure best practices for Google
    CRAWL_TRAP {
        id: "crawl-trap",
        title: "Links lead into spaces of URLs without an end",
        dimension: Seo,
        scope: Site,
        severity: Info,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let mut left_out = site
        .urls
        .iter()
        .filter(|(_, entry)| entry.state == UrlState::Skipped(SkipReason::Trap));
    let Some((id, first)) = left_out.next() else {
        return Outcome::Passed;
    };
    let count = u64::try_from(left_out.count())
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let linked = Inlinks::direct(site)
        .to(id)
        .map_or_else(String::new, |inlink| {
            format!(", which {} links to", inlink.page.url)
        });
    Outcome::Failed(vec![Evidence::here().message(format!(
        "URLs left out as parts of an endless space: {}; the first is {}{linked}.",
        grouped(count),
        first.url
    ))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn a_site_with_an_end_passes() {
        let tallied = audit(&CRAWL_TRAP, "=== /\n<a href=/a?b=1>a</a>\n=== /a?b=1\na");
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_calendar_fails_once_with_the_number_of_days_left_out_and_a_page_that_links_to_one() {
        let days: String = (0..25)
            .map(|day| format!("<a href=/days?day={day}>{day}</a>"))
            .collect();
        let tallied = audit(&CRAWL_TRAP, &format!("=== /\n{days}"));
        assert_eq!((tallied.applicable, tallied.affected), (1, 1));
        let message = &tallied.findings[0].occurrences[0].message;
        assert!(message.contains("endless space: 5;"), "{message}");
        assert!(
            message.contains("day=20, which https://example.com/ links to"),
            "{message}"
        );
    }

    #[test]
    fn a_path_that_repeats_itself_fails() {
        let tallied = audit(&CRAWL_TRAP, "=== /\n<a href=/a/b/a/b/a/>a</a>");
        assert_eq!(tallied.affected, 1);
    }
}
