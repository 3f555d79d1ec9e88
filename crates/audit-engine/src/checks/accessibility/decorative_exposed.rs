//! What is marked as decoration is decoration.

use crate::aria::explicit::{contradicts_decoration, explicit_role, has_global_aria};
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No element that is marked as decoration, with an empty `alt` or with `role="none"` or
    /// `"presentation"`, takes focus or has an ARIA attribute that every element may have.
    ///
    /// ## Why it matters
    /// The two contradict each other, and browsers then ignore the mark: a screen reader meets
    /// an element that the author meant to keep from it, often one without a name.
    ///
    /// ## How to fix it
    /// Decide what the element is. If it is decoration, remove the `aria-` attributes and the
    /// `tabindex`; if it is not, remove the mark and give it a name.
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
    /// Attributes with an empty value, `aria-hidden`, and elements that are hidden are left out.
    ///
    /// ## References
    /// - WAI-ARIA 1.2, Presentational Roles Conflict Resolution
    /// - W3C ACT rule 46ca7f, Element marked as decorative is not exposed
    DECORATIVE_EXPOSED {
        id: "decorative-exposed",
        title: "Elements marked as decoration that are exposed all the same",
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
        .filter(|element| is_marked(*element) && tree.is_exposed(*element));
    Outcome::for_each(marked, |element| {
        if !contradicts_decoration(element) {
            return Verdict::Pass;
        }
        let reason = if has_global_aria(element) {
            "has an ARIA attribute"
        } else {
            "takes focus"
        };
        tree.failure(
            element,
            format!("This element is marked as decoration and {reason}, so browsers expose it."),
        )
    })
}

fn is_marked(element: ElementRef<'_>) -> bool {
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
    fn decoration_with_a_name_or_with_focus_fails() {
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
    fn other_elements_are_not_judged() {
        for html in [
            "<img src=x aria-label=x>",
            "<img src=x alt='' aria-label=x hidden>",
            "<p tabindex=0>x",
        ] {
            assert_not_applicable(&DECORATIVE_EXPOSED, html);
        }
    }
}
