//! The page declares only one canonical URL.

use crate::check::{Evidence, Failures, Outcome};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;
use url::Url;

declare_check! {
    /// ## What it checks
    /// All `link rel="canonical"` elements in the head declare the same URL. All `Link` headers
    /// with `rel="canonical"` declare the same URL.
    ///
    /// ## Why it matters
    /// A page can have only one canonical URL. If a page declares several, search engines ignore
    /// all of them and choose a URL themselves.
    ///
    /// ## How to fix it
    /// Decide which URL search engines should show, keep the element that declares it, and delete the others. Look
    /// for a plugin that adds a canonical link in addition to the template.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"><link rel="canonical" href="https://example.com/times"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check accepts repeated declarations of the same URL, because they are harmless.
    /// `canonical-header-mismatch` reports differences between the head and the header.
    /// `canonical-outside-head` reports canonical links outside the head.
    ///
    /// ## Also known as
    /// - Lighthouse: `canonical`
    /// - Screaming Frog: Canonicals: Multiple Conflicting
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - RFC 6596, The Canonical Link Relation
    /// - Lighthouse audit canonical
    CANONICAL_MULTIPLE {
        id: "canonical-multiple",
        title: "Multiple conflicting canonical URLs",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let mut elements = canonical::in_head(page)
        .filter_map(|link| Some((Some(link), canonical::target(page, link)?)))
        .peekable();
    let headers = canonical::from_headers(page);
    if elements.peek().is_none() && headers.is_empty() {
        return Outcome::NotApplicable;
    }
    let mut failures = Failures::from(conflicts(elements));
    failures.extend(conflicts(headers.into_iter().map(|url| (None, url))));
    Outcome::from_failures(failures)
}

/// One failure for every distinct URL after the first.
fn conflicts<'a>(declared: impl Iterator<Item = (Option<ElementRef<'a>>, Url)>) -> Vec<Evidence> {
    let mut seen: Vec<Url> = Vec::new();
    let mut failures = Vec::new();
    for (element, url) in declared {
        if seen.contains(&url) {
            continue;
        }
        if let Some(first) = seen.first() {
            let evidence = element.map_or_else(Evidence::here, Evidence::node);
            failures.push(evidence.message(format!(
                "The page declares the canonical URL {url} in addition to {first}; expected only one."
            )));
        }
        seen.push(url);
        // More failures would not help the reader.
        if seen.len() == MAX_DISTINCT {
            break;
        }
    }
    failures
}

const MAX_DISTINCT: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    #[test]
    fn one_canonical_passes() {
        assert_passes(&CANONICAL_MULTIPLE, "<link rel=canonical href=/a><p>x");
    }

    #[test]
    fn the_same_url_twice_passes() {
        assert_passes(
            &CANONICAL_MULTIPLE,
            "<link rel=canonical href=/a><link rel=canonical href='https://example.com/a#x'><p>x",
        );
    }

    #[test]
    fn two_urls_fail() {
        let html =
            "<link rel=canonical href=/a><link rel=canonical href=/b><link rel=canonical href=/b>";
        assert_fails(&CANONICAL_MULTIPLE, html, 1);
    }

    #[test]
    fn two_headers_fail() {
        let page = Page::builder()
            .header("Link", "</a>; rel=canonical, </b>; rel=canonical")
            .html("x");
        assert!(
            matches!(outcome_of(&CANONICAL_MULTIPLE, &page), Outcome::Failed(e) if e.len() == 1)
        );
    }

    #[test]
    fn a_mismatch_between_head_and_header_passes_here() {
        let page = Page::builder()
            .header("Link", "</a>; rel=canonical")
            .html("<link rel=canonical href=/b>");
        assert_eq!(outcome_of(&CANONICAL_MULTIPLE, &page), Outcome::Passed);
    }

    #[test]
    fn a_page_without_a_canonical_is_not_applicable() {
        assert_not_applicable(&CANONICAL_MULTIPLE, "<p>x");
    }

    #[test]
    fn the_number_of_findings_is_limited() {
        let html: String = (0..1000)
            .map(|n| format!("<link rel=canonical href=/{n}>"))
            .collect();
        assert_fails(&CANONICAL_MULTIPLE, &html, 9);
    }
}
