//! Finds lists with invalid children and list items outside a list.

use domain::text::enumeration;

use crate::aria::AccessTree;
use crate::aria::explicit::explicit_role;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::page::whitespace::is_blank;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// `ul`, `ol` and `dl` contain only list items, and `li`, `dt` and `dd` are inside such a list. A `dl` has
    /// names (`dt`) followed by values (`dd`). An `li` with the role of something else is no item.
    ///
    /// ## Why it matters
    /// A screen reader announces the length of a list and the position in it. If other elements are between
    /// the items, or items are outside a list, it announces wrong numbers or none.
    ///
    /// ## How to fix it
    /// Put only `li` elements into `ul` and `ol`, and put a nested list into an `li`. Put the role of a control
    /// on an element inside the `li`: `<li><button>Apples</button></li>`. Put only `dt`, `dd`, and `div`
    /// elements that group them, into `dl`, with a `dd` after each `dt`. If a `dl` has only names or only values, as a table of
    /// contents often has, make it a `ul`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><ul><div>Apples</div><li>Pears</li></ul></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><ul><li>Apples</li><li>Pears</li></ul></html>
    /// ```
    ///
    /// ## Limits
    /// Lists with another ARIA role are excluded; other checks evaluate them by that role. The check does not
    /// evaluate items inside a custom element, because a script may move them into a list.
    ///
    /// ## Also known as
    /// - axe: `list`
    /// - axe: `listitem`
    /// - axe: `definition-list`
    /// - axe: `dlitem`
    /// - Lighthouse: `list`
    /// - Lighthouse: `listitem`
    /// - Lighthouse: `definition-list`
    /// - Lighthouse: `dlitem`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.1 Info and Relationships (A)
    /// - W3C ACT rule bc4a75, ARIA required owned elements (proposed)
    /// - HTML Standard, sections 4.4.5 to 4.4.11, the ol, ul, menu, li, dl, dt and dd elements
    LIST_STRUCTURE {
        id: "list-structure",
        title: "Lists with invalid children or items outside a list",
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
    let parts = page.elements_with(Traits::LIST_PART).filter(|element| {
        let has_role =
            || page.traits(*element).has(Traits::ROLE) && explicit_role(*element).is_some();
        tree.is_exposed(*element) && !has_role()
    });
    Outcome::for_each(parts, |part| {
        if matches!(part.name(), "ul" | "ol" | "dl") {
            evaluate_list(&tree, part)
        } else {
            evaluate_item(&tree, part)
        }
    })
}

/// Names of elements that are named as wrong children of one list.
const MOST_NAMES: usize = 8;

fn evaluate_list<'a>(tree: &AccessTree<'a>, list: ElementRef<'a>) -> Verdict {
    if has_direct_text(list) {
        return tree.failure(
            list,
            format!(
                "This {} element contains text outside its items.",
                list.name()
            ),
        );
    }
    let mut wrong = list
        .children()
        .flat_map(|child| members(list, child))
        .filter(|child| !is_allowed_child(list, *child) && tree.is_exposed(*child));
    let first = wrong.next();
    // All kinds at once, so that one change fixes the list.
    let mut names: Vec<String> = Vec::new();
    for child in first.into_iter().chain(wrong) {
        let name = child.name();
        if names.len() < MOST_NAMES && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    let children = match names.as_slice() {
        [only] => format!("a child element {only}"),
        all => format!("child elements {}", enumeration(all)),
    };
    match first {
        None if list.is("dl") => evaluate_groups(tree, list),
        None => Verdict::Pass,
        Some(child) if child.name().contains('-') => {
            Verdict::CannotTell("The list contains a custom element, which may be a list item.")
        }
        Some(child) if child.is("li") => tree.failure(
            list,
            format!(
                "This {} element has a child li with the role {}, which is no list item.",
                list.name(),
                explicit_role(child).map_or_else(String::new, |role| format!("{role:?}"))
            ),
        ),
        Some(_) if !list.is("dl") && !contains_item(tree, list) => tree.failure(
            list,
            format!(
                "This {} element contains no list items and {children}; expected only li.",
                list.name()
            ),
        ),
        Some(_) => tree.failure(
            list,
            format!(
                "This {} element has {children}; expected only {}.",
                list.name(),
                if list.is("dl") {
                    "dt, dd and div"
                } else {
                    "li"
                }
            ),
        ),
    }
}

/// Whether the list has an item among its descendants.
fn contains_item<'a>(tree: &AccessTree<'a>, list: ElementRef<'a>) -> bool {
    list.descendants()
        .take(1_000)
        .any(|inner| tree.has_role(inner, "listitem") || inner.is("li"))
}

fn is_allowed_child(list: ElementRef<'_>, child: ElementRef<'_>) -> bool {
    let (names, roles): (&[&str], &[&str]) = if list.is("dl") {
        (&["dt", "dd"], &["term", "definition", "listitem"])
    } else {
        (&["li"], &["listitem"])
    };
    match explicit_role(child) {
        Some(role) => role.is_any(roles),
        None => is_any(child, names),
    }
}

/// The child of a list or, if it is a group of a description list, the children of that.
fn members<'a>(
    list: ElementRef<'a>,
    child: ElementRef<'a>,
) -> impl Iterator<Item = ElementRef<'a>> {
    let is_group = is_group(list, child);
    let inner = is_group.then(|| child.children()).into_iter().flatten();
    (!is_group).then_some(child).into_iter().chain(inner)
}

/// Whether the child groups the names and values of a description list.
fn is_group(list: ElementRef<'_>, child: ElementRef<'_>) -> bool {
    list.is("dl") && child.is("div") && explicit_role(child).is_none()
}

/// Evaluates whether values follow the names of a description list, in itself or in its groups. A value may be
/// hidden until its name is activated.
fn evaluate_groups<'a>(tree: &AccessTree<'a>, list: ElementRef<'a>) -> Verdict {
    let groups = list.children().filter(|child| is_group(list, *child));
    let incomplete = std::iter::once(list)
        .chain(groups)
        .find_map(|parent| Some((parent, missing_part(parent)?)));
    match incomplete {
        None => Verdict::Pass,
        Some((parent, missing)) => tree.failure(
            parent,
            format!(
                "This {} element contains no {missing}; expected pairs of dt and dd, or another kind of list.",
                parent.name()
            ),
        ),
    }
}

/// What the direct items of the element lack to be names with values; `None` if nothing, or if there are none.
fn missing_part(parent: ElementRef<'_>) -> Option<&'static str> {
    let (mut has_name, mut has_value) = (false, false);
    for child in parent.children() {
        match explicit_role(child) {
            Some(role) if role.is("term") => has_name = true,
            Some(role) if role.is("definition") => has_value = true,
            _ if child.is("dt") => has_name = true,
            _ if child.is("dd") && has_name => return None,
            _ if child.is("dd") => has_value = true,
            // A custom element may hold the other part.
            _ if child.name().contains('-') => return None,
            _ => {}
        }
    }
    match (has_name, has_value) {
        (true, true) if parent.children().any(|child| child.has_attr("role")) => None,
        (true, true) => Some("dd after a dt"),
        (true, false) => Some("dd"),
        (false, true) => Some("dt"),
        (false, false) => None,
    }
}

fn has_direct_text(list: ElementRef<'_>) -> bool {
    let dom = list.dom();
    dom.children(list.id())
        .any(|id| matches!(dom.data(id), Some(NodeData::Text(run)) if !is_blank(run)))
}

fn evaluate_item<'a>(tree: &AccessTree<'a>, item: ElementRef<'a>) -> Verdict {
    let parent = item.parent();
    if parent.is_some_and(|parent| parent.name().contains('-')) {
        return Verdict::CannotTell(
            "The item is inside a custom element; a script may move it into a list.",
        );
    }
    let is_placed = parent.is_some_and(|parent| {
        if item.is("li") {
            is_any(parent, &["ul", "ol", "menu", "dir"]) || has_role(parent, "list")
        } else {
            parent.is("dl")
                || (parent.is("div") && parent.parent().is_some_and(|list| list.is("dl")))
        }
    });
    if is_placed {
        return Verdict::Pass;
    }
    let expected = if item.is("li") { "ul or ol" } else { "dl" };
    tree.failure(
        item,
        format!(
            "This {} element is outside a list; expected it inside {expected}.",
            item.name()
        ),
    )
}

fn is_any(element: ElementRef<'_>, names: &[&str]) -> bool {
    names.iter().any(|name| element.is(name))
}

fn has_role(element: ElementRef<'_>, name: &str) -> bool {
    explicit_role(element).is_some_and(|role| role.is(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn lists_of_items_pass() {
        for html in [
            "<ul><li>a<ul><li>b</ul></ul>",
            "<ol>\n<li>a</li><script>x</script><template><p></p></template></ol>",
            "<ul><div role=listitem>a</div></ul>",
            "<dl><dt>a<dd>b<div><dt>c<dd>d</div></dl>",
            "<menu><li>a</menu>",
            "<ul></ul>",
            "<ul role=none><li>a</ul>",
            "<ul role=menu><li role=none>a</ul><ul><li>b</ul>",
        ] {
            assert_passes(&LIST_STRUCTURE, html);
        }
    }

    #[test]
    fn other_children_fail_once_per_list() {
        for html in [
            "<ul><div>a</div><p>b</p></ul>",
            "<ol><li>a</li><ol><li>b</li></ol></ol>",
            "<ul>text<li>a</ul>",
            "<dl><p>a</p><dt>b<dd>c</dl>",
            "<dl><li>a</li></dl>",
        ] {
            let findings = if html.contains("<dl><li>") { 2 } else { 1 };
            assert_fails(&LIST_STRUCTURE, html, findings);
        }
    }

    #[test]
    fn description_lists_with_names_or_values_alone_fail() {
        for html in [
            "<dl><dt>a</dl>",
            "<dl><dt>a<dt>b</dl>",
            "<dl><dd>a</dl>",
            "<dl><dd>a<dt>b</dl>",
            "<dl><div><dt>a<dd>b</div><div><dt>c</div></dl>",
            "<dl><div><dt>a<dd>b<p>c</p></dd></div><div><p>d</p></div></dl>",
        ] {
            assert_fails(&LIST_STRUCTURE, html, 1);
        }
        for html in [
            "<dl></dl>",
            "<dl><dt>a<dt>b<dd>c<dd>d</dl>",
            "<dl><dt>a</dt><dd hidden>b</dd></dl>",
            "<dl><div><dt>a<dd>b</div><script></script></dl>",
            "<dl><div role=term>a</div><div role=definition>b</div></dl>",
        ] {
            let found = outcome(&LIST_STRUCTURE, html);
            assert!(!matches!(found, Outcome::Failed(_)), "{html} {found:?}");
        }
    }

    #[test]
    fn items_with_the_role_of_something_else_fail() {
        for html in [
            "<ul><li role=button tabindex=0>a</ul>",
            "<ol><li>a</li><li role=tab>b</li></ol>",
            "<ul><li>a</li><li role=separator></li></ul>",
            "<ul><li role=presentation><a href=x>a</a></ul>",
        ] {
            assert_fails(&LIST_STRUCTURE, html, 1);
        }
        for html in [
            "<ul><li><button>a</button></ul>",
            "<ul><li role=listitem>a</ul>",
            "<ul><li role=unknown>a</ul>",
            "<ul><li>a</li><li role=button hidden>b</li></ul>",
            "<ul role=menu><li role=menuitem>a</ul><ul><li>b</ul>",
        ] {
            assert_passes(&LIST_STRUCTURE, html);
        }
    }

    #[test]
    fn items_outside_a_list_fail() {
        assert_fails(&LIST_STRUCTURE, "<div><li>a</div><p><dd>b", 2);
        assert_fails(&LIST_STRUCTURE, "<ul><li><section><li>a</section></ul>", 1);
    }

    #[test]
    fn lists_with_another_role_are_not_applicable() {
        assert_not_applicable(
            &LIST_STRUCTURE,
            "<ul role=tablist><div role=tab>a</div></ul>",
        );
        assert_not_applicable(&LIST_STRUCTURE, "<ul hidden><p>a</ul>");
    }

    #[test]
    fn custom_elements_cannot_tell() {
        for html in ["<ul><my-item>a</my-item></ul>", "<my-list><li>a</my-list>"] {
            let found = outcome(&LIST_STRUCTURE, html);
            assert!(matches!(found, Outcome::CannotTell(_)), "{html}");
        }
    }
}
