//! The order of focus is that of the page.

use crate::aria::focus::tabindex;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element has a `tabindex` greater than 0.
    ///
    /// ## Why it matters
    /// The Tab key visits such elements before all others, wherever they stand. The focus jumps
    /// about the page, and people who use the keyboard lose their place.
    ///
    /// ## How to fix it
    /// Write `tabindex="0"`, or nothing for links and form controls, and put the elements into
    /// the source in the order in which they are used.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><a href="/a">Apples</a><a href="/b" tabindex="3">Pears</a></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><a href="/a">Apples</a><a href="/b" tabindex="0">Pears</a></html>
    /// ```
    ///
    /// ## Limits
    /// Whether the order of the source makes sense is not judged. Pages without any `tabindex`
    /// are not counted.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.3 Focus Order (A)
    /// - HTML Standard, section 6.6.3, the tabindex attribute
    TABINDEX_POSITIVE {
        id: "tabindex-positive",
        title: "Elements that jump ahead in the focus order",
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
    let tree = page.access_tree();
    let elements = page.elements_with(Traits::TABINDEX).filter_map(|element| {
        let index = tabindex(element)?;
        (!tree.exposure(element).hidden).then_some((element, index))
    });
    Outcome::for_each(elements, |(element, index)| {
        if index <= 0 {
            return Verdict::Pass;
        }
        tree.failure(
            element,
            format!("This element has a tabindex of {index}; expected 0 or -1."),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn zero_and_less_pass() {
        assert_passes(&TABINDEX_POSITIVE, "<p tabindex=0>x<p tabindex=-1>y");
    }

    #[test]
    fn more_fails() {
        assert_fails(
            &TABINDEX_POSITIVE,
            "<input tabindex=1><input tabindex=2>",
            2,
        );
    }

    #[test]
    fn none_or_an_invalid_one_is_not_judged() {
        assert_not_applicable(&TABINDEX_POSITIVE, "<input><p tabindex=x>y");
        assert_not_applicable(&TABINDEX_POSITIVE, "<input tabindex=5 hidden>");
    }
}
