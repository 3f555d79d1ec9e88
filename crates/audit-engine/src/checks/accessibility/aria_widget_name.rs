//! Widgets made with roles have a name.

use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every element that is a form field, tab, tree item, dialog, meter or progress bar by its
    /// role, and not a native form field, has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader says "edit text", "tab" or "dialog" and not which. People cannot tell such widgets
    /// apart.
    ///
    /// ## How to fix it
    /// Name the widget with `aria-label`, or point `aria-labelledby` at the text that stands beside it. Better,
    /// use a native form field with a `label`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><p>Notes</p><div role="textbox" contenteditable="true"></div></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><p id="n">Notes</p><div role="textbox" contenteditable="true" aria-labelledby="n"></div></html>
    /// ```
    ///
    /// ## Limits
    /// Whether the name describes the widget is not judged. Buttons, links and menu items are other checks'
    /// business. Tooltips, which scripts fill when they show them, are not judged. Names that scripts set are seen in rendered mode only.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule e086e5, Form field has non-empty accessible name
    ARIA_WIDGET_NAME {
        id: "aria-widget-name",
        title: "Widgets without a name",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const ROLES: [&str; 17] = [
    "alertdialog",
    "checkbox",
    "combobox",
    "dialog",
    "listbox",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "progressbar",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
];

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let widgets = page
        .elements_with(Traits::WIDGET.or(Traits::ROLE))
        .filter_map(|element| {
            if is_native_field(element) {
                return None;
            }
            let role = tree.role(element).filter(|role| role.is_any(&ROLES))?;
            tree.is_exposed(element).then_some((element, role))
        });
    Outcome::for_each(widgets, |(widget, role)| {
        tree.named(widget, || {
            format!("This element has the role {role:?} and no accessible name.")
        })
    })
}

/// Fields that the checks `label` and `select-name` judge, and buttons of forms.
fn is_native_field(element: ElementRef<'_>) -> bool {
    element.is_html() && matches!(element.name(), "input" | "select" | "textarea")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn named_widgets_pass() {
        for html in [
            "<div aria-label=Country role=combobox aria-disabled=true>England</div>",
            "<div role=checkbox>I agree</div>",
            "<label>Done <progress value=1></progress></label>",
            "<button role=tab>One</button>",
            "<dialog open aria-labelledby=h><h2 id=h>Sign in</h2></dialog>",
        ] {
            assert_passes(&ARIA_WIDGET_NAME, html);
        }
    }

    #[test]
    fn what_stands_in_a_field_does_not_name_it() {
        for html in [
            "<div role=textbox>first name</div>",
            "<div role=tab></div>",
            "<progress value=1>50 %</progress>",
            "<dialog open>Sign in</dialog>",
            "<ul role=listbox><li role=option>a</ul>",
        ] {
            assert_fails(&ARIA_WIDGET_NAME, html, 1);
        }
    }

    #[test]
    fn native_fields_and_other_roles_are_not_judged() {
        for html in [
            "<input><select></select><textarea></textarea>",
            "<input role=switch type=checkbox>",
            "<button></button><a href=x></a>",
            "<dialog>x</dialog>",
            "<div role=menu></div>",
        ] {
            assert_not_applicable(&ARIA_WIDGET_NAME, html);
        }
    }
}
