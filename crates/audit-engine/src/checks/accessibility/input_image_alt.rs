//! Image buttons have a text alternative.

use crate::aria::input_type;
use crate::check::Outcome;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `<input type="image">` has an accessible name.
    ///
    /// ## Why it matters
    /// The image is the button's only label. Without a text a screen reader reads the file name
    /// or "button", and people who speak commands cannot name it.
    ///
    /// ## How to fix it
    /// Say in `alt` what the button does: `<input type="image" src="go.png" alt="Search">`.
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
    /// Whether the text describes the action is not judged. The word that browsers put in the
    /// place of a missing text is no name of this button and does not count.
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
            "This image button has neither an alt text nor another accessible name.".to_owned()
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
    fn other_inputs_and_hidden_ones_are_not_judged() {
        assert_not_applicable(&INPUT_IMAGE_ALT, "<input type=button value=x><img src=x>");
        assert_not_applicable(&INPUT_IMAGE_ALT, "<input type=image src=x hidden>");
    }
}
