//! Headings have text.

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
    /// People who use a screen reader move from heading to heading. An empty one is a stop that
    /// says nothing.
    ///
    /// ## How to fix it
    /// Put text into the heading, or an image with an `alt`. Remove headings that only make
    /// space, and make it with a style sheet.
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
    /// Whether the text describes what follows is not judged. Text that a script puts in is seen
    /// in rendered mode only: without a browser an empty heading with a class or an id is not judged on a page
    /// that loads scripts.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.6 Headings and Labels (AA)
    /// - W3C ACT rule ffd0e9, Heading has non-empty accessible name (proposed)
    HEADING_EMPTY {
        id: "heading-empty",
        title: "Headings without text",
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
            Verdict::Fail(_) if waits_for_script(page, heading) => {
                Verdict::CannotTell("A script may fill this heading, which is empty.")
            }
            verdict => verdict,
        }
    })
}

/// Whether the heading is an empty frame that a script finds by its class or id and may fill.
fn waits_for_script(page: &Page, heading: ElementRef<'_>) -> bool {
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
    fn hidden_ones_and_other_roles_are_not_judged() {
        assert_not_applicable(&HEADING_EMPTY, "<h1 aria-hidden=true></h1>");
        assert_not_applicable(&HEADING_EMPTY, "<h1 role=presentation></h1>");
    }

    #[test]
    fn what_a_script_may_fill_is_not_guessed_at() {
        let frame = "<script src=/main.js></script><h2 class=location></h2>";
        assert!(matches!(
            outcome(&HEADING_EMPTY, frame),
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
