//! Finds ARIA attributes with an invalid value.

use crate::aria::AccessTree;
use crate::aria::attribute::AriaAttribute;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every ARIA state and property has a value of the type that WAI-ARIA defines for it. The element that
    /// an open `combobox` or a `scrollbar` controls exists.
    ///
    /// ## Why it matters
    /// Browsers replace an unknown value with the default. A screen reader then announces an open menu as
    /// closed, or announces no state at all.
    ///
    /// ## How to fix it
    /// Use one of the values that the attribute allows, for example `aria-expanded="true"` or `"false"`.
    /// Remove the attribute if it expresses nothing.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><button aria-expanded="collapsed">Menu</button></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><button aria-expanded="false">Menu</button></html>
    /// ```
    ///
    /// ## Limits
    /// Other references to missing elements are not findings, because scripts may add the targets later. If a
    /// missing reference leaves an element without a name, the checks of accessible names report it. An empty
    /// value counts as no attribute.
    ///
    /// ## Also known as
    /// - axe: `aria-valid-attr-value`
    /// - Lighthouse: `aria-valid-attr-value`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 6a7281, ARIA state or property has valid value
    /// - WAI-ARIA 1.2, Values for States and Properties
    ARIA_VALID_ATTR_VALUE {
        id: "aria-valid-attr-value",
        title: "Invalid ARIA attribute values",
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
    let attributes = page.elements_with(Traits::ARIA).flat_map(|element| {
        element
            .attrs()
            .filter(|attribute| !attribute.value.trim().is_empty())
            .filter_map(|attribute| AriaAttribute::named(attribute.name))
            .map(move |attribute| (element, attribute))
    });
    let candidates = attributes.filter(|(element, _)| !tree.exposure(*element).hidden);
    Outcome::for_each(candidates, |(element, attribute)| {
        let name = attribute.name;
        let value = element.attr(name).unwrap_or_default().trim();
        if value.contains("{{") {
            Verdict::CannotTell(
                "The value of an ARIA attribute is a template placeholder that a script replaces.",
            )
        } else if !attribute.accepts(value) {
            let expected = attribute.expects();
            tree.failure(
                element,
                format!(
                    "The attribute {name} has the invalid value \"{value}\"; expected {expected}."
                ),
            )
        } else if name == "aria-controls" && lacks_required_target(&tree, element) {
            tree.failure(
                element,
                format!("The attribute aria-controls refers to the id \"{value}\", which no element has."),
            )
        } else {
            Verdict::Pass
        }
    })
}

/// Whether the element must control another element (WAI-ARIA 1.2) and that element is missing.
fn lacks_required_target<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    let required = tree.role(element).is_some_and(|role| {
        role.is("scrollbar") || (role.is("combobox") && element.attr_is("aria-expanded", "true"))
    });
    required && tree.referents(element, "aria-controls").next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn valid_values_pass() {
        for attributes in [
            "aria-expanded=undefined",
            "aria-pressed=mixed",
            "aria-current=page",
            "aria-valuenow=1.5",
            "aria-relevant='additions text'",
            "aria-haspopup=Menu",
            "aria-errormessage=nowhere",
        ] {
            assert_passes(
                &ARIA_VALID_ATTR_VALUE,
                &format!("<div role=button {attributes}>x</div>"),
            );
        }
    }

    #[test]
    fn invalid_values_fail() {
        for attributes in [
            "aria-expanded=collapsed",
            "aria-pressed=horizontal",
            "aria-hidden=1",
            "aria-level=two",
            "aria-live=loud",
            "aria-activedescendant='a b'",
        ] {
            assert_fails(
                &ARIA_VALID_ATTR_VALUE,
                &format!("<div {attributes}>x</div>"),
                1,
            );
        }
    }

    #[test]
    fn empty_values_and_hidden_elements_are_not_applicable() {
        assert_not_applicable(&ARIA_VALID_ATTR_VALUE, "<div aria-live>x</div>");
        assert_not_applicable(&ARIA_VALID_ATTR_VALUE, "<div hidden aria-live=x>x</div>");
        assert_not_applicable(&ARIA_VALID_ATTR_VALUE, "<div aria-labeledby=x>x</div>");
    }

    #[test]
    fn an_open_combobox_needs_an_existing_target() {
        let open = "<input role=combobox aria-label=x aria-expanded=true aria-controls=l>";
        assert_fails(&ARIA_VALID_ATTR_VALUE, open, 1);
        assert_passes(&ARIA_VALID_ATTR_VALUE, &format!("{open}<ul id=l></ul>"));
        let closed = "<input role=combobox aria-expanded=false aria-controls=l>";
        assert_passes(&ARIA_VALID_ATTR_VALUE, closed);
    }
}
