//! Finds form fields with multiple labels.

use crate::aria::{AccessTree, input_type};
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::style::Widths;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No form field has more than one `label` element that is exposed to assistive technology.
    ///
    /// ## Why it matters
    /// Browsers and screen readers differ: some announce the first label, some the last, some all of them.
    /// Users may hear only a part of the instructions.
    ///
    /// ## How to fix it
    /// Keep one label. Put further text, such as a hint, into a separate element and refer to it:
    /// `aria-describedby="hint"`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Sign up</title><form><label for="pin">Code</label><label for="pin">Six digits</label><input id="pin"></form></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Sign up</title><form><label for="pin">Code</label><span id="hint">Six digits</span><input id="pin" aria-describedby="hint"></form></html>
    /// ```
    ///
    /// ## Limits
    /// A field passes if its name comes from `aria-labelledby` or `aria-label`, or if its additional labels
    /// are hidden or empty.
    ///
    /// ## Also known as
    /// - axe: `form-field-multiple-labels`
    /// - Lighthouse: `form-field-multiple-labels`
    /// - WAVE: Multiple form labels
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 3.3.2 Labels or Instructions (A)
    FORM_FIELD_MULTIPLE_LABELS {
        id: "form-field-multiple-labels",
        title: "Form fields with multiple labels",
        dimension: Accessibility,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let fields = page.elements_with(Traits::FIELD).filter(|element| {
        is_field(*element) && tree.is_exposed(*element) && tree.labels_of(*element).next().is_some()
    });
    let views = tree.in_widths();
    Outcome::for_each(fields, |field| {
        let visible = |(_, tree): &&(Widths, AccessTree<'_>)| tree.is_exposed(field);
        let most = views.iter().filter(visible).map(|(_, tree)| {
            let labels = tree.labels_of(field);
            labels
                .filter(|label| tree.is_exposed(*label) && !label.text().is_empty())
                .collect::<Vec<_>>()
        });
        let labels = most.max_by_key(Vec::len).unwrap_or_default();
        if labels.len() < 2 || is_named_by_aria(&tree, field) {
            return Verdict::Pass;
        }
        if labels.iter().any(|label| tree.exposure(*label).uncertain) {
            return Verdict::CannotTell(
                "A style may hide one of the labels; this cannot be determined in static mode.",
            );
        }
        tree.failure(
            field,
            format!(
                "This field has {} label elements; expected one.",
                labels.len()
            ),
        )
    })
}

fn is_field(element: ElementRef<'_>) -> bool {
    element.is("select")
        || element.is("textarea")
        || (element.is("input") && input_type(element) != "hidden")
}

fn is_named_by_aria<'a>(tree: &AccessTree<'a>, field: ElementRef<'a>) -> bool {
    tree.referents(field, "aria-labelledby").next().is_some()
        || field
            .attr("aria-label")
            .is_some_and(|label| !label.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn one_label_passes() {
        for html in [
            "<label for=a>x</label><input id=a>",
            "<label for=a>x <input id=a></label>",
            "<label for=a>x</label><label for=a hidden>y</label><input id=a>",
            "<label for=a>x</label><label for=a></label><input id=a type=checkbox>",
            "<label for=a id=l>x</label><label for=a>y</label><input id=a aria-labelledby=l>",
        ] {
            assert_passes(&FORM_FIELD_MULTIPLE_LABELS, html);
        }
    }

    #[test]
    fn two_labels_fail() {
        for html in [
            "<label for=a>x</label><label for=a>y</label><input id=a>",
            "<label for=a>x</label><label>y <select id=a></select></label>",
        ] {
            assert_fails(&FORM_FIELD_MULTIPLE_LABELS, html, 1);
        }
    }

    #[test]
    fn fields_without_a_label_are_not_applicable() {
        assert_not_applicable(&FORM_FIELD_MULTIPLE_LABELS, "<input>");
    }
}
