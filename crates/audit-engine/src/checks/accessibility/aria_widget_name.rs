//! Finds widgets and dialogs without an accessible name.

use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every element whose role is a form field, tab, tree item, dialog, tooltip, meter or progress bar has an
    /// accessible name. Native form fields are excluded.
    ///
    /// ## Why it matters
    /// A screen reader announces only "edit text", "tab" or "dialog". Users cannot tell such widgets apart.
    ///
    /// ## How to fix it
    /// Name the widget with `aria-label`, or refer to its visible label with `aria-labelledby`. Better, use a
    /// native form field with a `label`.
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
    /// The check does not evaluate whether the name describes the widget. `button-name`,
    /// `link-name`, `label` and `select-name` evaluate buttons, menu items, links and native form
    /// fields. Hidden elements, such as a tooltip before it appears, are not evaluated. In static
    /// mode, the check does not see a name that a script sets.
    ///
    /// ## Also known as
    /// - axe: `aria-input-field-name`
    /// - axe: `aria-toggle-field-name`
    /// - axe: `aria-dialog-name`
    /// - axe: `aria-meter-name`
    /// - axe: `aria-progressbar-name`
    /// - axe: `aria-tab-name`
    /// - axe: `aria-treeitem-name`
    /// - axe: `aria-tooltip-name`
    /// - Lighthouse: `aria-input-field-name`
    /// - Lighthouse: `aria-toggle-field-name`
    /// - Lighthouse: `aria-dialog-name`
    /// - Lighthouse: `aria-meter-name`
    /// - Lighthouse: `aria-progressbar-name`
    /// - Lighthouse: `aria-treeitem-name`
    /// - Lighthouse: `aria-tooltip-name`
    /// - WCAG: Failure F68
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule e086e5, Form field has non-empty accessible name
    ARIA_WIDGET_NAME {
        id: "aria-widget-name",
        title: "Widgets and dialogs without an accessible name",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const ROLES: [&str; 18] = [
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
    "tooltip",
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
            format!("The element with the role {role:?} has no accessible name.")
        })
    })
}

/// Native form fields and buttons, which `label`, `select-name`, `input-button-name` and `input-image-alt` evaluate.
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
    fn a_tooltip_is_named_by_its_content() {
        for html in [
            "<div role=tooltip></div>",
            "<span role=tooltip><img src=a alt=''></span>",
            "<div role=tooltip aria-label=' '> </div>",
        ] {
            assert_fails(&ARIA_WIDGET_NAME, html, 1);
        }
        for html in [
            "<div role=tooltip>Saves the file</div>",
            "<div role=tooltip aria-label='Saves the file'></div>",
        ] {
            assert_passes(&ARIA_WIDGET_NAME, html);
        }
        for html in [
            "<div role=tooltip hidden></div>",
            "<style>.tip{visibility:hidden}</style><div class=tip role=tooltip></div>",
        ] {
            assert_not_applicable(&ARIA_WIDGET_NAME, html);
        }
    }

    #[test]
    fn the_content_of_a_field_is_not_its_name() {
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
    fn native_fields_and_other_roles_are_not_applicable() {
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
