//! Lists are made of list items.

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
    /// `ul`, `ol` and `dl` hold nothing but their items, and `li`, `dt` and `dd` stand in such a
    /// list.
    ///
    /// ## Why it matters
    /// A screen reader says how long a list is and where in it one stands. With other elements
    /// in between, or items outside of a list, it counts wrong or says nothing.
    ///
    /// ## How to fix it
    /// Put only `li` elements into `ul` and `ol`, and a list within a list into an `li`. Put only `dt`, `dd`,
    /// and `div` elements around groups of them, into `dl`.
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
    /// Lists with a role of their own are judged by that role elsewhere. What stands in a custom element is
    /// not judged, since a script may put it into a list.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.3.1 Info and Relationships (A)
    /// - W3C ACT rule bc4a75, ARIA required owned elements (proposed)
    /// - HTML Standard, sections 4.4.5 to 4.4.11, the ol, ul, menu, li, dl, dt and dd elements
    LIST_STRUCTURE {
        id: "list-structure",
        title: "Lists with wrong contents, or items outside of a list",
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
            judge_list(&tree, part)
        } else {
            judge_item(&tree, part)
        }
    })
}

fn judge_list<'a>(tree: &AccessTree<'a>, list: ElementRef<'a>) -> Verdict {
    if has_text_of_its_own(list) {
        return tree.failure(
            list,
            format!(
                "Text stands directly in this {}, outside of its items.",
                list.name()
            ),
        );
    }
    let mut wrong = list
        .children()
        .filter(|child| !belongs(list, *child) && tree.is_exposed(*child));
    match wrong.next() {
        None => Verdict::Pass,
        Some(child) if child.name().contains('-') => {
            Verdict::CannotTell("A custom element in a list may be one of its items.")
        }
        Some(child) if !list.is("dl") && !holds_item(tree, list) => tree.failure(
            list,
            format!(
                "This {} holds no item, and a {} in their place; expected only li.",
                list.name(),
                child.name()
            ),
        ),
        Some(child) => tree.failure(
            list,
            format!(
                "This {} has a {} among its items; expected only {}.",
                list.name(),
                child.name(),
                if list.is("dl") {
                    "dt, dd and div"
                } else {
                    "li"
                }
            ),
        ),
    }
}

/// Whether an item stands in the list or in a box in it.
fn holds_item<'a>(tree: &AccessTree<'a>, list: ElementRef<'a>) -> bool {
    list.descendants()
        .take(1_000)
        .any(|inner| tree.has_role(inner, "listitem") || inner.is("li"))
}

fn belongs(list: ElementRef<'_>, child: ElementRef<'_>) -> bool {
    if list.is("dl") {
        return child.is("dt")
            || child.is("dd")
            || child.is("div")
            || explicit_role(child).is_some_and(|role| role.is_any(&["term", "definition"]));
    }
    child.is("li") || has_role(child, "listitem")
}

fn has_text_of_its_own(list: ElementRef<'_>) -> bool {
    let dom = list.dom();
    dom.children(list.id())
        .any(|id| matches!(dom.data(id), Some(NodeData::Text(run)) if !is_blank(run)))
}

fn judge_item<'a>(tree: &AccessTree<'a>, item: ElementRef<'a>) -> Verdict {
    let parent = item.parent();
    if parent.is_some_and(|parent| parent.name().contains('-')) {
        return Verdict::CannotTell(
            "A script may put what stands in a custom element into a list.",
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
        format!("This {} stands outside of a {expected}.", item.name()),
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
    fn other_contents_fail_once_for_each_list() {
        for html in [
            "<ul><div>a</div><p>b</p></ul>",
            "<ol><li>a</li><ol><li>b</li></ol></ol>",
            "<ul>text<li>a</ul>",
            "<dl><p>a</p><dt>b<dd>c</dl>",
            "<dl><li>a</li></dl>",
        ] {
            let places = if html.contains("<dl><li>") { 2 } else { 1 };
            assert_fails(&LIST_STRUCTURE, html, places);
        }
    }

    #[test]
    fn items_outside_of_a_list_fail() {
        assert_fails(&LIST_STRUCTURE, "<div><li>a</div><p><dd>b", 2);
        assert_fails(&LIST_STRUCTURE, "<ul><li><section><li>a</section></ul>", 1);
    }

    #[test]
    fn lists_with_a_role_are_judged_elsewhere() {
        assert_not_applicable(
            &LIST_STRUCTURE,
            "<ul role=tablist><div role=tab>a</div></ul>",
        );
        assert_not_applicable(&LIST_STRUCTURE, "<ul hidden><p>a</ul>");
    }

    #[test]
    fn custom_elements_are_not_guessed_at() {
        for html in ["<ul><my-item>a</my-item></ul>", "<my-list><li>a</my-list>"] {
            let found = outcome(&LIST_STRUCTURE, html);
            assert!(matches!(found, Outcome::CannotTell(_)), "{html}");
        }
    }
}
