//! Drawings that say they are images have a text alternative.

use crate::aria::AccessTree;
use crate::aria::explicit::explicit_role;
use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every SVG element with the role `img`, `graphics-document` or `graphics-symbol` has an
    /// accessible name.
    ///
    /// ## Why it matters
    /// The role promises an image with a meaning. Without a name a screen reader announces an
    /// image and cannot say of what.
    ///
    /// ## How to fix it
    /// Name the drawing with a `title` element as its first child, or with `aria-label`. If it is
    /// decoration, or stands beside a text that says the same, replace the role with
    /// `aria-hidden="true"`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Sales</title><svg role="img" viewBox="0 0 9 9"><path d="M0 9 9 0"/></svg></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Sales</title><svg role="img" viewBox="0 0 9 9"><title>Sales rise from January to June</title><path d="M0 9 9 0"/></svg></html>
    /// ```
    ///
    /// ## Limits
    /// Drawings without a role are not judged. Nor are those within a button or another element whose inside
    /// assistive technology does not meet.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.1.1 Non-text Content (A)
    /// - W3C ACT rule 7d6734, SVG element with explicit role has non-empty accessible name
    SVG_IMG_ALT {
        id: "svg-img-alt",
        title: "Drawings with an image role and no text alternative",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let drawings = page.elements_with(Traits::SVG).filter(|element| {
        element.is_svg()
            && is_image(*element)
            && tree.is_exposed(*element)
            && !is_inside_a_leaf(&tree, *element)
    });
    Outcome::for_each(drawings, |drawing| {
        tree.named(drawing, || {
            "This drawing has an image role and neither a title element nor another accessible name."
                .to_owned()
        })
    })
}

fn is_image(element: ElementRef<'_>) -> bool {
    explicit_role(element)
        .is_some_and(|role| role.is_any(&["img", "graphics-document", "graphics-symbol"]))
}

/// Whether it stands in a button, an image or another element whose children are presentational.
fn is_inside_a_leaf<'a>(tree: &AccessTree<'a>, element: ElementRef<'a>) -> bool {
    element.ancestors().any(|ancestor| {
        tree.role(ancestor)
            .is_some_and(|role| role.hides_children())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_title_or_a_label_passes() {
        assert_passes(&SVG_IMG_ALT, "<svg role=img><title>x</title></svg>");
        assert_passes(
            &SVG_IMG_ALT,
            "<svg role=graphics-document aria-label=x></svg>",
        );
    }

    #[test]
    fn no_name_fails() {
        assert_fails(&SVG_IMG_ALT, "<svg role=img><path/></svg>", 1);
        assert_fails(&SVG_IMG_ALT, "<svg role=img><title> </title></svg>", 1);
        assert_fails(
            &SVG_IMG_ALT,
            "<svg><circle role=graphics-symbol /></svg>",
            1,
        );
    }

    #[test]
    fn the_title_of_a_part_is_not_the_drawings() {
        assert_fails(
            &SVG_IMG_ALT,
            "<svg role=img><g><title>x</title></g></svg>",
            1,
        );
    }

    #[test]
    fn drawings_without_a_role_hidden_or_in_a_button_are_not_judged() {
        for html in [
            "<svg><path/></svg>",
            "<svg role=img aria-hidden=true></svg>",
            "<svg role=none></svg>",
            "<button>Save <svg role=img></svg></button>",
        ] {
            assert_not_applicable(&SVG_IMG_ALT, html);
        }
    }
}
