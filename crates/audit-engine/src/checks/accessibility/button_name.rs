//! Finds buttons, menu items and `summary` elements without an accessible name.

use crate::aria::AccessTree;
use crate::aria::focus::is_details_summary;
use crate::check::Outcome;
use crate::common::text::described::picture_in;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every button, menu item and `summary` has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader announces only "button", so its users do not know what the button does. Users of
    /// speech control have no name to activate it by.
    ///
    /// ## How to fix it
    /// Give the button a text, as in `<button>Search</button>`. If it shows only an icon, name its action with an
    /// `alt` on the image, or with `aria-label` on the button: `<button aria-label="Close">`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><button><svg viewBox="0 0 9 9"><path d="M0 0 9 9"/></svg></button></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><button aria-label="Close"><svg viewBox="0 0 9 9"><path d="M0 0 9 9"/></svg></button></html>
    /// ```
    ///
    /// ## Limits
    /// Text that a style sheet adds with `content` may be the name of the button; the check cannot
    /// tell then. It does not evaluate whether the name describes the action. `input-button-name`
    /// and `input-image-alt` evaluate `input` buttons. In static mode, the check does not see a
    /// name that a script sets.
    ///
    /// ## Also known as
    /// - axe: `button-name`
    /// - axe: `aria-command-name`
    /// - axe: `link-name`, for a link with the role button
    /// - axe: `summary-name`
    /// - Lighthouse: `button-name`
    /// - Lighthouse: `aria-command-name`
    /// - WAVE: Empty button
    /// - WCAG: Failure F68
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 97a4e1, Button has non-empty accessible name
    /// - W3C ACT rule m6b1q3, Menuitem has non-empty accessible name
    /// - W3C ACT rule 2t702h, Summary element has non-empty accessible name
    BUTTON_NAME {
        id: "button-name",
        title: "Buttons without discernible text",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let buttons = page
        .elements_with(Traits::BUTTON.or(Traits::ROLE))
        .filter(|element| is_button(&tree, *element) && tree.is_exposed(*element));
    Outcome::for_each(buttons, |button| {
        tree.named(button, || {
            format!(
                "This {} has no text and no other accessible name.{}",
                if button.is("summary") {
                    "summary"
                } else if tree.has_role(button, "menuitem") {
                    "menu item"
                } else {
                    "button"
                },
                picture_in(button)
            )
        })
    })
}

fn is_button<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    if element.is("input") || !(element.has_attr("role") || is_native_button(element)) {
        return false;
    }
    match tree.role(element) {
        Some(role) => role.is_any(&["button", "menuitem"]),
        None => is_details_summary(element),
    }
}

fn is_native_button(element: ElementRef<'_>) -> bool {
    element.is("button") || element.is("summary")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn text_images_and_labels_name_a_button() {
        for html in [
            "<button>Save</button>",
            "<button><img src=x alt=Save></button>",
            "<button><svg><title>Save</title></svg></button>",
            "<button aria-label=Save><i class=icon></i></button>",
            "<button title=Save></button>",
            "<button><span class=sr-only>Save</span></button>",
            "<label>Save <button></button></label>",
            "<button aria-labelledby=l><span id=l hidden>Save</span></button>",
            "<details><summary>Hours</summary></details>",
            "<div role=menuitem>New</div>",
        ] {
            assert_passes(&BUTTON_NAME, html);
        }
    }

    #[test]
    fn a_button_without_text_fails() {
        for html in [
            "<button></button>",
            "<button value=delete></button>",
            "<button><i class=icon></i></button>",
            "<button><img src=x alt=''></button>",
            "<button><span aria-hidden=true>×</span></button>",
            "<button role=none></button>",
            "<span role=button></span>",
            "<a role=button href=#></a>",
            "<details><summary></summary></details>",
            "<div role=menuitem><img src=x alt=''></div>",
        ] {
            assert_fails(&BUTTON_NAME, html, 1);
        }
    }

    #[test]
    fn hidden_and_other_elements_are_not_applicable() {
        for html in [
            "<button style='display: none'></button>",
            "<button role=link></button>",
            "<button role=none disabled></button>",
            "<input type=submit value=''>",
            "<summary></summary>",
        ] {
            assert_not_applicable(&BUTTON_NAME, html);
        }
    }

    #[test]
    fn text_from_a_style_sheet_cannot_tell() {
        let outcome_with = |css: &str| {
            let html = "<link rel=stylesheet href=x><details class=top open><summary class=hideme><span>Expand</span></summary></details>";
            evaluate(&Page::builder().sheet("x", css).html(html))
        };
        let hidden = "[open] > .hideme > span{display:none}";
        let named = format!("{hidden}.top[open] > .hideme::after{{content:'Collapse'}}");
        assert!(matches!(outcome_with(&named), Outcome::CannotTell(_)));
        let icon = format!("{hidden}.hideme::before{{content:'\\f00d'}}");
        for css in [hidden, &icon] {
            assert!(matches!(outcome_with(css), Outcome::Failed(_)), "{css}");
        }
    }

    #[test]
    fn a_custom_element_inside_cannot_tell() {
        let outcome = outcome(&BUTTON_NAME, "<button><my-icon name=x></my-icon></button>");
        assert!(matches!(outcome, Outcome::CannotTell(_)));
    }
}
