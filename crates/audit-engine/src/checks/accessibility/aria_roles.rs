//! Finds `role` attributes without a valid role.

use crate::aria::Role;
use crate::aria::explicit::explicit_role;
use crate::check::{Outcome, Verdict};
use crate::common::text::described::nearest;
use crate::declare_check;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every non-empty `role` attribute contains at least one role from WAI-ARIA, DPub-ARIA or the Graphics
    /// module that authors may use.
    ///
    /// ## Why it matters
    /// Browsers ignore an unknown role. A screen reader then announces a `div` that is meant to be a button
    /// as plain text.
    ///
    /// ## How to fix it
    /// Correct the spelling, or remove the attribute if the element needs no role. Better, use the HTML
    /// element that has the role implicitly, such as `button` or `nav`.
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
    /// The check does not evaluate whether the role suits the element. It neither passes nor fails the role
    /// `text`: the role was never standardized, but some screen readers support it.
    ///
    /// ## Also known as
    /// - axe: `aria-roles`
    /// - Lighthouse: `aria-roles`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 674b10, Role attribute has valid value
    /// - WAI-ARIA 1.2, section 5.4 Definition of Roles
    ARIA_ROLES {
        id: "aria-roles",
        title: "Invalid ARIA roles",
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
            Verdict::CannotTell(
                "The role \"text\" is not standardized, but some screen readers support it.",
            )
        } else if role.contains("{{") {
            Verdict::CannotTell("The role is a template placeholder that a script replaces.")
        } else {
            let meant = nearest(&role.to_ascii_lowercase(), Role::names());
            let meant = meant.map_or_else(String::new, |role| format!(" Probably meant: {role}."));
            tree.failure(
                element,
                format!(
                    "The role \"{role}\" is not a valid ARIA role for authors; browsers ignore it.{meant}"
                ),
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn valid_roles_and_lists_with_a_valid_role_pass() {
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
    fn empty_and_hidden_roles_are_not_applicable() {
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
    fn the_role_text_cannot_tell() {
        assert!(matches!(
            outcome(&ARIA_ROLES, "<span role=text>x</span>"),
            Outcome::CannotTell(_)
        ));
    }
}
