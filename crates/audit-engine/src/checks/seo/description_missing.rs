//! The page has a meta description.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::is_redirect_stub;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The document has a `meta name="description"` with non-empty `content`.
    ///
    /// ## Why it matters
    /// Search engines often show the description below the title. Without a description, they
    /// generate a snippet from the page content, which may be a menu or a license notice.
    ///
    /// ## How to fix it
    /// Describe each page in one or two sentences of its own in the head: `<meta name="description"
    /// content="Departure times of all ferries to the islands.">`.
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
    /// The check cannot evaluate whether the text describes the page. `og:description` is for
    /// social networks and does not count. The check skips pages that only redirect to another
    /// page, and framesets.
    ///
    /// ## Also known as
    /// - Lighthouse: `meta-description`
    /// - Screaming Frog: Meta Description: Missing
    ///
    /// ## References
    /// - Google Search Central, Control your snippets in search results
    /// - Lighthouse audit meta-description
    DESCRIPTION_MISSING {
        id: "description-missing",
        title: "Missing or empty meta description",
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
    if is_redirect_stub(page) || page.html("frameset").next().is_some() {
        return Outcome::NotApplicable;
    }
    Outcome::pass_if(page.meta("description").is_some(), || {
        match page.metas("description").next() {
            Some(empty) => Evidence::node(empty).message("The meta description is empty."),
            None => Evidence::here().message("The document has no meta description."),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn the_name_of_the_meta_element_is_case_insensitive() {
        assert_passes(
            &DESCRIPTION_MISSING,
            "<meta NAME=Description content='All ferries.'>",
        );
    }

    #[test]
    fn a_missing_or_empty_description_fails() {
        assert_fails(&DESCRIPTION_MISSING, "<p>x", 1);
        assert_fails(
            &DESCRIPTION_MISSING,
            "<meta name=description content=' '>",
            1,
        );
    }

    #[test]
    fn an_open_graph_description_does_not_count() {
        assert_fails(
            &DESCRIPTION_MISSING,
            "<meta property=og:description content='x'>",
            1,
        );
    }

    #[test]
    fn redirecting_pages_and_framesets_are_not_applicable() {
        assert_not_applicable(
            &DESCRIPTION_MISSING,
            "<meta http-equiv=refresh content='0;url=b'>",
        );
        assert_not_applicable(&DESCRIPTION_MISSING, "<frameset><frame src=a></frameset>");
    }
}
