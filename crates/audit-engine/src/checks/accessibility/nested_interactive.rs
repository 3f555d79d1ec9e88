//! Controls hold no other controls.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeId};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element whose inside assistive technology does not meet, such as a button, a checkbox,
    /// a tab or an image, holds an element that the Tab key reaches.
    ///
    /// ## Why it matters
    /// The inner control takes the focus and a screen reader may not announce it, or reads it as
    /// text of the outer one. Which of the two a key press acts on is not clear either.
    ///
    /// ## How to fix it
    /// Put the two controls beside each other instead of one into the other.
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
    /// Links within links and other elements whose inside is not presentational are not judged.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 307n5z, Element with presentational children has no focusable content
    NESTED_INTERACTIVE {
        id: "nested-interactive",
        title: "Controls within controls",
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
            format!("The Tab key reaches this element, which stands within a {role}."),
        )
    })
}

/// The outermost elements whose children are presentational, so that no subtree is read twice.
fn hosts<'a>(page: &'a Page, tree: &AccessTree<'a>) -> Vec<ElementRef<'a>> {
    let dom = page.dom();
    let mut hosts = Vec::new();
    // The first element behind the host that is being passed.
    let mut goes_on: Option<Option<NodeId>> = None;
    for element in page.elements() {
        if goes_on.is_some_and(|behind| behind != Some(element.id())) {
            continue;
        }
        goes_on = None;
        let leaf = tree.role(element).is_some_and(|role| role.hides_children());
        if leaf && !is_void(element) && tree.is_exposed(element) {
            hosts.push(element);
            let mut walk = dom.descendants(dom.document());
            walk.skip_children(element.id());
            goes_on = Some(walk.find(|id| dom.element(*id).is_some()));
        }
    }
    hosts
}

/// Elements that cannot hold anything.
fn is_void(element: ElementRef<'_>) -> bool {
    element.is_html() && matches!(element.name(), "hr" | "img" | "input")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn controls_beside_each_other_pass() {
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
    fn a_control_within_a_control_fails() {
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
    fn every_host_is_judged_but_none_within_another() {
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
    fn elements_whose_inside_is_met_are_not_judged() {
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
