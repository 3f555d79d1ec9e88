//! Canonical links are in the head.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::documents::head_source::early_end;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The body of the document contains no `link rel="canonical"`.
    ///
    /// ## Why it matters
    /// Search engines ignore a canonical link in the body, because anyone who can add HTML to the
    /// content of a page could insert one.
    ///
    /// ## How to fix it
    /// Move the canonical link between `<head>` and `</head>`. If it is there in the source, an element that belongs
    /// in the body closed the head before it: remove that element from the head.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title></head><body><h1>Ferry times</h1><link rel="canonical" href="https://example.com/"></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// `head-broken-by-body-element` reports canonical links that are inside `<head>` in the source, but that
    /// the parser moves to the body because of an earlier invalid element. In rendered mode, too, the check
    /// judges the response, because a browser's tree has no trace of where the head ended early.
    ///
    /// ## Also known as
    /// - Screaming Frog: Canonicals: Outside `<head>`
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - Google Search Central, Use valid HTML to specify page metadata
    /// - HTML Standard, link type "canonical" (not body-ok)
    CANONICAL_OUTSIDE_HEAD {
        id: "canonical-outside-head",
        title: "Canonical link outside the head",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let broken_until = page
        .link_elements("canonical")
        .any(|link| !page.in_head(link))
        .then(|| early_end(page.source()))
        .flatten()
        .map_or(0, |end| end.end_line);
    let relevant = page
        .link_elements("canonical")
        .filter(|link| page.in_head(*link) || link.line() > broken_until);
    Outcome::for_each(relevant, |link| {
        Verdict::pass_if(page.in_head(link), || {
            Evidence::node(link)
                .message("The canonical link is in the body, so search engines ignore it; expected it in the head.")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_canonical_in_the_head_passes() {
        assert_passes(
            &CANONICAL_OUTSIDE_HEAD,
            "<head><link rel=canonical href=/a></head><p>x",
        );
    }

    #[test]
    fn a_canonical_between_head_and_body_is_parsed_into_the_head() {
        assert_passes(
            &CANONICAL_OUTSIDE_HEAD,
            "<head></head><link rel=canonical href=/a><body><p>x",
        );
    }

    #[test]
    fn a_canonical_in_the_body_fails() {
        assert_fails(
            &CANONICAL_OUTSIDE_HEAD,
            "<head></head><body><p>x<link rel=canonical href=/a>",
            1,
        );
    }

    #[test]
    fn a_canonical_in_the_body_fails_without_head_and_body_tags() {
        assert_fails(
            &CANONICAL_OUTSIDE_HEAD,
            "<title>x</title><p>y<link rel=canonical href=/a>",
            1,
        );
    }

    #[test]
    fn a_canonical_after_an_early_end_of_the_head_is_not_applicable() {
        assert_not_applicable(
            &CANONICAL_OUTSIDE_HEAD,
            "<head><img src=a><link rel=canonical href=/a></head><body>",
        );
    }

    #[test]
    fn a_page_without_a_canonical_is_not_applicable() {
        assert_not_applicable(&CANONICAL_OUTSIDE_HEAD, "<p>x");
    }
}
