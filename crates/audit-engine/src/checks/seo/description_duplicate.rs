//! Every page has a description of its own.

use crate::check::Verdicts;
use crate::common::text::duplicates::judge_shared_texts;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No two pages that search engines may index have the same meta description.
    ///
    /// ## Why it matters
    /// A description that fits every page describes none, so search engines cut a passage out of
    /// the page instead.
    ///
    /// ## How to fix it
    /// Write a description for each page, or leave it out where there is nothing particular to
    /// say: none is better than the same everywhere.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><meta name="description" content="Ferries to the islands, every day of the year."><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><meta name="description" content="Ferries to the islands, every day of the year.">
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><meta name="description" content="Ferries to the islands, every day of the year."><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title><meta name="description" content="Departures and arrivals of all ferries, with holiday changes.">
    /// ```
    ///
    /// ## Limits
    /// Pages with `noindex` or with a canonical URL that names another page are not compared, and
    /// neither are pages in different languages by their `lang`.
    ///
    /// ## References
    /// - Google Search Central, Control your snippets in search results
    DESCRIPTION_DUPLICATE {
        id: "description-duplicate",
        title: "Pages share a meta description",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    judge_shared_texts(site, verdicts, "description", |page| {
        page.description.as_deref()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn pages_without_a_description_are_not_judged() {
        let site = "=== /\n<a href=/a>a</a>\n=== /a\n<meta name=description content=x>";
        let tallied = audit(&DESCRIPTION_DUPLICATE, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_shared_description_is_one_finding() {
        let site = "=== /\n<meta name=description content=' x'><a href=/a>a</a>\n=== /a\n<meta name=description content=x>";
        let tallied = audit(&DESCRIPTION_DUPLICATE, site);
        assert_eq!((tallied.affected, tallied.findings.len()), (2, 1));
    }
}
