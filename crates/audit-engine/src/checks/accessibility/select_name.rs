//! Finds `select` elements without an accessible name.

use crate::check::Outcome;
use crate::common::text::described::field_name;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `select` has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader announces the selected option but not its purpose. "Germany" may be the country of
    /// residence or the delivery country.
    ///
    /// ## How to fix it
    /// Put a `label` with the `id` of the list before it: `<label for="country">Country</label> <select
    /// id="country">`. If the design shows no label, use `aria-label`.
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
    /// The first option does not count as a name, even if it describes the choice. The check does not
    /// evaluate custom select widgets that scripts build from other elements.
    ///
    /// ## Also known as
    /// - axe: `select-name`
    /// - Lighthouse: `select-name`
    /// - WCAG: Failure F68
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule e086e5, Form field has non-empty accessible name
    SELECT_NAME {
        id: "select-name",
        title: "Select elements without an accessible name",
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
            format!(
                "The select element{} has no label and no other accessible name.",
                field_name(list)
            )
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
    fn options_are_not_a_name() {
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
    fn hidden_and_presentational_selects_are_not_applicable() {
        assert_not_applicable(&SELECT_NAME, "<select hidden></select>");
        assert_not_applicable(&SELECT_NAME, "<select role=none disabled></select>");
    }
}
