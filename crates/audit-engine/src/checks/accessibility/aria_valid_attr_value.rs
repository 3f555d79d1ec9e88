//! The values of ARIA attributes are of their type.

use crate::aria::AccessTree;
use crate::aria::attribute::AriaAttribute;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every ARIA state and property has a value of the type that WAI-ARIA gives it, and what an
    /// open `combobox` or a `scrollbar` controls exists.
    ///
    /// ## Why it matters
    /// Browsers replace a value they do not know with the default. A menu that is open is then
    /// announced as closed, or not announced at all.
    ///
    /// ## How to fix it
    /// Write one of the values that the attribute takes, for example `aria-expanded="true"` or
    /// `"false"`. Remove the attribute where it has nothing to say.
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
    /// Other references to elements that the page does not have are not findings, since scripts
    /// add their targets later; a name that is missing for this reason is found by the checks of names. An
    /// empty value counts as no attribute.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 6a7281, ARIA state or property has valid value
    /// - WAI-ARIA 1.2, Values for States and Properties
    ARIA_VALID_ATTR_VALUE {
        id: "aria-valid-attr-value",
        title: "ARIA attributes with values that do not exist",
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
    let judged = attributes.filter(|(element, _)| !tree.exposure(*element).hidden);
    Outcome::for_each(judged, |(element, attribute)| {
        let name = attribute.name;
        let value = element.attr(name).unwrap_or_default().trim();
        if value.contains("{{") {
            Verdict::CannotTell("A value is filled in by a script.")
        } else if !attribute.accepts(value) {
            let expected = attribute.expects();
            tree.failure(
                element,
                format!("The value \"{value}\" of {name} is invalid; expected {expected}."),
            )
        } else if name == "aria-controls" && needs_target(&tree, element) {
            tree.failure(
                element,
                format!("No element has the id \"{value}\" that aria-controls names."),
            )
        } else {
            Verdict::Pass
        }
    })
}

/// Whether the element must control another one (WAI-ARIA 1.2) and controls none.
fn needs_target<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
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
    fn values_of_the_type_pass() {
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
    fn other_values_fail() {
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
    fn empty_values_and_hidden_elements_are_not_judged() {
        assert_not_applicable(&ARIA_VALID_ATTR_VALUE, "<div aria-live>x</div>");
        assert_not_applicable(&ARIA_VALID_ATTR_VALUE, "<div hidden aria-live=x>x</div>");
        assert_not_applicable(&ARIA_VALID_ATTR_VALUE, "<div aria-labeledby=x>x</div>");
    }

    #[test]
    fn an_open_combobox_controls_something() {
        let open = "<input role=combobox aria-label=x aria-expanded=true aria-controls=l>";
        assert_fails(&ARIA_VALID_ATTR_VALUE, open, 1);
        assert_passes(&ARIA_VALID_ATTR_VALUE, &format!("{open}<ul id=l></ul>"));
        let closed = "<input role=combobox aria-expanded=false aria-controls=l>";
        assert_passes(&ARIA_VALID_ATTR_VALUE, closed);
    }
}
