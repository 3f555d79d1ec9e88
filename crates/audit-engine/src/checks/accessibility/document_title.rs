//! Finds pages without a document title.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The first `title` element of the document has text.
    ///
    /// ## Why it matters
    /// The title is the first text that a screen reader announces on a page. It is also the name of the tab,
    /// bookmark and search result. Without a title, users hear or see the URL.
    ///
    /// ## How to fix it
    /// Put one `title` element into the `head`, with text that names this page and the site: `<title>Opening hours –
    /// City library</title>`. `title-missing` reports the same problem and costs the points for it.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><meta charset="utf-8"></head><body><h1>Opening hours</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Opening hours – City library</title></head><body><h1>Opening hours</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the title describes the page. In static mode, it does
    /// not see a title that a script sets. `title-missing` reports the same problem for its effect
    /// on search results.
    ///
    /// ## Also known as
    /// - axe: `document-title`
    /// - Lighthouse: `document-title`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.2 Page Titled (A)
    /// - W3C ACT rule 2779a5, HTML page has non-empty title
    DOCUMENT_TITLE {
        id: "document-title",
        title: "Missing or empty document title",
        dimension: Accessibility,
        scope: Page,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    Outcome::pass_if(page.title().is_some(), || match page.titles().next() {
        Some(title) => Evidence::node(title)
            .message("The first title element of the page is empty; expected text."),
        None => Evidence::here().message("The page has no title element; expected one with text."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes};

    #[test]
    fn a_title_with_text_passes_even_in_the_body() {
        assert_passes(&DOCUMENT_TITLE, "<title>Hours</title>");
        assert_passes(&DOCUMENT_TITLE, "<body><p>x</p><title>Hours</title>");
    }

    #[test]
    fn missing_empty_and_svg_titles_fail() {
        assert_fails(&DOCUMENT_TITLE, "<p>x", 1);
        assert_fails(&DOCUMENT_TITLE, "<title> </title>", 1);
        assert_fails(&DOCUMENT_TITLE, "<svg><title>Icon</title></svg>", 1);
    }

    #[test]
    fn only_the_first_title_counts() {
        assert_fails(
            &DOCUMENT_TITLE,
            "<title></title><body><title>Hours</title>",
            1,
        );
    }
}
