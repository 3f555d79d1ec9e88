//! Finds ARIA attributes that are unsupported or prohibited on their element.

use crate::aria::attribute::AriaAttribute;
use crate::aria::explicit::explicit_role;
use crate::aria::focus::is_details_summary;
use crate::aria::{AccessTree, Role, input_type};
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every ARIA state and property is on an element whose role supports it. Naming attributes are not on
    /// elements that must not be named, such as a paragraph or a `div` without a role.
    ///
    /// ## Why it matters
    /// Browsers and screen readers ignore such an attribute or announce wrong information. Users do not get
    /// what the author meant to express.
    ///
    /// ## How to fix it
    /// Choose a role that allows the attribute, for example `role="region"` together with `aria-label`, or the
    /// matching HTML element, such as `button` for `aria-expanded`. If no role fits, remove the attribute.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><div aria-expanded="false">Menu</div></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><button aria-expanded="false">Menu</button></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate custom elements and elements filled by a client-side template, because a
    /// script may set their role. It also does not evaluate the roles of DPub-ARIA and the Graphics module.
    /// Some attributes that only WAI-ARIA 1.1 supports on a role are accepted.
    ///
    /// ## Also known as
    /// - axe: `aria-allowed-attr`
    /// - axe: `aria-prohibited-attr`
    /// - Lighthouse: `aria-allowed-attr`
    /// - Lighthouse: `aria-prohibited-attr`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 5c01ea, ARIA state or property is permitted (proposed)
    /// - W3C ACT rule kb1m8s, ARIA global properties not used where prohibited (proposed)
    /// - WAI-ARIA 1.2, sections 5.2.8.6 Roles which cannot be named and 6.6 Definitions of States and Properties
    /// - ARIA in HTML, section 4 Document conformance requirements for use of ARIA attributes in HTML
    ARIA_ALLOWED_ATTR {
        id: "aria-allowed-attr",
        title: "Unsupported or prohibited ARIA attributes",
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
    let elements = page
        .elements_with(Traits::ARIA)
        .filter(|element| tree.is_exposed(*element) && !has_unknown_role(*element));
    let attributes = elements.flat_map(|element| {
        element
            .attrs()
            .filter_map(|attribute| AriaAttribute::named(attribute.name))
            .map(move |attribute| (element, attribute))
    });
    Outcome::for_each(attributes, |(element, attribute)| {
        evaluate_attribute(&tree, element, attribute)
    })
}

fn evaluate_attribute<'a>(
    tree: &AccessTree<'a>,
    element: ElementRef<'a>,
    attribute: &AriaAttribute,
) -> Verdict {
    let role = tree.role(element);
    let name = attribute.name;
    if attribute.global {
        let is_given = !element.attr(name).unwrap_or_default().trim().is_empty();
        let is_prohibited = is_given
            && if gives_name(name) {
                must_not_be_named(element, role)
            } else {
                describes_role(name) && role.is_none() && is_generic(element)
            };
        if !is_prohibited {
            return Verdict::Pass;
        }
    } else if supports(element, role, name) {
        return Verdict::Pass;
    }
    if may_be_changed_by_script(tree.page(), element) {
        return Verdict::CannotTell(
            "A script may set the role of this element, and the role decides which ARIA attributes are allowed.",
        );
    }
    let role_text = match role {
        Some(role) => format!("with the role {role:?}"),
        None => "without a role".to_owned(),
    };
    let reason = if attribute.global {
        "prohibited"
    } else {
        "not supported"
    };
    tree.failure(
        element,
        format!(
            "The attribute {name} is {reason} on the {} element {role_text}.",
            element.name()
        ),
    )
}

/// Whether the element has an unknown role. The check `aria-roles` reports it; its attributes can be
/// evaluated only after the role is corrected.
fn has_unknown_role(element: ElementRef<'_>) -> bool {
    element
        .attr("role")
        .is_some_and(|role| !role.trim().is_empty())
        && explicit_role(element).is_none()
}

fn may_be_changed_by_script(page: &crate::page::ParsedPage, element: ElementRef<'_>) -> bool {
    (element.is_html() && element.name().contains('-'))
        || element.has_attr("is")
        || page.traits(element).has(Traits::TEMPLATED)
}

/// Whether the property sets the accessible name.
fn gives_name(name: &str) -> bool {
    matches!(name, "aria-label" | "aria-labelledby" | "aria-braillelabel")
}

/// Whether the property describes the role. A generic element has no role to describe.
fn describes_role(name: &str) -> bool {
    matches!(name, "aria-roledescription" | "aria-brailleroledescription")
}

fn must_not_be_named(element: ElementRef<'_>, role: Option<Role>) -> bool {
    match role {
        // The check `decorative-exposed` reports decoration with a name.
        Some(role) => role.prohibits_name() && !role.is("none"),
        None => {
            let is_decoration = explicit_role(element).is_some_and(|role| role.is("none"));
            is_generic(element) && !is_decoration
        }
    }
}

/// Elements that are exposed as `generic` and so must not be named (ARIA in HTML).
fn is_generic(element: ElementRef<'_>) -> bool {
    element.is_html()
        && match element.name() {
            "b" | "bdi" | "bdo" | "data" | "div" | "i" | "pre" | "q" | "samp" | "small"
            | "span" | "u" => true,
            "a" => !element.has_attr("href"),
            _ => false,
        }
}

fn supports(element: ElementRef<'_>, role: Option<Role>, name: &str) -> bool {
    match role {
        Some(role) => role.supports(name),
        None => equivalent_role(element).is_some_and(|role| role.supports(name)),
    }
}

/// The role whose attributes an element without a role supports (ARIA in HTML).
fn equivalent_role(element: ElementRef<'_>) -> Option<Role> {
    if !element.is_html() {
        // SVG and MathML define the supported attributes of their elements.
        return Role::named("graphics-object");
    }
    let name = match element.name() {
        "input" if input_type(element) != "hidden" => "textbox",
        "summary" if is_details_summary(element) => "button",
        "audio" | "video" | "embed" | "iframe" | "object" => "application",
        _ => return None,
    };
    Role::named(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn attributes_on_an_element_with_an_unknown_role_are_not_applicable() {
        let html = "<div role=swich tabindex=0 aria-checked=false aria-label=Sound>x</div>";
        assert_not_applicable(&ARIA_ALLOWED_ATTR, html);
        assert_fails(
            &ARIA_ALLOWED_ATTR,
            "<div role='' aria-checked=false>x</div>",
            1,
        );
    }

    #[test]
    fn supported_attributes_pass() {
        for html in [
            "<button aria-pressed=false>x</button>",
            "<div aria-live=polite aria-busy=true>x</div>",
            "<input type=password aria-required=true aria-label=x>",
            "<input type=date aria-readonly=true aria-label=x>",
            "<details><summary aria-expanded=false>x</summary></details>",
            "<section aria-label=x>x</section>",
            "<div role=group aria-label=x>x</div>",
            "<a href=x aria-expanded=true>x</a>",
            "<table role=treegrid><tr aria-level=1 aria-expanded=false><td>x</table>",
            "<div aria-label=''>x</div>",
            "<svg aria-label=x aria-level=2><g aria-label=y></g></svg>",
            "<div role=meter aria-valuenow=1 aria-valuetext=one aria-label=x></div>",
        ] {
            assert_passes(&ARIA_ALLOWED_ATTR, html);
        }
    }

    #[test]
    fn unsupported_attributes_fail() {
        for html in [
            "<button aria-sort>x</button>",
            "<div aria-expanded=true>x</div>",
            "<audio aria-orientation=horizontal controls></audio>",
            "<table><tr><td aria-selected=true>x</table>",
            "<h2 aria-checked=true>x</h2>",
        ] {
            assert_fails(&ARIA_ALLOWED_ATTR, html, 1);
        }
    }

    #[test]
    fn prohibited_naming_attributes_fail() {
        for html in [
            "<div aria-label=x>y</div>",
            "<p aria-labelledby=nowhere>y</p>",
            "<a aria-label=x>y</a>",
            "<em aria-braillelabel=x>y</em>",
            "<span aria-roledescription=x>y</span>",
        ] {
            assert_fails(&ARIA_ALLOWED_ATTR, html, 1);
        }
    }

    #[test]
    fn custom_and_templated_elements_cannot_tell() {
        for html in [
            "<my-switch aria-checked=true></my-switch>",
            "<div v-bind:role=kind aria-checked=true>x</div>",
        ] {
            assert!(
                matches!(outcome(&ARIA_ALLOWED_ATTR, html), Outcome::CannotTell(_)),
                "{html}"
            );
        }
    }

    #[test]
    fn hidden_elements_and_unknown_attributes_are_not_applicable() {
        for html in [
            "<div hidden aria-expanded=true>x</div>",
            "<div aria-hidden=true aria-expanded=true>x</div>",
            "<div aria-lable=x>x</div>",
        ] {
            assert_not_applicable(&ARIA_ALLOWED_ATTR, html);
        }
    }
}
