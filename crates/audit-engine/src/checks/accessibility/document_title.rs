//! The page has a title.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The first `title` element of the document has text.
    ///
    /// ## Why it matters
    /// The title is the first thing a screen reader says of a page, and the name of its tab,
    /// bookmark and search result. Without one people hear or see the address.
    ///
    /// ## How to fix it
    /// Put one `title` element into the `head`, with words that name this page and the site:
    /// `<title>Opening hours – City library</title>`.
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
    /// Whether the title describes the page is not judged. A title that a script sets is seen in
    /// rendered mode only. The same fact is also reported by title-missing, for its effect on
    /// search results.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.2 Page Titled (A)
    /// - W3C ACT rule 2779a5, HTML page has non-empty title
    DOCUMENT_TITLE {
        id: "document-title",
        title: "The page has no title",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    Outcome::of(page.title().is_some(), || match page.titles().next() {
        Some(title) => {
            Evidence::node(title).message("The first title element of the page is empty.")
        }
        None => Evidence::here().message("The page has no title element."),
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
    fn none_an_empty_one_and_that_of_an_image_fail() {
        assert_fails(&DOCUMENT_TITLE, "<p>x", 1);
        assert_fails(&DOCUMENT_TITLE, "<title> </title>", 1);
        assert_fails(&DOCUMENT_TITLE, "<svg><title>Icon</title></svg>", 1);
    }

    #[test]
    fn browsers_show_the_first_title_only() {
        assert_fails(
            &DOCUMENT_TITLE,
            "<title></title><body><title>Hours</title>",
            1,
        );
    }
}
