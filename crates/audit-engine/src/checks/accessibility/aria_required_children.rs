//! Finds ARIA roles whose required children are missing or whose children are not allowed.

use crate::aria::explicit::explicit_role;
use crate::aria::{AccessTree, Owner, Owners, Role};
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::page::whitespace::is_blank;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Elements with a `role` that requires certain children, such as `list`, `menu`, `tablist` or `grid`,
    /// own elements with the required roles and no others.
    ///
    /// ## Why it matters
    /// A screen reader announces the number of items and lets users move between them. If the items have no
    /// role, the list appears empty to screen reader users.
    ///
    /// ## How to fix it
    /// Give the children the required role: `listitem` in a `list`, `tab` in a `tablist`, `menuitem` in a
    /// `menu`. Elements in between may have `role="none"`. Better, use native HTML, such as `ul` with `li`,
    /// or `table`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><div role="list"><span>Apples</span><span>Pears</span></div></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><div role="list"><span role="listitem">Apples</span><span role="listitem">Pears</span></div></html>
    /// ```
    ///
    /// ## Limits
    /// Scripts may fill elements with `aria-busy="true"` and empty elements on a page with scripts
    /// later, so the check does not evaluate them. It also does not evaluate elements that contain
    /// custom elements. `list-structure` evaluates HTML lists without a role.
    ///
    /// ## Also known as
    /// - axe: `aria-required-children`
    /// - Lighthouse: `aria-required-children`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.1 Info and Relationships (A)
    /// - W3C ACT rule bc4a75, ARIA required owned elements (proposed)
    /// - WAI-ARIA 1.2, section 5.2.5 Required Owned Elements
    ARIA_REQUIRED_CHILDREN {
        id: "aria-required-children",
        title: "ARIA role with missing or disallowed children",
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
    let hosts = page.elements_with(Traits::ROLE).filter_map(|element| {
        let role = explicit_role(element)?;
        let applies = !role.required_children().is_empty()
            && tree.role(element) == Some(role)
            && tree.is_exposed(element)
            && !element.attr_is("aria-busy", "true");
        applies.then_some((element, role))
    });
    Outcome::for_each(hosts, |(host, role)| {
        evaluate_children(&tree, &owners, host, role)
    })
}

fn evaluate_children<'a>(
    tree: &AccessTree<'a>,
    owners: &Owners,
    host: ElementRef<'a>,
    role: Role,
) -> Verdict {
    let owned = tree.owned(host, owners);
    let mut has_required = false;
    let mut unknown = false;
    let mut wrong = None;
    let mut generic = false;
    for met in owned {
        match met {
            Owner::Role(_, inner) if inner.is_any(role.required_children()) => has_required = true,
            Owner::Role(group, inner) if inner.is_any(role.grouping_children()) => {
                match group_has_required_child(tree, owners, group, role, MAX_GROUPS) {
                    Ok(any) => has_required |= any,
                    Err(Owner::Role(_, inner)) => wrong = wrong.or(Some(inner)),
                    Err(Owner::Generic) => generic = true,
                    Err(_) => unknown = true,
                }
            }
            Owner::Role(_, inner) if inner.is_any(role.allowed_beside()) => {}
            Owner::Role(_, inner) => wrong = wrong.or(Some(inner)),
            // Any other content of a box that is in between is not looked at.
            Owner::Generic => generic = true,
            Owner::Custom | Owner::Nothing => unknown = true,
        }
    }
    let expected = role.required_children().join(", ");
    if unknown {
        Verdict::CannotTell("Custom elements inside this element may have the required roles.")
    } else if let Some(wrong) = wrong {
        tree.failure(
            host,
            format!(
                "The element with the role {role:?} owns an element with the role {wrong:?}; expected {expected}."
            ),
        )
    } else if generic {
        tree.failure(
            host,
            format!("The element with the role {role:?} owns an element that has no role but a global ARIA attribute; expected {expected}."),
        )
    } else if has_required {
        Verdict::Pass
    } else if is_empty(host) && tree.page().runs_scripts() {
        Verdict::CannotTell("The element is empty; a script may add its children.")
    } else {
        tree.failure(
            host,
            format!("The element with the role {role:?} owns no element with a role; expected {expected}."),
        )
    }
}

/// Levels of groups within groups that are read. What is deeper is unknown.
const MAX_GROUPS: u32 = 8;

/// Whether a group, or a group within it, contains a required child of `role`. An error is the first child that is
/// not allowed.
fn group_has_required_child<'a>(
    tree: &AccessTree<'a>,
    owners: &Owners,
    group: ElementRef<'a>,
    role: Role,
    levels: u32,
) -> Result<bool, Owner<'a>> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err(Owner::Custom);
    };
    let mut any = false;
    for met in tree.owned(group, owners) {
        match met {
            Owner::Role(_, inner) if inner.is_any(role.required_children()) => any = true,
            Owner::Role(_, inner) if inner.is_any(role.allowed_beside()) => {}
            Owner::Role(inside, inner)
                if inner.is("group") && inner.is_any(role.grouping_children()) =>
            {
                any |= group_has_required_child(tree, owners, inside, role, levels)?;
            }
            other => return Err(other),
        }
    }
    Ok(any)
}

/// Whether the element contains no visible content.
fn is_empty(element: ElementRef<'_>) -> bool {
    let dom = element.dom();
    dom.descendants(element.id()).all(|id| match dom.data(id) {
        Some(NodeData::Text(run)) => is_blank(run),
        Some(NodeData::Element(_)) => dom
            .element(id)
            .is_none_or(|inner| matches!(inner.name(), "script" | "template" | "style")),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn roles_with_required_children_pass() {
        for html in [
            "<ul role=menu><li role=none><a role=menuitem href=x>a</a></ul>",
            "<ul role=tablist><li><a role=tab href=x>a</a></ul>",
            "<div role=menu><p role=none></p><p role=group><b role=menuitem>a</b></p><hr></div>",
            "<div role=tree><div><div role=treeitem>a</div></div></div>",
            "<table role=grid><caption>c</caption><tr><td>a</table>",
            "<div role=list aria-owns=o></div><p id=o role=listitem>a",
            "<div role=listbox><p role=group><b role=option>a</b></p></div>",
            "<div role=tree><p role=group><b role=group><i role=treeitem>a</i></b></p></div>",
            "<div role=menu><p role=group><i role=menuitem>a</i><b role=group><i role=menuitem>b</i></b></p></div>",
            "<ul role=list><li>a</ul>",
        ] {
            assert_passes(&ARIA_REQUIRED_CHILDREN, html);
        }
    }

    #[test]
    fn roles_without_required_children_fail() {
        for html in [
            "<div role=list><span>a</span></div>",
            "<div role=menu>a</div>",
            "<div role=menu></div>",
            "<div role=tablist><button>a</button></div>",
            "<div role=list aria-owns=o></div><p id=o role=tab>a",
            "<div role=list><b role=listitem>a</b><p role=group><b role=listitem>b</b></p></div>",
            "<div role=listbox><p role=group><b role=tab>a</b></p></div>",
            "<div role=tree><p role=group><b role=group><i role=tab>a</i></b></p></div>",
            "<div role=tree><p role=group><b role=group>a</b></p></div>",
            "<div role=list><div aria-live=polite><b role=listitem>a</b></div></div>",
            "<div role=tree><p role=group><span aria-label=x><i role=treeitem>a</i></span></p></div>",
            "<ul role=menu><li role=none aria-label=x><a role=menuitem href=x>a</a></ul>",
        ] {
            assert_fails(&ARIA_REQUIRED_CHILDREN, html, 1);
        }
    }

    #[test]
    fn groups_are_read_up_to_a_depth() {
        let html = |groups: usize| {
            let groups = "<div role=group>".repeat(groups);
            format!("<div role=tree>{groups}<i role=treeitem>a</i></div>")
        };
        assert_passes(&ARIA_REQUIRED_CHILDREN, &html(8));
        let outcome = outcome(&ARIA_REQUIRED_CHILDREN, &html(9));
        assert!(matches!(outcome, Outcome::CannotTell(_)), "{outcome:?}");
    }

    #[test]
    fn elements_that_scripts_may_fill_cannot_tell() {
        for html in [
            "<div role=listbox></div><script src=x></script>",
            "<div role=list><my-item></my-item></div>",
            "<div role=menu><template><p>x</template></div><script src=x></script>",
        ] {
            let outcome = outcome(&ARIA_REQUIRED_CHILDREN, html);
            assert!(
                matches!(outcome, Outcome::CannotTell(_)),
                "{html}: {outcome:?}"
            );
        }
    }

    #[test]
    fn other_roles_hidden_and_busy_elements_are_not_applicable() {
        for html in [
            "<div role=list hidden><b>a</b></div>",
            "<div role=menu aria-busy=true>Loading</div>",
            "<div role=toolbar>a</div>",
            "<ul><div>a</div></ul>",
        ] {
            assert_not_applicable(&ARIA_REQUIRED_CHILDREN, html);
        }
    }
}
