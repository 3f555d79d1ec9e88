//! Finds form fields without a label or other accessible name.

use crate::aria::input_type;
use crate::check::Outcome;
use crate::common::text::described::field_name;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `input` for user data, and every `textarea`, has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader announces only "edit text" and not what to enter. An associated label also makes the
    /// click target larger for all users.
    ///
    /// ## How to fix it
    /// Connect a visible label with the field by its `id`: `<label for="mail">Email</label> <input id="mail">`. If
    /// the design shows no label, use `aria-label`. A `placeholder` is no label.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Sign up</title><form>Email <input type="email" name="mail"></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Sign up</title><form><label>Email <input type="email" name="mail"></label></form></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the label describes the field. A `placeholder` or
    /// `title` counts as a name, because browsers use it as one, but a visible label is better.
    /// `input-button-name`, `input-image-alt` and `select-name` evaluate buttons and `select`
    /// elements.
    ///
    /// ## Also known as
    /// - axe: `label`
    /// - Lighthouse: `label`
    /// - WAVE: Missing form label
    /// - WCAG: Failure F68
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule e086e5, Form field has non-empty accessible name
    LABEL {
        id: "label",
        title: "Form fields without a label",
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
    let fields = page
        .elements_with(Traits::FIELD)
        .filter(|element| is_field(*element) && tree.is_exposed(*element))
        .filter(|field| !tree.has_role(*field, "none"));
    Outcome::for_each(fields, |field| {
        tree.named(field, || {
            let kind = if field.is("textarea") {
                "text area".to_owned()
            } else {
                format!("field of type {}", input_type(field))
            };
            format!(
                "The {kind}{} has no label and no other accessible name.",
                field_name(field)
            )
        })
    })
}

fn is_field(element: ElementRef<'_>) -> bool {
    element.is("textarea")
        || (element.is("input")
            && !matches!(
                input_type(element),
                "hidden" | "submit" | "reset" | "button" | "image"
            ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn any_source_of_a_name_passes() {
        for html in [
            "<label for=a>Name</label><input id=a>",
            "<label>Name <input></label>",
            "<input aria-label=Name disabled>",
            "<input title=Name>",
            "<input placeholder=Name>",
            "<p id=l hidden>Name</p><input aria-labelledby=l>",
            "<label for=a hidden>Name</label><textarea id=a></textarea>",
            "<label><img src=x alt=Name><input type=checkbox></label>",
        ] {
            assert_passes(&LABEL, html);
        }
    }

    #[test]
    fn adjacent_text_and_empty_labels_fail() {
        for html in [
            "Name <input>",
            "<label>Name</label><input>",
            "<label for=b>Name</label><input id=a>",
            "<label><input type=checkbox></label>",
            "<input aria-label=' '>",
            "<textarea>text</textarea>",
            "<input type=checkbox placeholder=x>",
            "<input value=text>",
        ] {
            assert_fails(&LABEL, html, 1);
        }
    }

    #[test]
    fn other_controls_and_hidden_fields_are_not_applicable() {
        for html in [
            "<input type=hidden>",
            "<input type=submit>",
            "<input type=image>",
            "<select></select>",
            "<input style='display:none'>",
            "<input role=none disabled>",
            "<div aria-hidden=true style='position:absolute;left:-5000px'><input tabindex=-1></div>",
        ] {
            assert_not_applicable(&LABEL, html);
        }
    }

    #[test]
    fn a_label_names_only_the_first_element_with_the_id() {
        assert_fails(&LABEL, "<label for=a>x</label><input id=a><input id=a>", 1);
    }
}
