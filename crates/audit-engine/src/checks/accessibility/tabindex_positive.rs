//! Finds elements with a positive `tabindex`.

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
    /// The Tab key visits such elements before all others, regardless of their position on the page. The
    /// focus jumps around the page, and keyboard users lose their place.
    ///
    /// ## How to fix it
    /// Use `tabindex="0"`, or no `tabindex` on links and form controls. Put the elements into the source in
    /// the order in which users need them.
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
    /// The check does not evaluate whether the source order makes sense. It does not apply to pages without
    /// `tabindex`.
    ///
    /// ## Also known as
    /// - axe: `tabindex`
    /// - Lighthouse: `tabindex`
    /// - WCAG: Failure F44
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.4.3 Focus Order (A)
    /// - HTML Standard, section 6.6.3, the tabindex attribute
    TABINDEX_POSITIVE {
        id: "tabindex-positive",
        title: "Positive tabindex values",
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
    fn zero_and_negative_values_pass() {
        assert_passes(&TABINDEX_POSITIVE, "<p tabindex=0>x<p tabindex=-1>y");
    }

    #[test]
    fn positive_values_fail() {
        assert_fails(
            &TABINDEX_POSITIVE,
            "<input tabindex=1><input tabindex=2>",
            2,
        );
    }

    #[test]
    fn missing_invalid_and_hidden_values_are_not_applicable() {
        assert_not_applicable(&TABINDEX_POSITIVE, "<input><p tabindex=x>y");
        assert_not_applicable(&TABINDEX_POSITIVE, "<input tabindex=5 hidden>");
    }
}
