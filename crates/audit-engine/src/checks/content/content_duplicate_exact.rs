//! Pages with exactly the same main text.

use std::collections::HashMap;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::numbers::grouped;
use crate::common::text::duplicates::FEWEST_WORDS;
use crate::common::urls::variants::shared_path;
use crate::declare_check;
use crate::site::{PageFacts, Site};

declare_check! {
    /// ## What it checks
    /// No two pages that search engines may index have the same main text. White space and
    /// upper and lower case make no difference. Texts of fewer than 20 words are not compared.
    ///
    /// ## Why it matters
    /// A search engine shows one of the pages and drops the others, and it may not choose the page
    /// that the owner prefers. Links to the copies count for less.
    ///
    /// ## How to fix it
    /// Keep one of the pages with the same text. Redirect the others to it with status 301, or declare it as
    /// canonical on each copy with `<link rel="canonical" href="https://example.com/kept">`.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour</title><p><a href="/ferries">Ferries</a> <a href="/ferries/print">Print</a></p></html>
    /// === /ferries
    /// <!doctype html><html lang="en"><title>Ferries</title><main><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.</p></main></html>
    /// === /ferries/print
    /// <!doctype html><html lang="en"><title>Ferries, to print</title><main><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.</p></main></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour</title><p><a href="/ferries">Ferries</a> <a href="/bus">Bus</a></p></html>
    /// === /ferries
    /// <!doctype html><html lang="en"><title>Ferries</title><main><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.</p></main></html>
    /// === /bus
    /// <!doctype html><html lang="en"><title>Bus</title><main><p>When the boats stay in the harbour, a bus runs around the bay. It needs fifty minutes and stops at the lighthouse.</p></main></html>
    /// ```
    ///
    /// ## Limits
    /// `content-duplicate-near` reports pages that differ in a few words. Pages that differ only in punctuation or
    /// symbols, such as the reference pages of two operators, are not duplicates and are not reported. Text that scripts
    /// write is not compared. Pages with noindex and pages whose canonical is another page are left
    /// out. Language versions that reference the page with `hreflang` may have the same text. URLs
    /// without a canonical that differ only in parameters or in a trailing slash are left to
    /// `canonical-missing`.
    ///
    /// ## Also known as
    /// - Screaming Frog: Content: Exact Duplicates
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CONTENT_DUPLICATE_EXACT {
        id: "content-duplicate-exact",
        title: "Exact duplicate content",
        dimension: Content,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut first_with: HashMap<(u64, u64), &PageFacts> = HashMap::new();
    for page in compared(site) {
        // The first page in crawl order is the original; later pages are copies.
        let first = *first_with.entry(page.exact_text()).or_insert(page);
        if is_left_to_canonical_missing(page, first) {
            continue;
        }
        // If the list of language versions was cut, the page may be one of them.
        let is_version =
            || page.alternates_cut || page.alternates.iter().any(|(_, url)| *url == first.url);
        let passes = first.number == page.number || is_version();
        let outcome = Outcome::pass_if(passes, || duplicate_evidence(page, first));
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// Whether the page is another URL of the first page and lacks only a canonical: the check
/// canonical-missing reports it.
fn is_left_to_canonical_missing(page: &PageFacts, first: &PageFacts) -> bool {
    page.number != first.number
        && (page.canonicals.is_empty() || first.canonicals.is_empty())
        && page.url.origin() == first.url.origin()
        && shared_path(&page.url) == shared_path(&first.url)
}

fn compared(site: &Site) -> impl Iterator<Item = &PageFacts> {
    site.pages.iter().filter(|page| {
        page.is_indexable() && page.text_hash != 0 && page.hashed_words >= FEWEST_WORDS
    })
}

fn duplicate_evidence(page: &PageFacts, first: &PageFacts) -> Evidence {
    Evidence::here()
        .cause(
            first.url.as_str(),
            format!("Pages with the same text as {}", first.url),
        )
        .message(format!(
            "The {} words of this page are the same as those of {}; expected unique text.",
            grouped(page.hashed_words),
            first.url
        ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    const TEXT: &str = "Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning.";

    fn audited(pages: &str) -> Tallied {
        audit(
            &CONTENT_DUPLICATE_EXACT,
            &format!("=== /\n<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>\n{pages}"),
        )
    }

    #[test]
    fn each_copy_is_an_occurrence_and_all_are_one_finding() {
        let tallied = audited(&format!(
            "=== /a\n<title>A</title><p>{TEXT}\n=== /b\n<title>B</title><nav>m</nav><p>{TEXT}\n=== /c\n<p><b>{TEXT}</b>"
        ));
        assert_eq!((tallied.applicable, tallied.affected), (3, 2));
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].cause, "https://example.com/a");
        let urls: Vec<_> = tallied.findings[0]
            .occurrences
            .iter()
            .map(|o| o.url.as_str())
            .collect();
        assert_eq!(urls, ["https://example.com/b", "https://example.com/c"]);
    }

    #[test]
    fn different_texts_pass() {
        let tallied = audited(&format!("=== /a\n<p>{TEXT}\n=== /b\n<p>{TEXT} More."));
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn pages_that_differ_in_signs_alone_pass() {
        for (one, two) in [
            ("operator+", "operator-"),
            ("a < b", "a > b"),
            ("Costs 5 €", "Costs 5 £"),
        ] {
            let tallied = audited(&format!("=== /a\n<p>{TEXT} {one}\n=== /b\n<p>{TEXT} {two}"));
            assert_eq!((tallied.applicable, tallied.affected), (2, 0), "{one}");
        }
        let spaced = TEXT.to_uppercase().replace(' ', "\n ");
        let tallied = audited(&format!("=== /a\n<p>{TEXT}\n=== /b\n<p>{spaced}"));
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
    }

    #[test]
    fn copies_with_a_canonical_or_noindex_are_left_out() {
        let tallied = audited(&format!(
            "=== /a\n<p>{TEXT}\n=== /b\n<link rel=canonical href=/a><p>{TEXT}\n=== /c\n<meta name=robots content=noindex><p>{TEXT}"
        ));
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn hreflang_versions_may_have_the_same_text() {
        let tallied = audited(&format!(
            "=== /a\n<p>{TEXT}\n=== /b\n<link rel=alternate hreflang=en-GB href=/a><p>{TEXT}"
        ));
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn short_texts_are_not_compared() {
        assert_eq!(audited("=== /a\n<p>Soon\n=== /b\n<p>Soon").applicable, 0);
    }
}
