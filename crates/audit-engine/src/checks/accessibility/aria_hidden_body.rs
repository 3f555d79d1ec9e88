//! Finds pages whose body has `aria-hidden="true"`.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `body` element does not have `aria-hidden="true"`.
    ///
    /// ## Why it matters
    /// The attribute hides the whole page from screen readers. Their users hear nothing and get no
    /// explanation.
    ///
    /// ## How to fix it
    /// Remove `aria-hidden` from the `body` start tag. To keep users out of the page behind a dialog, open
    /// the dialog with `showModal()`, or put `inert` on the elements outside the dialog.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><head><title>Shop</title></head><body aria-hidden="true"><h1>Apples</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><head><title>Shop</title></head><body><h1>Apples</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check does not see an attribute that a script adds.
    ///
    /// ## Also known as
    /// - axe: `aria-hidden-body`
    /// - Lighthouse: `aria-hidden-body`
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.3.1 Info and Relationships (A) and 4.1.2 Name, Role, Value (A)
    /// - WAI-ARIA 1.2, aria-hidden (state)
    ARIA_HIDDEN_BODY {
        id: "aria-hidden-body",
        title: "Document body hidden with aria-hidden",
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
    let Some(body) = page.body() else {
        return Outcome::NotApplicable;
    };
    Outcome::pass_if(!body.attr_is("aria-hidden", "true"), || {
        Evidence::node(body)
            .message("The body element has aria-hidden=\"true\"; expected no aria-hidden.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_body_without_aria_hidden_passes() {
        assert_passes(&ARIA_HIDDEN_BODY, "<body><p>x");
        assert_passes(&ARIA_HIDDEN_BODY, "<body aria-hidden=false><p>x");
    }

    #[test]
    fn a_hidden_body_fails() {
        assert_fails(&ARIA_HIDDEN_BODY, "<body aria-hidden=True><p>x", 1);
    }

    #[test]
    fn a_frameset_is_not_applicable() {
        assert_not_applicable(&ARIA_HIDDEN_BODY, "<frameset><frame src=a></frameset>");
    }
}
