//! Pages that are available under several URLs declare a canonical URL.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::duplicates::FEWEST_WORDS;
use crate::common::urls::variants::shared_path;
use crate::declare_check;
use crate::site::{PageFacts, Site};

declare_check! {
    /// ## What it checks
    /// A page declares a canonical URL if the same text is also available under a variant of its URL.
    /// Variants differ in query parameters, a trailing slash, an index document or letter case.
    ///
    /// ## Why it matters
    /// Without a canonical URL, search engines choose one of the duplicate URLs themselves. Links and
    /// visits are split between the variants, and search results may show a URL with campaign parameters.
    ///
    /// ## How to fix it
    /// Add the same `<link rel="canonical" href="…">` to all variants of the page, with the URL that search engines
    /// should show. Redirect variants that have no purpose.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/ferries">Ferries</a> <a href="/ferries?from=menu">Ferries</a>
    /// === /ferries
    /// <!doctype html><html lang="en"><title>Ferries – Island Line</title><main><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.</p></main>
    /// === /ferries?from=menu
    /// <!doctype html><html lang="en"><title>Ferries – Island Line</title><main><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.</p></main>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/ferries">Ferries</a> <a href="/ferries?from=menu">Ferries</a>
    /// === /ferries
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/ferries"><title>Ferries – Island Line</title><main><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.</p></main>
    /// === /ferries?from=menu
    /// <!doctype html><html lang="en"><link rel="canonical" href="https://example.com/ferries"><title>Ferries – Island Line</title><main><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.</p></main>
    /// ```
    ///
    /// ## Limits
    /// A page without a canonical URL passes if the crawl found no variant of it, because search
    /// engines then have no choice to make. A crawl that did not reach every page may have missed a
    /// variant. The texts must be equal and, if the URLs differ in a parameter, have at least 20 words. The check ignores pages with
    /// `noindex`. `content-duplicate-exact` reports equal texts under URLs that are not variants of
    /// each other.
    ///
    /// ## Also known as
    /// - Search Console: Duplicate without user-selected canonical
    /// - Screaming Frog: Canonicals: Missing
    /// - Common name: Missing canonical tag
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_MISSING {
        id: "canonical-missing",
        title: "Missing canonical URL on duplicate URL variants",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut variants: HashMap<(String, u64), Vec<&PageFacts>> = HashMap::new();
    for page in site.pages.iter().filter(|page| has_text(page)) {
        variants.entry(key(page)).or_default().push(page);
    }
    for page in site.pages.iter().filter(|page| page.is_indexable()) {
        let others = variants.get(&key(page)).map_or(&[][..], Vec::as_slice);
        let other = others.iter().find(|other| other.id != page.id);
        let outcome = match other.filter(|_| has_text(page)) {
            _ if !page.canonicals.is_empty() => Outcome::Passed,
            Some(other) => Outcome::failed(vec![Evidence::here().message(format!(
                "The page has no canonical URL, and {} has the same text; expected the same canonical link on both.",
                other.url
            ))]),
            None => Outcome::Passed,
        };
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// Whether another URL with the same text shows the same page. A short text may be the same by chance if a parameter
/// makes the difference.
fn has_text(page: &PageFacts) -> bool {
    let is_telling = page.hashed_words >= FEWEST_WORDS || page.url.query().is_none();
    page.is_indexable() && page.text_hash != 0 && is_telling
}

fn key(page: &PageFacts) -> (String, u64) {
    let origin = page.url.origin().ascii_serialization();
    (origin + &shared_path(&page.url), page.text_hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const TEXT: &str = "Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.";
    const OTHER: &str = "When the boats stay in the harbour, a bus runs around the bay. It needs fifty minutes and stops at the lighthouse.";

    fn variant(path: &str, head: &str, text: &str) -> Tallied {
        let site = format!(
            "=== /\n<a href=/a>a</a><a href='{path}'>b</a>\n=== /a\n{head}<p>{TEXT}\n=== {path}\n{head}<p>{text}"
        );
        audit(&CANONICAL_MISSING, &site)
    }

    #[test]
    fn every_variant_without_a_canonical_fails_and_all_are_one_finding() {
        for path in ["/a?x=1", "/a/", "/A", "/a/index.html"] {
            let tallied = variant(path, "", TEXT);
            assert_eq!(
                (tallied.applicable, tallied.affected, tallied.findings.len()),
                (3, 2, 1),
                "{path}"
            );
        }
    }

    #[test]
    fn pages_with_a_canonical_pass() {
        let head = "<link rel=canonical href=https://example.com/a>";
        let tallied = variant("/a?x=1", head, TEXT);
        // The variant declares the other page as canonical, so it is not indexable.
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn a_parameter_that_changes_the_text_is_not_a_variant() {
        assert_eq!(variant("/a?page=2", "", OTHER).affected, 0);
    }

    #[test]
    fn other_paths_with_the_same_text_and_noindex_pages_are_not_variants() {
        assert_eq!(variant("/b", "", TEXT).affected, 0);
        let hidden = format!("<meta name=robots content=noindex><p>{TEXT}");
        let site = format!(
            "=== /\n<a href=/a>a</a><a href=/a?x>b</a><a href=/c>c</a><a href=/d>d</a>\n=== /a\n{hidden}\n=== /a?x\n{hidden}\n=== /c\nc\n=== /d\nd"
        );
        assert_eq!(audit(&CANONICAL_MISSING, &site).affected, 0);
    }

    #[test]
    fn short_texts_at_two_spellings_of_one_url_fail() {
        for path in ["/a/", "/A", "/a/index.html"] {
            assert_eq!(variant_of_short_text(path), 2, "{path}");
        }
    }

    fn variant_of_short_text(path: &str) -> u64 {
        let site = format!(
            "=== /\n<a href=/a>a</a><a href='{path}'>b</a>\n=== /a\n<p>Soon\n=== {path}\n<p>Soon"
        );
        audit(&CANONICAL_MISSING, &site).affected
    }

    #[test]
    fn equal_texts_below_the_minimum_length_pass() {
        let site = "=== /\n<a href=/a>a</a><a href=/a?b>b</a>\n=== /a\nSoon\n=== /a?b\nSoon";
        assert_eq!(audit(&CANONICAL_MISSING, site).affected, 0);
    }
}
