//! The page has an H1 heading.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::is_redirect_stub;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The document has an `h1`, or an element with `role="heading"` and `aria-level="1"`, with an
    /// accessible name: text, an image with a text alternative, or `aria-label`.
    ///
    /// ## Why it matters
    /// Search engines use the main heading to understand the topic of a page and for the title of
    /// its search result. Screen reader users jump to it first.
    ///
    /// ## How to fix it
    /// Mark up the headline of the page as `<h1>`. If it is an `h2` or a styled `div` now, change the element and
    /// keep its look with CSS.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h2>Ferry times</h2><p>The next ferry leaves at noon.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1><p>The next ferry leaves at noon.</p></html>
    /// ```
    ///
    /// ## Limits
    /// A heading that is hidden with CSS counts. In static mode, the check cannot tell for a page
    /// without text that runs scripts. It skips framesets and pages that only redirect to another
    /// page.
    ///
    /// ## Also known as
    /// - axe: `page-has-heading-one`
    /// - Screaming Frog: H1: Missing
    ///
    /// ## References
    /// - HTML Standard, the h1 to h6 elements
    /// - Google Search Central, Influencing your title links in search results
    H1_MISSING {
        id: "h1-missing",
        title: "Missing or empty H1 heading",
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
    let mut headings = page
        .html("h1")
        .chain(page.elements_with(Traits::ROLE).filter(|element| {
            element.attr_is("role", "heading") && element.attr_is("aria-level", "1")
        }));
    if headings.any(has_name) {
        return Outcome::Passed;
    }
    if page.text().is_empty() && page.runs_scripts() && !page.is_rendered() {
        return Outcome::CannotTell(
            "Scripts create the content of this page, and the audit did not run them.",
        );
    }
    Outcome::failed(vec![match page.html("h1").next() {
        Some(empty) => Evidence::node(empty)
            .message("The h1 element is empty; expected text or an accessible name."),
        None => missing(page),
    }])
}

/// The finding for a page without an h1. It names the heading that is probably the headline.
fn missing(page: &Page) -> Evidence {
    const LONGEST: usize = 100;
    let mut headings = page.elements_with(Traits::HEADING).filter_map(|heading| {
        let text = heading.text();
        (!text.is_empty() && text.len() <= LONGEST).then_some((heading, text))
    });
    match headings.next() {
        Some((heading, text)) => Evidence::node(heading).message(format!(
            "The document has no h1 element. Its first heading is the {} \"{text}\"; expected an h1 that names the page.",
            heading.name()
        )),
        None => Evidence::here().message(
            "The document has no h1 element and no other heading; expected an h1 that names the page.",
        ),
    }
}

fn has_name(heading: ElementRef<'_>) -> bool {
    let labelled = |element: ElementRef<'_>| {
        ["aria-label", "aria-labelledby"]
            .into_iter()
            .filter_map(|name| element.attr(name))
            .any(|value| !value.trim().is_empty())
    };
    let image = |element: ElementRef<'_>| {
        element
            .attr("alt")
            .is_some_and(|alt| !alt.trim().is_empty())
    };
    labelled(heading)
        || !heading.text().is_empty()
        || heading
            .descendants()
            .any(|inside| labelled(inside) || image(inside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{
        assert_fails, assert_not_applicable, assert_passes, outcome, outcome_of,
    };
    use crate::snapshot::Snapshot;

    #[test]
    fn a_heading_with_text_passes() {
        assert_passes(&H1_MISSING, "<p>x<h1> <span>Ferry</span></h1>");
    }

    #[test]
    fn a_logo_with_a_text_alternative_passes() {
        assert_passes(
            &H1_MISSING,
            "<h1><a href=/><img src=a alt='Island Line'></a></h1>",
        );
        assert_passes(&H1_MISSING, "<h1><svg aria-label='Island Line'></svg></h1>");
    }

    #[test]
    fn a_heading_role_with_level_one_passes() {
        assert_passes(&H1_MISSING, "<div role=heading aria-level=1>Ferry</div>");
    }

    #[test]
    fn a_page_without_an_h1_fails() {
        assert_fails(&H1_MISSING, "<h2 class=title>Chapter 8</h2><p>Text.", 1);
    }

    #[test]
    fn an_empty_h1_fails() {
        assert_fails(&H1_MISSING, "<h1><img src=a alt=''></h1><p>Text.", 1);
    }

    #[test]
    fn a_script_rendered_page_cannot_tell() {
        assert!(matches!(
            outcome(
                &H1_MISSING,
                "<div id=root></div><script src=app.js></script>"
            ),
            Outcome::CannotTell(_)
        ));
    }

    #[test]
    fn a_page_that_its_scripts_left_empty_fails() {
        let html = "<div id=root></div><script src=app.js></script>";
        let snapshot = Snapshot::of_markup(html).unwrap();
        let page = Page::builder().html(html).rendered(&snapshot);
        assert!(matches!(outcome_of(&H1_MISSING, &page), Outcome::Failed(_)));
    }

    #[test]
    fn framesets_and_redirects_are_not_applicable() {
        assert_not_applicable(&H1_MISSING, "<frameset><frame src=a></frameset>");
        assert_not_applicable(
            &H1_MISSING,
            "<meta http-equiv=refresh content='0;URL=struct.Vec.html'><p>Redirecting",
        );
    }
}
