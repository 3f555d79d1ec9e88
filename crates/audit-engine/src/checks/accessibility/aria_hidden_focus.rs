//! Finds keyboard-focusable elements that are hidden with `aria-hidden`.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element that users can reach with the Tab key has `aria-hidden="true"` or is inside an element that
    /// has it.
    ///
    /// ## Why it matters
    /// The element receives focus, but a screen reader announces nothing. Users do not know where the focus
    /// is or what the Enter key does.
    ///
    /// ## How to fix it
    /// Remove `aria-hidden` if users need the control. Otherwise remove the control from the focus order too:
    /// put `inert` or `hidden` on the container, or `tabindex="-1"` on the control.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Guide</title><h2>Opening hours <a href="#hours" aria-hidden="true">#</a></h2></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Guide</title><h2>Opening hours <a href="#hours" aria-hidden="true" tabindex="-1">#</a></h2></html>
    /// ```
    ///
    /// ## Limits
    /// A style sheet often hides such containers completely. In static mode, the check fails if the
    /// control itself has the attribute, or if no element between the container and the control has
    /// a class or id that a style sheet could select. It also decides if it could read all style
    /// sheets and no script may add others. Otherwise it cannot tell. It also cannot tell for a
    /// control with `onfocus`, which may move the focus to another element, and for an empty
    /// `div` or `span` with `tabindex` on a page with scripts, which may be a focus sentinel.
    ///
    /// ## Also known as
    /// - axe: `aria-hidden-focus`
    /// - Lighthouse: `aria-hidden-focus`
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 6cfa84, Element with aria-hidden has no content in sequential focus navigation
    ARIA_HIDDEN_FOCUS {
        id: "aria-hidden-focus",
        title: "Focusable elements hidden with aria-hidden",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let hosts = page
        .elements_with(Traits::ARIA)
        .filter(|element| is_host(&tree, *element));
    Outcome::for_each(hosts, |host| evaluate_host(&tree, host))
}

/// The outermost elements with `aria-hidden`. `aria-hidden-body` reports the body.
fn is_host<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    element.attr_is("aria-hidden", "true")
        && !element.is("body")
        && !tree.exposure(element).hidden
        && element
            .parent()
            .is_none_or(|parent| tree.is_exposed(parent) || parent.is("body"))
}

fn evaluate_host<'a>(tree: &AccessTree<'a>, host: ElementRef<'a>) -> Verdict {
    if tree.is_tabbable(host) {
        if is_sentinel(tree, host) {
            return Verdict::CannotTell(SENTINEL);
        }
        return tree.failure(
            host,
            "This element is focusable with the Tab key, and its aria-hidden hides it from assistive technology.",
        );
    }
    let mut inside = host
        .descendants()
        .filter(|element| tree.is_tabbable(*element));
    let Some(control) = inside.next() else {
        return Verdict::Pass;
    };
    if control.has_attr("onfocus") {
        return Verdict::CannotTell(
            "A script may move the focus to another element when this one receives it.",
        );
    }
    if is_sentinel(tree, control) {
        return Verdict::CannotTell(SENTINEL);
    }
    if may_have_unread_styles(tree) && may_be_selected(host, control) {
        return Verdict::CannotTell(
            "A style sheet may hide the element with aria-hidden completely; this cannot be determined in static mode.",
        );
    }
    tree.failure(
        control,
        "This element is focusable with the Tab key, and the aria-hidden of an ancestor hides it from assistive technology.",
    )
}

/// Why a focus sentinel is not reported.
const SENTINEL: &str = "The element is empty and focusable only by tabindex; a script may move the focus on when it receives it.";

/// Whether the element may be a focus sentinel: an empty box around a dialog or a menu that is focusable only so that
/// a script learns that the focus leaves.
fn is_sentinel(tree: &AccessTree<'_>, element: ElementRef<'_>) -> bool {
    matches!(element.name(), "div" | "span")
        && element.has_attr("tabindex")
        && !element.has_attr("contenteditable")
        && element.children().next().is_none()
        && element.text().is_empty()
        && tree.page().runs_scripts()
}

/// Whether the page may have styles that the check did not read, from external sheets or scripts.
fn may_have_unread_styles(tree: &AccessTree<'_>) -> bool {
    let page = tree.page();
    let styles = tree.styles();
    !styles.are_computed()
        && (!styles.is_complete() || page.html("script").any(|script| script.has_attr("src")))
}

/// Whether an element from `host` to `control` has a class or id that a style sheet could select.
fn may_be_selected(host: ElementRef<'_>, control: ElementRef<'_>) -> bool {
    let is_selectable =
        |element: ElementRef<'_>| element.has_attr("class") || element.has_attr("id");
    is_selectable(control)
        || is_selectable(host)
        || control
            .ancestors()
            .take_while(|ancestor| *ancestor != host)
            .any(is_selectable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn hidden_content_without_focusable_elements_passes() {
        for html in [
            "<div aria-hidden=true><a href=/ style='display:none'>x</a></div>",
            "<input disabled aria-hidden=true>",
            "<div aria-hidden=true><button tabindex=-1>x</button></div>",
            "<a href=#><svg aria-hidden=true></svg> x</a>",
            "<div aria-hidden=true inert><button>x</button></div>",
            "<div aria-hidden=true style='position:absolute;left:-5000px'><input tabindex=-1></div>",
        ] {
            assert_passes(&ARIA_HIDDEN_FOCUS, html);
        }
    }

    #[test]
    fn hidden_content_with_focusable_elements_fails() {
        for html in [
            "<div aria-hidden=true><a href=/ style='position:absolute; top:-999em'>x</a></div>",
            "<div aria-hidden=true><input aria-disabled=true></div>",
            "<p tabindex=0 aria-hidden=true>x</p>",
            "<details aria-hidden=true><summary>x</summary></details>",
            "<a class=anchor href=#x aria-hidden=true>#</a>",
        ] {
            assert_fails(&ARIA_HIDDEN_FOCUS, html, 1);
        }
    }

    #[test]
    fn a_container_that_a_style_sheet_may_hide_cannot_tell() {
        let html = "<div class='modal fade' aria-hidden=true><button>Close</button></div>";
        for other in ["<link rel=stylesheet href=x>", "<script src=x></script>"] {
            let outcome = outcome(&ARIA_HIDDEN_FOCUS, &format!("{other}{html}"));
            assert!(matches!(outcome, Outcome::CannotTell(_)), "{other}");
        }
        assert_fails(&ARIA_HIDDEN_FOCUS, html, 1);
        let style = "<style>.modal{display:none}</style>";
        assert_not_applicable(&ARIA_HIDDEN_FOCUS, &format!("{style}{html}"));
    }

    #[test]
    fn a_control_with_onfocus_cannot_tell() {
        let html = "<p aria-hidden=true><a href=x onfocus='next()'>x</a></p>";
        assert!(matches!(
            outcome(&ARIA_HIDDEN_FOCUS, html),
            Outcome::CannotTell(_)
        ));
    }

    #[test]
    fn focus_sentinels_of_scripts_cannot_tell() {
        let script = "<script>x()</script>";
        for html in [
            "<div tabindex=0 aria-hidden=true></div>",
            "<span aria-hidden=true tabindex=0 class=guard></span>",
            "<div aria-hidden=true><span tabindex=0 data-sentinel> </span></div>",
        ] {
            let outcome = outcome(&ARIA_HIDDEN_FOCUS, &format!("{html}{script}"));
            assert!(matches!(outcome, Outcome::CannotTell(_)), "{html}");
            assert_fails(&ARIA_HIDDEN_FOCUS, html, 1);
        }
        for html in [
            "<div tabindex=0 aria-hidden=true>x</div>",
            "<a href=x aria-hidden=true></a>",
        ] {
            assert_fails(&ARIA_HIDDEN_FOCUS, &format!("{html}{script}"), 1);
        }
    }

    #[test]
    fn nested_containers_are_reported_once() {
        assert_fails(
            &ARIA_HIDDEN_FOCUS,
            "<div aria-hidden=true><p aria-hidden=true><a href=x>x</a></div>",
            1,
        );
    }

    #[test]
    fn pages_without_exposed_aria_hidden_containers_are_not_applicable() {
        for html in [
            "<p aria-hidden=false>x",
            "<button tabindex=-1 aria-hidden>x</button>",
            "<div hidden aria-hidden=true><button>x</button></div>",
            "<body aria-hidden=true><a href=x>x</a>",
        ] {
            assert_not_applicable(&ARIA_HIDDEN_FOCUS, html);
        }
    }
}
