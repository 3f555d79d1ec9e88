//! Finds elements that lack the ARIA attributes their role requires.

use crate::aria::explicit::explicit_role;
use crate::aria::{Role, input_type};
use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every element with a `role` attribute has the states and properties that WAI-ARIA requires for the
    /// role.
    ///
    /// ## Why it matters
    /// Screen reader users cannot use a checkbox that does not report whether it is checked, or a slider
    /// without a value.
    ///
    /// ## How to fix it
    /// Add the attribute and keep it up to date: `role="checkbox" aria-checked="false"`. Better, use the
    /// native HTML element, which reports its state automatically, such as `<input type="checkbox">`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Settings</title><div role="switch" tabindex="0">Dark mode</div></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Settings</title><div role="switch" tabindex="0" aria-checked="false">Dark mode</div></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check does not see states that a script sets. A closed `combobox` needs
    /// no `aria-controls`. An element with a native state, such as a native checkbox, needs no ARIA
    /// attribute for it.
    ///
    /// ## Also known as
    /// - axe: `aria-required-attr`
    /// - Lighthouse: `aria-required-attr`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 4e8ab6, Element with role attribute has required states and properties
    /// - WAI-ARIA 1.2, section 5.2.2 Required States and Properties
    ARIA_REQUIRED_ATTR {
        id: "aria-required-attr",
        title: "Missing required ARIA attributes",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let elements = page.elements_with(Traits::ROLE).filter_map(|element| {
        let role = explicit_role(element)?;
        let applies = tree.role(element) == Some(role)
            && tree.implicit_role(element) != Some(role)
            && !required(element, role).is_empty()
            && tree.is_exposed(element);
        applies.then_some((element, role))
    });
    Outcome::for_each(elements, |(element, role)| {
        let missing: Vec<&str> = required(element, role)
            .into_iter()
            .filter(|name| !has_state(element, name))
            .collect();
        if missing.is_empty() {
            return crate::check::Verdict::Pass;
        }
        tree.failure(
            element,
            format!(
                "The role {role:?} requires {}, which this element lacks.",
                missing.join(" and ")
            ),
        )
    })
}

/// The attributes that the role requires on this element.
fn required(element: ElementRef<'_>, role: Role) -> Vec<&'static str> {
    let mut required = role.required().to_vec();
    if role.is("combobox") && element.attr_is("aria-expanded", "true") {
        required.push("aria-controls");
    }
    // A focusable separator is a widget with a value; other separators are static.
    if role.is("separator") && element.has_attr("tabindex") {
        required.push("aria-valuenow");
    }
    required
}

fn has_state(element: ElementRef<'_>, name: &str) -> bool {
    let given = |name| {
        element
            .attr(name)
            .is_some_and(|value: &str| !value.trim().is_empty())
    };
    given(name)
        || (name == "aria-controls" && given("aria-owns"))
        || has_native_state(element, name)
}

fn has_native_state(element: ElementRef<'_>, name: &str) -> bool {
    if !element.is_html() {
        return false;
    }
    let kind = element.is("input").then(|| input_type(element));
    match name {
        "aria-checked" => matches!(kind, Some("checkbox" | "radio")),
        "aria-valuenow" => {
            matches!(kind, Some("range" | "number"))
                || matches!(element.name(), "meter" | "progress")
        }
        "aria-level" => matches!(element.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"),
        "aria-expanded" => element.is("select") || element.has_attr("list"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn elements_with_required_attributes_pass() {
        for html in [
            "<div role=heading aria-level=1>x</div>",
            "<div role=checkbox aria-checked=false>x</div>",
            "<div role=scrollbar aria-controls=c aria-valuenow=0></div>",
            "<input role=combobox aria-expanded=false>",
            "<input role=combobox aria-expanded=true aria-controls=l>",
            "<input type=checkbox role=switch>",
        ] {
            assert_passes(&ARIA_REQUIRED_ATTR, html);
        }
    }

    #[test]
    fn elements_without_required_attributes_fail() {
        for html in [
            "<div role=switch>x</div>",
            "<div role=checkbox aria-checked=''>x</div>",
            "<div role=slider>x</div>",
            "<div role=heading>x</div>",
            "<input role=combobox>",
            "<input role=combobox aria-expanded=true>",
            "<div role=separator tabindex=0></div>",
        ] {
            assert_fails(&ARIA_REQUIRED_ATTR, html, 1);
        }
    }

    #[test]
    fn roles_without_required_attributes_are_not_applicable() {
        for html in [
            "<div role=separator></div>",
            "<div role=button>x</div>",
            "<input type=checkbox role=checkbox>",
            "<h2 role=heading>x</h2>",
            "<div role=combobox style='display:none'></div>",
            "<p>x",
        ] {
            assert_not_applicable(&ARIA_REQUIRED_ATTR, html);
        }
    }
}
