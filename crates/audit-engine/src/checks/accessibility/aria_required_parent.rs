//! Finds ARIA roles outside the parent role they require.

use crate::aria::explicit::explicit_role;
use crate::aria::{AccessTree, Owner, Owners, Role};
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every element with a `role` that requires a parent role, such as `listitem`, `menuitem`, `tab` or
    /// `row`, is owned by an element with that role.
    ///
    /// ## Why it matters
    /// A screen reader announces "3 of 7" only if it knows the list. Without the required parent, it
    /// announces the element with a wrong role or not at all.
    ///
    /// ## How to fix it
    /// Place the element into an element with the role that it needs, for example a `tab` into a `tablist`. If it is
    /// not a part of such a widget, remove its role.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><div><div role="tab" tabindex="0">Prices</div></div></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><div role="tablist"><div role="tab" tabindex="0">Prices</div></div></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate elements inside a custom element, because a script may wrap them in the
    /// required parent. It also does not evaluate HTML elements that have the role implicitly.
    ///
    /// ## Also known as
    /// - axe: `aria-required-parent`
    /// - Lighthouse: `aria-required-parent`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.1 Info and Relationships (A)
    /// - W3C ACT rule ff89c9, ARIA required context role (proposed)
    /// - WAI-ARIA 1.2, section 5.2.4 Required Accessibility Parent Role
    ARIA_REQUIRED_PARENT {
        id: "aria-required-parent",
        title: "ARIA role is not inside its required parent",
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
    let owners = Owners::new(&tree);
    let children = page.elements_with(Traits::ROLE).filter_map(|element| {
        let role = explicit_role(element)?;
        let applies = !role.required_parents().is_empty()
            && tree.role(element) == Some(role)
            && tree.implicit_role(element) != Some(role)
            && tree.is_exposed(element);
        applies.then_some((element, role))
    });
    Outcome::for_each(children, |(child, role)| {
        evaluate_parent(&tree, &owners, child, role)
    })
}

fn evaluate_parent<'a>(
    tree: &AccessTree<'a>,
    owners: &Owners,
    child: ElementRef<'a>,
    role: Role,
) -> Verdict {
    let expected = role.required_parents();
    let mut met = tree.owner(child, owners);
    // A group may be between the child and its required parent.
    let mut groups = 0;
    while let Owner::Role(group, outer) = met
        && outer.is("group")
        && role.may_be_grouped()
        && groups < 10
    {
        met = tree.owner(group, owners);
        groups += 1;
    }
    let location = match met {
        Owner::Role(_, outer) if outer.is_any(expected) => return Verdict::Pass,
        // A group inside an item of the same kind is its submenu or branch.
        Owner::Role(_, outer) if groups > 0 && (outer == role || outer.is("menuitem")) => {
            return Verdict::Pass;
        }
        Owner::Custom => {
            return Verdict::CannotTell(
                "The element is inside a custom element; a script may wrap it in the required parent.",
            );
        }
        Owner::Role(_, outer) => format!("inside an element with the role {outer:?}"),
        Owner::Generic => {
            "inside an element that has no role but a global ARIA attribute".to_owned()
        }
        Owner::Nothing => "not inside an element with a role".to_owned(),
    };
    tree.failure(
        child,
        format!(
            "The element with the role {role:?} is {location}; expected {}.",
            expected.join(", ")
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn roles_inside_their_required_parent_pass() {
        for html in [
            "<ul><div role=listitem>a</div></ul>",
            "<ul role=tablist><li><a role=tab href=x>a</a></ul>",
            "<ul role=menubar><li role=none><a role=menuitem href=x>a</a></ul>",
            "<div role=menu><p role=group><b role=menuitemradio aria-checked=true>a</b></p></div>",
            "<div role=list aria-owns=o></div><p id=o role=listitem>a",
            "<div role=list><div aria-live='' aria-hidden=false><b role=listitem>a</b></div></div>",
            "<table><tr><td role=gridcell>a</table>",
            "<div role=tree><p role=treeitem>a<b role=group><i role=treeitem>b</i></b></p></div>",
        ] {
            assert_passes(&ARIA_REQUIRED_PARENT, html);
        }
    }

    #[test]
    fn roles_outside_their_required_parent_fail() {
        for html in [
            "<div role=listitem>a</div>",
            "<nav><a role=menuitem href=x>a</a></nav>",
            "<p role=group><b role=option>a</b></p>",
            "<div role=list><p role=region aria-label=x><b role=listitem>a</b></p></div>",
            "<div role=row><b>a</b></div>",
            "<div role=list><div aria-live=polite><b role=listitem>a</b></div></div>",
            "<div role=tablist><span aria-describedby=x><b role=tab>a</b></span></div>",
        ] {
            assert_fails(&ARIA_REQUIRED_PARENT, html, 1);
        }
    }

    #[test]
    fn elements_inside_a_custom_element_cannot_tell() {
        let html = "<my-tabs><a role=tab href=x>a</a></my-tabs>";
        assert!(matches!(
            outcome(&ARIA_REQUIRED_PARENT, html),
            Outcome::CannotTell(_)
        ));
    }

    #[test]
    fn implicit_roles_hidden_and_other_elements_are_not_applicable() {
        for html in [
            "<ul><li role=listitem>a</ul>",
            "<div role=tab hidden>a</div>",
            "<li>a",
            "<div role=heading aria-level=1>a</div>",
        ] {
            assert_not_applicable(&ARIA_REQUIRED_PARENT, html);
        }
    }
}
