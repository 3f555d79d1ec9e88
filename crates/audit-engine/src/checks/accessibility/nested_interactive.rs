//! Finds focusable elements nested inside controls.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element with presentational children, such as a button, a checkbox, a tab or an image, contains an
    /// element that users can reach with the Tab key.
    ///
    /// ## Why it matters
    /// The inner control receives focus, but a screen reader may not announce it, or announces it as text of
    /// the outer control. It is also unclear which of the two controls a key press activates.
    ///
    /// ## How to fix it
    /// Place the two controls next to each other instead of nesting them.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><button>Save <span role="button" tabindex="0" aria-label="Options">▾</span></button></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><button>Save</button><button aria-label="Options">▾</button></html>
    /// ```
    ///
    /// ## Limits
    /// Links inside links and other elements without presentational children are not evaluated.
    ///
    /// ## Also known as
    /// - axe: `nested-interactive`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 307n5z, Element with presentational children has no focusable content
    NESTED_INTERACTIVE {
        id: "nested-interactive",
        title: "Nested interactive controls",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let hosts = hosts(page, &tree);
    Outcome::for_each(hosts, |host| {
        let mut inside = host
            .descendants()
            .filter(|element| tree.is_tabbable(*element) && tree.is_exposed(*element));
        let Some(control) = inside.next() else {
            return Verdict::Pass;
        };
        let role = tree.role(host).map_or("control", |role| role.name());
        tree.failure(
            control,
            format!("This element is focusable with the Tab key, but it is inside an element with the role {role}, whose children are presentational."),
        )
    })
}

/// The outermost elements with presentational children, so that no subtree is examined twice.
fn hosts<'a>(page: &'a Page, tree: &AccessTree<'a>) -> Vec<ElementRef<'a>> {
    let dom = page.dom();
    let mut hosts = Vec::new();
    // The first element after the current host.
    let mut resume_at: Option<Option<NodeId>> = None;
    for element in page.elements() {
        if resume_at.is_some_and(|after| after != Some(element.id())) {
            continue;
        }
        resume_at = None;
        let leaf = tree.role(element).is_some_and(|role| role.hides_children());
        if leaf && !is_void(element) && tree.is_exposed(element) {
            hosts.push(element);
            let mut walk = dom.descendants(dom.document());
            walk.skip_children(element.id());
            resume_at = Some(walk.find(|id| dom.element(*id).is_some()));
        }
    }
    hosts
}

/// Elements that cannot have children.
fn is_void(element: ElementRef<'_>) -> bool {
    element.is_html() && matches!(element.name(), "hr" | "img" | "input")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn adjacent_controls_pass() {
        for html in [
            "<button>a</button><button>b</button>",
            "<p><span role=checkbox tabindex=0>a</span><a href=x>b</a></p>",
            "<li role=menuitemcheckbox><input type=checkbox role=none disabled>a</li>",
            "<button><span tabindex=-1>a</span></button>",
            "<button>a<a name=x></a></button>",
        ] {
            assert_passes(&NESTED_INTERACTIVE, html);
        }
    }

    #[test]
    fn a_control_inside_a_control_fails() {
        for html in [
            "<button>a <span role=button tabindex=0>b</span></button>",
            "<button><a href=x>a</a></button>",
            "<p role=checkbox tabindex=0>a <a href=x>b</a></p>",
            "<li role=menuitemcheckbox><input type=checkbox>a</li>",
            "<span role=img aria-label=a><a href=#>b</a></span>",
        ] {
            assert_fails(&NESTED_INTERACTIVE, html, 1);
        }
    }

    #[test]
    fn only_outermost_hosts_are_reported() {
        for (html, findings) in [
            (
                "<button><a href=x>a</a></button> b <button><a href=y>c</a></button>",
                2,
            ),
            (
                "<button><a href=x>a</a></button><p>b<p><button><a href=y>c</a></button>",
                2,
            ),
            (
                "<span role=button>a<b role=img><a href=x>b</a></b></span><p>c",
                1,
            ),
            ("<p>a<p><button><a href=x>b</a></button>", 1),
        ] {
            assert_fails(&NESTED_INTERACTIVE, html, findings);
        }
    }

    #[test]
    fn elements_without_presentational_children_are_not_applicable() {
        for html in [
            "<table><th><a href=x>a</a></th></table>",
            "<a href=x><span tabindex=0>a</span></a>",
            "<div hidden><button><a href=x>a</a></button></div>",
            "<hr><img src=x alt=x><input type=checkbox>",
        ] {
            assert_not_applicable(&NESTED_INTERACTIVE, html);
        }
    }
}
