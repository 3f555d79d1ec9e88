//! Finds SVG images without a text alternative.

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
    /// The role announces a meaningful image. Without a name, a screen reader announces an image but not its
    /// content.
    ///
    /// ## How to fix it
    /// Add a `title` element as the first child of the `svg`, or an `aria-label`, that says what the image shows. If
    /// it is decorative, or adjacent text has the same content, replace the role with `aria-hidden="true"`.
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
    /// The check does not evaluate SVG elements without a role, or SVG elements inside a button or another
    /// element with presentational children.
    ///
    /// ## Also known as
    /// - axe: `svg-img-alt`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.1.1 Non-text Content (A)
    /// - W3C ACT rule 7d6734, SVG element with explicit role has non-empty accessible name
    SVG_IMG_ALT {
        id: "svg-img-alt",
        title: "SVG images without a text alternative",
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
    let images = page.elements_with(Traits::SVG).filter(|element| {
        element.is_svg()
            && is_image(*element)
            && tree.is_exposed(*element)
            && !has_ancestor_with_presentational_children(&tree, *element)
    });
    Outcome::for_each(images, |image| {
        tree.named(image, || {
            "This SVG element has an image role, but no title element and no other accessible name."
                .to_owned()
        })
    })
}

fn is_image(element: ElementRef<'_>) -> bool {
    explicit_role(element)
        .is_some_and(|role| role.is_any(&["img", "graphics-document", "graphics-symbol"]))
}

/// Whether the element is inside a button, an image or another element with presentational children.
fn has_ancestor_with_presentational_children<'a>(
    tree: &AccessTree<'a>,
    element: ElementRef<'a>,
) -> bool {
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
    fn the_title_of_a_nested_element_is_not_the_name() {
        assert_fails(
            &SVG_IMG_ALT,
            "<svg role=img><g><title>x</title></g></svg>",
            1,
        );
    }

    #[test]
    fn svg_without_a_role_hidden_or_in_a_button_is_not_applicable() {
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
