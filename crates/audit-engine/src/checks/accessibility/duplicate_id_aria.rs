//! Finds duplicate ids that labels or ARIA attributes refer to.

use std::collections::BTreeSet;

use crate::aria::attribute::{AriaAttribute, ValueType};
use crate::check::{Outcome, Verdict};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every id that a `label` or an ARIA attribute refers to is unique on the page.
    ///
    /// ## Why it matters
    /// Browsers use the first element with the id. The label of a second field with the same id is associated
    /// with the first field, and a screen reader announces a wrong name or none.
    ///
    /// ## How to fix it
    /// Rename the id of the later elements, and let each label or ARIA attribute refer to the id of its own element:
    /// `<label for="mail-2">` for `<input id="mail-2">`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Sign up</title><form><label for="mail">Email</label><input id="mail"><label for="mail">Again</label><input id="mail"></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Sign up</title><form><label for="mail">Email</label><input id="mail"><label for="again">Again</label><input id="again"></form></html>
    /// ```
    ///
    /// ## Limits
    /// Ids without a reference are not evaluated. `duplicate-id`, which covers every kind of
    /// reference, also reports these ids.
    ///
    /// ## Also known as
    /// - axe: `duplicate-id-aria`
    /// - Lighthouse: `duplicate-id-aria`
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2 Name, Role, Value (A)
    /// - HTML Standard, section 3.2.6, the id attribute
    DUPLICATE_ID_ARIA {
        id: "duplicate-id-aria",
        title: "Duplicate ids used by labels and ARIA attributes",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let used: BTreeSet<&str> = page
        .elements_with(Traits::ARIA.or(Traits::REFERS))
        .flat_map(referenced_ids)
        .collect();
    let ids = used.into_iter().filter(|id| page.by_id(id).is_some());
    Outcome::for_each(ids, |id| {
        let owners = page.all_by_id(id).count();
        match page.all_by_id(id).nth(1) {
            None => Verdict::Pass,
            Some(second) => {
                let first = page.by_id(id).map_or(0, ElementRef::line);
                Verdict::Fail(tree.evidence(second).message(format!(
                    "A label or an ARIA attribute refers to the id \"{id}\", which {} elements share, the first on line {first}; browsers use only the first one. Expected a unique id here.",
                    grouped(owners)
                )))
            }
        }
    })
}

/// The ids that an element's own attributes refer to.
fn referenced_ids(element: ElementRef<'_>) -> impl Iterator<Item = &str> {
    let is_label = element.is("label");
    element
        .attrs()
        .filter(move |attribute| {
            (is_label && attribute.name == "for")
                || AriaAttribute::named(attribute.name).is_some_and(|known| {
                    matches!(known.value, ValueType::Reference | ValueType::References)
                })
        })
        .flat_map(|attribute| attribute.value.split_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn unique_ids_pass() {
        assert_passes(&DUPLICATE_ID_ARIA, "<label for=a>x</label><input id=a>");
        assert_passes(
            &DUPLICATE_ID_ARIA,
            "<div aria-labelledby='a b'>x</div><p id=a>x",
        );
    }

    #[test]
    fn a_duplicate_id_is_reported_once() {
        assert_fails(
            &DUPLICATE_ID_ARIA,
            "<div aria-describedby=a>x</div><div aria-owns=a>y</div><p id=a>x<p id=a>y<p id=a>z",
            1,
        );
    }

    #[test]
    fn ids_without_a_reference_are_not_applicable() {
        assert_not_applicable(&DUPLICATE_ID_ARIA, "<p id=a>x<p id=a>y<a href=#a>z</a>");
        assert_not_applicable(&DUPLICATE_ID_ARIA, "<input aria-labelledby=nowhere>");
    }
}
