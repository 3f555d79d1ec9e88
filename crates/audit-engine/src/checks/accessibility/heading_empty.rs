//! Finds empty headings.

use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::whitespace::is_blank;
use crate::page::{ResourceKind, Traits};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every heading has an accessible name.
    ///
    /// ## Why it matters
    /// Screen reader users navigate from heading to heading. A screen reader announces an empty heading
    /// without any text.
    ///
    /// ## How to fix it
    /// Write the heading's text, or put an image with an `alt` into it. If the heading only adds space, remove it and
    /// add the space with a style sheet.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><h1>Guide</h1><h2></h2><p>Open the box.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><h1>Guide</h1><h2>Installation</h2><p>Open the box.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the text describes the content below it. In static mode,
    /// it does not see text that a script adds, and cannot tell for an empty heading with a class
    /// or an id on a page that loads scripts.
    ///
    /// ## Also known as
    /// - axe: `empty-heading`
    /// - Lighthouse: `empty-heading`
    /// - WAVE: Empty heading
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.6 Headings and Labels (AA)
    /// - W3C ACT rule ffd0e9, Heading has non-empty accessible name (proposed)
    HEADING_EMPTY {
        id: "heading-empty",
        title: "Empty headings",
        dimension: Accessibility,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let headings = page
        .elements_with(Traits::HEADING.or(Traits::ROLE))
        .filter(|element| tree.has_role(*element, "heading") && tree.is_exposed(*element));
    Outcome::for_each(headings, |heading| {
        let verdict = tree.named(heading, || {
            "This heading has no text and no other accessible name.".to_owned()
        });
        match verdict {
            Verdict::Fail(_) if may_be_filled_by_script(page, heading) => {
                Verdict::CannotTell("The heading is empty; a script may add its text.")
            }
            verdict => verdict,
        }
    })
}

/// Whether the heading is empty and a script may find it by its class or id and add text.
fn may_be_filled_by_script(page: &Page, heading: ElementRef<'_>) -> bool {
    (heading.has_attr("class") || heading.has_attr("id"))
        && heading.children().next().is_none()
        && is_blank(&heading.raw_text())
        && page
            .resources()
            .iter()
            .any(|resource| resource.kind == ResourceKind::Script)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn text_and_images_name_a_heading() {
        assert_passes(&HEADING_EMPTY, "<h1>x</h1><h2><img src=y alt=x></h2>");
        assert_passes(&HEADING_EMPTY, "<h1><a id=x></a>x</h1>");
        assert_passes(
            &HEADING_EMPTY,
            "<p id=n hidden>x</p><h1 aria-labelledby=n></h1>",
        );
    }

    #[test]
    fn empty_headings_fail() {
        for html in [
            "<h1></h1>",
            "<h1><br></h1>",
            "<h2>&nbsp;</h2>",
            "<h1 aria-label=''><span aria-hidden=true>x</span></h1>",
            "<div role=heading aria-level=1></div>",
            "<h1><img src=x alt=''></h1>",
        ] {
            assert_fails(&HEADING_EMPTY, html, 1);
        }
    }

    #[test]
    fn hidden_headings_and_other_roles_are_not_applicable() {
        assert_not_applicable(&HEADING_EMPTY, "<h1 aria-hidden=true></h1>");
        assert_not_applicable(&HEADING_EMPTY, "<h1 role=presentation></h1>");
    }

    #[test]
    fn a_heading_that_a_script_may_fill_cannot_tell() {
        let placeholder = "<script src=/main.js></script><h2 class=location></h2>";
        assert!(matches!(
            outcome(&HEADING_EMPTY, placeholder),
            Outcome::CannotTell(_)
        ));
        for html in [
            "<h2 class=location></h2>",
            "<script src=/main.js></script><h2></h2>",
            "<script src=/main.js></script><h2 class=location><br></h2>",
        ] {
            assert_fails(&HEADING_EMPTY, html, 1);
        }
    }
}
