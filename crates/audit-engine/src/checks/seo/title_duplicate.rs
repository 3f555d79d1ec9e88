//! Every page has a unique title.

use crate::check::Verdicts;
use crate::common::text::duplicates::judge_shared_texts;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No two pages that search engines may index have the same title.
    ///
    /// ## Why it matters
    /// Users cannot distinguish the pages in search results, and search engines may show only one
    /// of them.
    ///
    /// ## How to fix it
    /// Start each title with the subject of its page. In a template, put the headline of the page
    /// before the name of the site. If the URLs show the same page, redirect all but one to it, or declare one as canonical.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><h1>Times</h1>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Island Line ferries</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line ferries</title><h1>Times</h1>
    /// ```
    ///
    /// ## Limits
    /// The check does not compare pages with `noindex`, pages with a canonical URL that points to
    /// another page, and pages whose `lang` attributes declare different languages. It compares
    /// titles as written, up to the first 500 characters.
    ///
    /// ## Also known as
    /// - Screaming Frog: Page Titles: Duplicate
    /// - Common name: Duplicate title tags
    ///
    /// ## References
    /// - Google Search Central, Influencing your title links in search results
    TITLE_DUPLICATE {
        id: "title-duplicate",
        title: "Duplicate page titles",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    judge_shared_texts(site, verdicts, "title", |page| page.title.as_deref());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn pages_with_unique_titles_pass() {
        let site = "=== /\n<title>a</title><a href=/a>a</a><a href=/b>b</a>\n=== /a\n<title>b</title>\n=== /b\n";
        let tallied = audit(&TITLE_DUPLICATE, site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn a_duplicate_title_is_one_finding_with_every_page_as_occurrence() {
        let site = "=== /\n<title>x</title><a href=/a>a</a><a href=/b>b</a>\n=== /a\n<title>y </title>\n=== /b\n<title> y</title>";
        let tallied = audit(&TITLE_DUPLICATE, site);
        assert_eq!(
            (tallied.applicable, tallied.affected, tallied.findings.len()),
            (3, 2, 1)
        );
        let messages: Vec<_> = tallied.findings[0]
            .occurrences
            .iter()
            .map(|o| o.message.as_str())
            .collect();
        assert!(
            messages[0].contains("/b has") && messages[1].contains("/a has"),
            "{messages:?}"
        );
    }

    #[test]
    fn a_page_with_the_other_page_as_canonical_is_not_compared() {
        let site = "=== /\n<title>x</title><a href=/?p=1>a</a>\n=== /?p=1\n<title>x</title><link rel=canonical href=https://example.com/>";
        assert_eq!(audit(&TITLE_DUPLICATE, site).affected, 0);
    }

    #[test]
    fn translations_with_the_same_title_pass() {
        let site = "=== /\n<html lang=en><title>Ferry</title><a href=/de>a</a>\n=== /de\n<html lang=de-AT><title>Ferry</title>";
        assert_eq!(audit(&TITLE_DUPLICATE, site).affected, 0);
    }
}
