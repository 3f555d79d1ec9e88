//! Finds `input` buttons without an accessible name.

use crate::aria::input_type;
use crate::check::Outcome;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `input` of type `button`, `submit` or `reset` has an accessible name.
    ///
    /// ## Why it matters
    /// The `value` is the text on the button. Without it, the button is blank, and a screen reader announces
    /// only "button".
    ///
    /// ## How to fix it
    /// Name the action of the button in `value`: `<input type="submit" value="Send message">`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Contact</title><form><input type="button" class="send"></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Contact</title><form><input type="button" class="send" value="Send message"></form></html>
    /// ```
    ///
    /// ## Limits
    /// A submit or reset button without a `value` attribute passes, because browsers show a default text on
    /// it.
    ///
    /// ## Also known as
    /// - axe: `input-button-name`
    /// - Lighthouse: `input-button-name`
    /// - WAVE: Empty button
    /// - WCAG: Failure F68
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 97a4e1, Button has non-empty accessible name
    INPUT_BUTTON_NAME {
        id: "input-button-name",
        title: "Input buttons without discernible text",
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
    let buttons = page.html("input").filter(|input| {
        matches!(input_type(*input), "button" | "submit" | "reset")
            && tree.is_exposed(*input)
            && !tree.has_role(*input, "none")
    });
    Outcome::for_each(buttons, |button| {
        tree.named(button, || {
            format!(
                "This {} button has no text in value and no other accessible name.",
                input_type(button)
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_value_or_the_default_text_passes() {
        for html in [
            "<input type=submit value=Send>",
            "<input type=submit>",
            "<input type=reset>",
            "<input type=button title=Send>",
            "<input type=button value='' aria-label=Send>",
        ] {
            assert_passes(&INPUT_BUTTON_NAME, html);
        }
    }

    #[test]
    fn an_empty_value_fails() {
        assert_fails(&INPUT_BUTTON_NAME, "<input type=button>", 1);
        assert_fails(&INPUT_BUTTON_NAME, "<input type=submit value=' '>", 1);
    }

    #[test]
    fn other_inputs_are_not_applicable() {
        assert_not_applicable(
            &INPUT_BUTTON_NAME,
            "<input><input type=image><button></button>",
        );
    }
}
