//! Selection lists have a name.

use crate::check::Outcome;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `select` has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader reads the chosen option and not what is being chosen. "Germany" may be
    /// where one lives or where the parcel goes.
    ///
    /// ## How to fix it
    /// Give the list an `id` and write a label for it: `<label for="country">Country</label>
    /// <select id="country">`. Where no label is shown, use `aria-label`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Order</title><form><select name="country"><option>Germany</option></select></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Order</title><form><label>Country <select name="country"><option>Germany</option></select></label></form></html>
    /// ```
    ///
    /// ## Limits
    /// The first option does not count as a name, even where it says what to choose. Lists that
    /// scripts build from other elements are not judged.
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule e086e5, Form field has non-empty accessible name
    SELECT_NAME {
        id: "select-name",
        title: "Selection lists without a label",
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
    let lists = page
        .html("select")
        .filter(|list| tree.is_exposed(*list) && !tree.has_role(*list, "none"));
    Outcome::for_each(lists, |list| {
        tree.named(list, || {
            "This selection list has no label and no other accessible name.".to_owned()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_label_passes() {
        assert_passes(
            &SELECT_NAME,
            "<label for=a>Country</label><select id=a></select>",
        );
        assert_passes(&SELECT_NAME, "<select title=Country></select>");
    }

    #[test]
    fn options_do_not_name_a_list() {
        assert_fails(&SELECT_NAME, "<select><option>Choose a country</select>", 1);
        assert_fails(
            &SELECT_NAME,
            "<label><select><option>Choose</select></label>",
            1,
        );
        assert_fails(
            &SELECT_NAME,
            "<select multiple><option label=x></select>",
            1,
        );
    }

    #[test]
    fn hidden_and_emptied_lists_are_not_judged() {
        assert_not_applicable(&SELECT_NAME, "<select hidden></select>");
        assert_not_applicable(&SELECT_NAME, "<select role=none disabled></select>");
    }
}
