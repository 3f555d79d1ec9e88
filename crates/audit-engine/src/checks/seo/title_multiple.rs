//! The head has at most one title element.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The head has no more than one `title` element.
    ///
    /// ## Why it matters
    /// Browsers show the first title and ignore the others. Search engines may choose another one,
    /// or combine them.
    ///
    /// ## How to fix it
    /// Keep the `title` that describes the page and delete the others. The usual cause is that a
    /// template and a plugin each add one.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times</title><title>Island Line</title></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// Titles outside the head and titles of SVG images do not count. `title-missing` reports a
    /// page without a title.
    ///
    /// ## Also known as
    /// - Screaming Frog: Page Titles: Multiple
    ///
    /// ## References
    /// - HTML Standard, the title element: "no more than one" in the head
    TITLE_MULTIPLE {
        id: "title-multiple",
        title: "Multiple title tags",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let mut titles = page.titles().filter(|title| page.in_head(*title));
    if titles.next().is_none() {
        return Outcome::NotApplicable;
    }
    let others = titles.map(|title| {
        Evidence::node(title)
            .message("The head has another title element before this one; expected only one.")
    });
    Outcome::from_failures(others.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn one_title_passes() {
        assert_passes(
            &TITLE_MULTIPLE,
            "<title>a</title><body><svg><title>b</title></svg>",
        );
    }

    #[test]
    fn each_additional_title_fails() {
        assert_fails(
            &TITLE_MULTIPLE,
            "<title>a</title><title>b</title><title>a</title><p>x",
            2,
        );
    }

    #[test]
    fn a_missing_title_is_left_to_title_missing() {
        assert_not_applicable(&TITLE_MULTIPLE, "<p>x");
    }

    #[test]
    fn a_title_in_the_body_does_not_count() {
        assert_passes(&TITLE_MULTIPLE, "<title>a</title><p>x<title>b</title>");
    }
}
