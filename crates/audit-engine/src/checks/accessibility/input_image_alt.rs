//! Finds image buttons without a text alternative.

use crate::aria::input_type;
use crate::check::Outcome;
use crate::common::text::described::file_name;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `<input type="image">` has an accessible name.
    ///
    /// ## Why it matters
    /// The image is the only label of the button. Without a text alternative, a screen reader announces the
    /// file name or "button", and users of speech control cannot activate the button by name.
    ///
    /// ## How to fix it
    /// Write what the image button does into `alt`: `<input type="image" src="go.png" alt="Search">`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Shop</title><form><input type="image" src="lens.png"></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Shop</title><form><input type="image" src="lens.png" alt="Search"></form></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the text describes the action. The default text that browsers use
    /// for a missing `alt` does not count, because it does not describe this button.
    ///
    /// ## Also known as
    /// - axe: `input-image-alt`
    /// - Lighthouse: `input-image-alt`
    /// - WCAG: Failure F65
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.1.1 Non-text Content (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule 59796f, Image button has non-empty accessible name
    INPUT_IMAGE_ALT {
        id: "input-image-alt",
        title: "Image buttons without a text alternative",
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
        .html("input")
        .filter(|input| input_type(*input) == "image" && tree.is_exposed(*input));
    Outcome::for_each(buttons, |button| {
        tree.named(button, || {
            let file = button.attr("src").and_then(file_name);
            format!(
                "The image button{} has no alt text and no other accessible name.",
                file.map_or_else(String::new, |file| format!(" {file}"))
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn any_source_of_a_name_passes() {
        for name in ["alt=Search", "aria-label=Search", "title=Search"] {
            assert_passes(
                &INPUT_IMAGE_ALT,
                &format!("<input type=image src=x {name}>"),
            );
        }
        assert_passes(
            &INPUT_IMAGE_ALT,
            "<input type=image aria-labelledby=l><p id=l>Search",
        );
    }

    #[test]
    fn no_name_fails() {
        assert_fails(&INPUT_IMAGE_ALT, "<input type=image src=x>", 1);
        assert_fails(&INPUT_IMAGE_ALT, "<input type=image src=x alt=''>", 1);
        assert_fails(
            &INPUT_IMAGE_ALT,
            "<input type=IMAGE aria-labelledby=nowhere>",
            1,
        );
    }

    #[test]
    fn other_and_hidden_inputs_are_not_applicable() {
        assert_not_applicable(&INPUT_IMAGE_ALT, "<input type=button value=x><img src=x>");
        assert_not_applicable(&INPUT_IMAGE_ALT, "<input type=image src=x hidden>");
    }
}
