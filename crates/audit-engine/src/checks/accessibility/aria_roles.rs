//! Roles are roles.

use crate::aria::explicit::explicit_role;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `role` attribute with a value names at least one role of WAI-ARIA, DPub-ARIA or the
    /// Graphics module that authors may use.
    ///
    /// ## Why it matters
    /// Browsers ignore a role they do not know. A `div` that was meant to be a button is then
    /// plain text for a screen reader.
    ///
    /// ## How to fix it
    /// Correct the spelling, or remove the attribute where the element needs no role. Better,
    /// use the HTML element that has the role by itself, such as `button` or `nav`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><div role="buton" tabindex="0">Buy</div></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><div role="button" tabindex="0">Buy</div></html>
    /// ```
    ///
    /// ## Limits
    /// Whether the role suits the element is not judged. The role `text`, which was never
    /// standardized and which some screen readers know, is neither passed nor failed.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 674b10, Role attribute has valid value
    /// - WAI-ARIA 1.2, section 5.4 Definition of Roles
    ARIA_ROLES {
        id: "aria-roles",
        title: "Roles that do not exist",
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
    let elements = page.elements_with(Traits::ROLE).filter_map(|element| {
        let role = element.attr("role")?.trim();
        (!role.is_empty() && tree.is_exposed(element)).then_some((element, role))
    });
    Outcome::for_each(elements, |(element, role)| {
        if explicit_role(element).is_some() {
            Verdict::Pass
        } else if element.has_token("role", "text") {
            Verdict::CannotTell("The role text is no standard, though some screen readers know it.")
        } else if role.contains("{{") {
            Verdict::CannotTell("The role is filled in by a script.")
        } else {
            tree.failure(
                element,
                format!("The role \"{role}\" is not one that authors may use; browsers ignore it."),
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn known_roles_and_lists_with_one_pass() {
        for role in [
            "button",
            "NAVIGATION",
            "doc-toc",
            "graphics-symbol",
            "lnik link",
            "none",
        ] {
            assert_passes(&ARIA_ROLES, &format!("<div role='{role}'>x</div>"));
        }
    }

    #[test]
    fn unknown_and_abstract_roles_fail() {
        for role in ["lnik", "widget", "landmark", "content", "foo bar"] {
            assert_fails(&ARIA_ROLES, &format!("<div role='{role}'>x</div>"), 1);
        }
    }

    #[test]
    fn no_value_is_not_judged() {
        for html in [
            "<div role>x",
            "<div role=' '>x",
            "<div role=foo hidden>x",
            "<p>x",
        ] {
            assert_not_applicable(&ARIA_ROLES, html);
        }
    }

    #[test]
    fn the_text_role_is_not_guessed_at() {
        assert!(matches!(
            outcome(&ARIA_ROLES, "<span role=text>x</span>"),
            Outcome::CannotTell(_)
        ));
    }
}
