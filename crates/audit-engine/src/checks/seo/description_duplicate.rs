//! Every page has a unique meta description.

use crate::check::Verdicts;
use crate::common::documents::duplicates::judge_shared_texts;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No two indexable pages have the same meta description.
    ///
    /// ## Why it matters
    /// A shared description does not describe any single page, so search engines generate a snippet
    /// from the page content instead.
    ///
    /// ## How to fix it
    /// Write a unique description for each page. Omit the description if there is nothing specific
    /// to say: a missing description is better than the same one everywhere.
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
    /// The check does not compare pages with `noindex`, pages with a canonical URL of another page,
    /// or pages with different languages in `lang`.
    ///
    /// ## Also known as
    /// - Screaming Frog: Meta Description: Duplicate
    ///
    /// ## References
    /// - Google Search Central, Control your snippets in search results
    DESCRIPTION_DUPLICATE {
        id: "description-duplicate",
        title: "Duplicate meta descriptions",
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
    fn pages_without_a_description_are_not_applicable() {
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
