//! ARIA attributes stand where they mean something.

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
    /// Every ARIA state and property stands on an element whose role supports it, and names stand on no element
    /// that must not have one, such as a `div` without a role or a paragraph.
    ///
    /// ## Why it matters
    /// Browsers and screen readers ignore such an attribute, or announce something that is not so. What the
    /// author meant to say with it does not reach anybody.
    ///
    /// ## How to fix it
    /// Give the element the role that it plays, for example `role="region"` beside `aria-label`, or use the HTML element
    /// for it, such as `button` for `aria-expanded`. Otherwise remove the attribute.
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
    /// Custom elements, whose role a script may set, and elements that a template engine in the browser fills are
    /// not judged, nor are the roles of digital publications and of graphics. What WAI-ARIA 1.1 let a role have is accepted
    /// in part.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 5c01ea, ARIA state or property is permitted (proposed)
    /// - W3C ACT rule kb1m8s, ARIA global properties not used where prohibited (proposed)
    /// - WAI-ARIA 1.2, sections 5.2.8.6 Roles which cannot be named and 6.6 Definitions of States and Properties
    /// - ARIA in HTML, section 4 Document conformance requirements for use of ARIA attributes in HTML
    ARIA_ALLOWED_ATTR {
        id: "aria-allowed-attr",
        title: "ARIA attributes on elements that do not support them",
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
        judge(&tree, element, attribute)
    })
}

fn judge<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>, attribute: &AriaAttribute) -> Verdict {
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
    if is_filled_by_script(tree.page(), element) {
        return Verdict::CannotTell("A script may give the element another role.");
    }
    let what = match role {
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
        format!("{name} is {reason} on a {} {what}.", element.name()),
    )
}

/// Whether the element has a role that does not exist, which `aria-roles` says: what its attributes
/// suit shows once it is corrected.
fn has_unknown_role(element: ElementRef<'_>) -> bool {
    element
        .attr("role")
        .is_some_and(|role| !role.trim().is_empty())
        && explicit_role(element).is_none()
}

fn is_filled_by_script(page: &crate::page::ParsedPage, element: ElementRef<'_>) -> bool {
    (element.is_html() && element.name().contains('-'))
        || element.has_attr("is")
        || page.traits(element).has(Traits::TEMPLATED)
}

/// Whether the property gives an element a name.
fn gives_name(name: &str) -> bool {
    matches!(name, "aria-label" | "aria-labelledby" | "aria-braillelabel")
}

/// Whether the property says what role the element plays, of which a box has none.
fn describes_role(name: &str) -> bool {
    matches!(name, "aria-roledescription" | "aria-brailleroledescription")
}

fn must_not_be_named(element: ElementRef<'_>, role: Option<Role>) -> bool {
    match role {
        // Decoration that has a name is the business of `decorative-exposed`.
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
        None => as_if_of_role(element).is_some_and(|role| role.supports(name)),
    }
}

/// Elements without a role that support what a role does (ARIA in HTML).
fn as_if_of_role(element: ElementRef<'_>) -> Option<Role> {
    if !element.is_html() {
        // SVG and MathML say of their own elements what they support.
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
    fn attributes_beside_a_role_that_does_not_exist_are_not_judged() {
        let html = "<div role=swich tabindex=0 aria-checked=false aria-label=Sound>x</div>";
        assert_not_applicable(&ARIA_ALLOWED_ATTR, html);
        assert_fails(
            &ARIA_ALLOWED_ATTR,
            "<div role='' aria-checked=false>x</div>",
            1,
        );
    }

    #[test]
    fn attributes_that_the_role_supports_pass() {
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
    fn attributes_that_the_role_does_not_support_fail() {
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
    fn names_where_no_name_may_be_fail() {
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
    fn elements_of_scripts_are_not_guessed_at() {
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
    fn hidden_elements_and_unknown_attributes_are_not_judged() {
        for html in [
            "<div hidden aria-expanded=true>x</div>",
            "<div aria-hidden=true aria-expanded=true>x</div>",
            "<div aria-lable=x>x</div>",
        ] {
            assert_not_applicable(&ARIA_ALLOWED_ATTR, html);
        }
    }
}
