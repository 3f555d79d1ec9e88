//! The page has a meta description.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::refresh_redirect;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The document has a `meta name="description"` with text.
    ///
    /// ## Why it matters
    /// Search engines often show the description below the title. Without one they cut a passage
    /// out of the page, which may be a menu or a licence notice.
    ///
    /// ## How to fix it
    /// Write one or two sentences that say what the page offers into the head: `<meta
    /// name="description" content="Departure times of all ferries to the islands, with prices and
    /// holiday changes.">`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><meta name="description" content="Departure times of all ferries to the islands, with prices and holiday changes."><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// Whether the text describes the page cannot be judged. `og:description` is for social
    /// networks and does not count. Pages that only redirect to another, and framesets, are not
    /// judged.
    ///
    /// ## References
    /// - Google Search Central, Control your snippets in search results
    /// - Lighthouse audit meta-description
    DESCRIPTION_MISSING {
        id: "description-missing",
        title: "The page has no meta description",
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
    if refresh_redirect(page).is_some() || page.html("frameset").next().is_some() {
        return Outcome::NotApplicable;
    }
    Outcome::of(page.meta("description").is_some(), || {
        match page.metas("description").next() {
            Some(empty) => Evidence::node(empty).message("The meta description has no text."),
            None => Evidence::here().message("The document has no meta description."),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_description_passes_whatever_the_case_of_its_name() {
        assert_passes(
            &DESCRIPTION_MISSING,
            "<meta NAME=Description content='All ferries.'>",
        );
    }

    #[test]
    fn none_or_an_empty_one_fails() {
        assert_fails(&DESCRIPTION_MISSING, "<p>x", 1);
        assert_fails(
            &DESCRIPTION_MISSING,
            "<meta name=description content=' '>",
            1,
        );
    }

    #[test]
    fn that_of_open_graph_does_not_count() {
        assert_fails(
            &DESCRIPTION_MISSING,
            "<meta property=og:description content='x'>",
            1,
        );
    }

    #[test]
    fn a_page_that_redirects_or_a_frameset_is_not_judged() {
        assert_not_applicable(
            &DESCRIPTION_MISSING,
            "<meta http-equiv=refresh content='0;url=b'>",
        );
        assert_not_applicable(&DESCRIPTION_MISSING, "<frameset><frame src=a></frameset>");
    }
}
