//! Canonical links stand in the head.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::documents::head_source::early_end;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No `link rel="canonical"` stands in the body of the document.
    ///
    /// ## Why it matters
    /// Search engines ignore a canonical in the body, because anybody who can write into the text
    /// of a page could set it.
    ///
    /// ## How to fix it
    /// Move the element between `<head>` and `</head>`.
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
    /// An element that its author wrote into the head, but that another element pushed out of it,
    /// is left to head-broken-by-body-element.
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    /// - Google Search Central, Use valid HTML to specify page metadata
    /// - HTML Standard, link type "canonical" (not body-ok)
    CANONICAL_OUTSIDE_HEAD {
        id: "canonical-outside-head",
        title: "The canonical link stands outside the head",
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
    let broken_until = page
        .link_elements("canonical")
        .any(|link| !page.in_head(link))
        .then(|| early_end(page.source()))
        .flatten()
        .map_or(0, |end| end.end_line);
    let judged = page
        .link_elements("canonical")
        .filter(|link| page.in_head(*link) || link.line() > broken_until);
    Outcome::for_each(judged, |link| {
        Verdict::of(page.in_head(link), || {
            Evidence::node(link)
                .message("The canonical link stands in the body, where it is ignored.")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn one_in_the_head_passes() {
        assert_passes(
            &CANONICAL_OUTSIDE_HEAD,
            "<head><link rel=canonical href=/a></head><p>x",
        );
    }

    #[test]
    fn one_between_head_and_body_lands_in_the_head() {
        assert_passes(
            &CANONICAL_OUTSIDE_HEAD,
            "<head></head><link rel=canonical href=/a><body><p>x",
        );
    }

    #[test]
    fn one_in_the_body_fails() {
        assert_fails(
            &CANONICAL_OUTSIDE_HEAD,
            "<head></head><body><p>x<link rel=canonical href=/a>",
            1,
        );
    }

    #[test]
    fn omitted_tags_do_not_hide_it() {
        assert_fails(
            &CANONICAL_OUTSIDE_HEAD,
            "<title>x</title><p>y<link rel=canonical href=/a>",
            1,
        );
    }

    #[test]
    fn one_pushed_out_of_a_broken_head_is_another_checks_question() {
        assert_not_applicable(
            &CANONICAL_OUTSIDE_HEAD,
            "<head><img src=a><link rel=canonical href=/a></head><body>",
        );
    }

    #[test]
    fn none_is_not_judged() {
        assert_not_applicable(&CANONICAL_OUTSIDE_HEAD, "<p>x");
    }
}
