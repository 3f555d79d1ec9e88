//! What is hidden from assistive technology takes no focus.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element that the Tab key reaches has `aria-hidden="true"` or stands within an element
    /// that has it.
    ///
    /// ## Why it matters
    /// The focus goes there and a screen reader says nothing. People do not know where they are
    /// or what the Enter key would do.
    ///
    /// ## How to fix it
    /// Remove `aria-hidden` where the control matters. Where it does not, take it out of the focus
    /// order as well: put `inert` or `hidden` on the container, or `tabindex="-1"` on the control.
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
    /// A style sheet often hides such containers altogether, which only a browser sees. Without one the check fails
    /// only where the control itself has the attribute or where nothing between the two has a
    /// class or id that a style sheet could use; elsewhere it cannot tell. Where all style sheets could be read and no
    /// script may add others, they decide. Nor can it tell of a control with `onfocus`, which may hand the focus on.
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 6cfa84, Element with aria-hidden has no content in sequential focus navigation
    ARIA_HIDDEN_FOCUS {
        id: "aria-hidden-focus",
        title: "Controls that take focus and are hidden from screen readers",
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
    Outcome::for_each(hosts, |host| judge(&tree, host))
}

/// The outermost elements with `aria-hidden`; the body is another check's business.
fn is_host<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    element.attr_is("aria-hidden", "true")
        && !element.is("body")
        && !tree.exposure(element).hidden
        && element
            .parent()
            .is_none_or(|parent| tree.is_exposed(parent) || parent.is("body"))
}

fn judge<'a>(tree: &AccessTree<'a>, host: ElementRef<'a>) -> Verdict {
    if tree.is_tabbable(host) {
        return tree.failure(
            host,
            "The Tab key reaches this element, and aria-hidden hides it from assistive technology.",
        );
    }
    let mut inside = host
        .descendants()
        .filter(|element| tree.is_tabbable(*element));
    let Some(control) = inside.next() else {
        return Verdict::Pass;
    };
    if control.has_attr("onfocus") {
        return Verdict::CannotTell("A script may move the focus on as soon as it arrives.");
    }
    if has_other_sheets(tree) && may_be_styled(host, control) {
        return Verdict::CannotTell(
            "A style sheet may hide what has aria-hidden; only a browser can tell.",
        );
    }
    tree.failure(
        control,
        "The Tab key reaches this element, which stands within one that aria-hidden hides from assistive technology.",
    )
}

/// Whether sheets that are not in the page, or that a script adds, may style it.
fn has_other_sheets(tree: &AccessTree<'_>) -> bool {
    let page = tree.page();
    !tree.styles().is_complete() || page.html("script").any(|script| script.has_attr("src"))
}

/// Whether a class or an id between the two gives a style sheet a hold on them.
fn may_be_styled(host: ElementRef<'_>, control: ElementRef<'_>) -> bool {
    let has_hold = |element: ElementRef<'_>| element.has_attr("class") || element.has_attr("id");
    has_hold(control)
        || has_hold(host)
        || control
            .ancestors()
            .take_while(|ancestor| *ancestor != host)
            .any(has_hold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn hidden_content_that_takes_no_focus_passes() {
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
    fn hidden_content_that_takes_focus_fails() {
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
    fn a_container_that_a_style_sheet_may_hide_is_not_guessed_at() {
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
    fn a_control_that_hands_the_focus_on_is_not_guessed_at() {
        let html = "<p aria-hidden=true><a href=x onfocus='next()'>x</a></p>";
        assert!(matches!(
            outcome(&ARIA_HIDDEN_FOCUS, html),
            Outcome::CannotTell(_)
        ));
    }

    #[test]
    fn only_the_outermost_container_is_judged() {
        assert_fails(
            &ARIA_HIDDEN_FOCUS,
            "<div aria-hidden=true><p aria-hidden=true><a href=x>x</a></div>",
            1,
        );
    }

    #[test]
    fn nothing_hidden_is_not_judged() {
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
