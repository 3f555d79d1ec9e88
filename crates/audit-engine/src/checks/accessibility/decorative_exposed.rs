//! Finds elements marked as decorative that browsers expose to assistive technology.

use crate::aria::explicit::{contradicts_decoration, explicit_role, has_global_aria};
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element that is marked as decorative, with an empty `alt` or with `role="none"` or
    /// `"presentation"`, is focusable or has a global ARIA attribute.
    ///
    /// ## Why it matters
    /// The two contradict each other, so browsers ignore the decorative marking. A screen reader announces an
    /// element that the author meant to hide, often without a name.
    ///
    /// ## How to fix it
    /// Decide whether the element is decorative. If it is, remove the `aria-` attributes and the `tabindex`.
    /// If it is not, remove the empty `alt` or the role and give the element a name.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Museum</title><img src="line.png" alt="" aria-label="Line"></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Museum</title><img src="line.png" alt=""></html>
    /// ```
    ///
    /// ## Limits
    /// Attributes with an empty value, `aria-hidden`, and hidden elements are excluded.
    ///
    /// ## Also known as
    /// - axe: `presentation-role-conflict`
    /// - Common name: Presentational roles conflict
    ///
    /// ## References
    /// - WAI-ARIA 1.2, Presentational Roles Conflict Resolution
    /// - W3C ACT rule 46ca7f, Element marked as decorative is not exposed
    DECORATIVE_EXPOSED {
        id: "decorative-exposed",
        title: "Decorative elements exposed to assistive technology",
        dimension: Accessibility,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let marked = page
        .elements_with(Traits::IMAGE.or(Traits::ROLE))
        .filter(|element| is_marked_decorative(*element) && tree.is_exposed(*element));
    Outcome::for_each(marked, |element| {
        if !contradicts_decoration(element) {
            return Verdict::Pass;
        }
        let reason = if has_global_aria(element) {
            "has a global ARIA attribute"
        } else {
            "is focusable"
        };
        tree.failure(
            element,
            format!("This element is marked as decorative but {reason}, so browsers expose it to assistive technology."),
        )
    })
}

fn is_marked_decorative(element: ElementRef<'_>) -> bool {
    match explicit_role(element) {
        Some(role) => role.is("none"),
        None => element.is("img") && element.attr("alt") == Some(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn plain_decoration_passes() {
        for html in [
            "<img src=x alt=''>",
            "<img src=x alt=Logo role=presentation>",
            "<svg role=none><path/></svg>",
            "<input type=checkbox role=none disabled>",
            "<img src=x alt='' aria-label='' aria-hidden=false>",
        ] {
            assert_passes(&DECORATIVE_EXPOSED, html);
        }
    }

    #[test]
    fn focusable_or_named_decoration_fails() {
        for html in [
            "<img src=x alt='' aria-labelledby=l>",
            "<svg role=none aria-label=x></svg>",
            "<img src=x alt='' tabindex=-1>",
            "<div role=presentation tabindex=0>x</div>",
            "<a role=none href=x>x</a>",
            "<button role=presentation>x</button>",
        ] {
            assert_fails(&DECORATIVE_EXPOSED, html, 1);
        }
    }

    #[test]
    fn other_elements_are_not_applicable() {
        for html in [
            "<img src=x aria-label=x>",
            "<img src=x alt='' aria-label=x hidden>",
            "<p tabindex=0>x",
        ] {
            assert_not_applicable(&DECORATIVE_EXPOSED, html);
        }
    }
}
