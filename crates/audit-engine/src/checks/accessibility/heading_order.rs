//! Headings skip no level.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Page;

declare_check! {
    /// ## What it checks
    /// No heading is more than one level below the heading before it.
    ///
    /// ## Why it matters
    /// People who use a screen reader move from heading to heading and take the levels for the
    /// structure of the page. A skipped level looks like a part that is missing.
    ///
    /// ## How to fix it
    /// Choose the level by the place in the structure, not by the size of the letters: an `h3`
    /// stands below an `h2`. Change the size with a style sheet.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><h1>Guide</h1><h3>Installation</h3></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><h1>Guide</h1><h2>Installation</h2></html>
    /// ```
    ///
    /// ## Limits
    /// The first heading may have any level, and levels may go up by any number. WCAG does not
    /// forbid skipped levels; this is good practice.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.1 Info and Relationships (A), technique G141
    HEADING_ORDER {
        id: "heading-order",
        title: "Headings that skip a level",
        dimension: Accessibility,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = AccessTree::of(page);
    let mut before: Option<(u32, ElementRef<'_>)> = None;
    let headings = page.elements().filter_map(|element| {
        let level = level(&tree, element)?;
        tree.is_exposed(element).then_some((level, element))
    });
    Outcome::for_each(headings, |(level, heading)| {
        let Some((last, previous)) = before.replace((level, heading)) else {
            return Verdict::Pass;
        };
        if level <= last + 1 {
            return Verdict::Pass;
        }
        if tree.exposure(previous).uncertain {
            return Verdict::CannotTell("A class may hide a heading; only a browser can tell.");
        }
        tree.failure(
            heading,
            format!(
                "A heading of level {level} follows one of level {last}; expected level {} or less.",
                last + 1
            ),
        )
    })
}

/// The level of a heading; none for other elements.
fn level<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> Option<u32> {
    let native = match element.name() {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        _ => None,
    }
    .filter(|_| element.is_html());
    if (native.is_none() && !element.has_attr("role")) || !tree.has_role(element, "heading") {
        return None;
    }
    element
        .attr("aria-level")
        .and_then(|level| level.trim().parse().ok())
        .filter(|level| *level >= 1)
        .or(native)
        .or(Some(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn one_level_down_and_any_number_up_pass() {
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2>");
        assert_passes(&HEADING_ORDER, "<h2>a</h2><h3>b</h3><h1>c</h1>");
    }

    #[test]
    fn each_skipped_level_is_a_finding() {
        assert_fails(&HEADING_ORDER, "<h1>a</h1><h3>b</h3><h6>c</h6>", 2);
    }

    #[test]
    fn levels_of_aria_count() {
        assert_fails(
            &HEADING_ORDER,
            "<h1>a</h1><div role=heading aria-level=3>b</div>",
            1,
        );
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h4 aria-level=2>b</h4>");
        assert_passes(&HEADING_ORDER, "<h1>a</h1><div role=heading>b</div>");
    }

    #[test]
    fn hidden_headings_do_not_count() {
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h4 hidden>b</h4><h2>c</h2>");
        assert_passes(&HEADING_ORDER, "<h1>a</h1><h4 role=none>b</h4><h2>c</h2>");
        assert_not_applicable(&HEADING_ORDER, "<p>x");
    }
}
