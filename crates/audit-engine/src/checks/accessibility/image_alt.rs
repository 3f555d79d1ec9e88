//! Images have a text alternative.

use crate::aria::explicit::explicit_role;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `img` that assistive technology meets has an accessible name or is marked as
    /// decoration, and every other element with `role="img"` has a name.
    ///
    /// ## Why it matters
    /// A screen reader falls back to the file name, or says only "image". What the image shows is
    /// lost, and search engines learn nothing of it either.
    ///
    /// ## How to fix it
    /// Say in `alt` what the image tells in its place: `alt="Floor plan of the first floor"`.
    /// Give an image that is only decoration an empty one: `alt=""`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Museum</title><img src="plan.png"></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Museum</title><img src="plan.png" alt="Floor plan of the first floor"></html>
    /// ```
    ///
    /// ## Limits
    /// Whether the text describes the image is not judged. Image buttons, image map areas, SVG
    /// and embedded objects are other checks' business. A text that a script sets is seen in
    /// rendered mode only.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.1.1 Non-text Content (A)
    /// - W3C ACT rule 23a2a8, Image has non-empty accessible name
    IMAGE_ALT {
        id: "image-alt",
        title: "Images without a text alternative",
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
    let images = page
        .elements_with(Traits::IMAGE.or(Traits::ROLE))
        .filter(|element| is_image(*element) && tree.is_exposed(*element));
    let judged = images.filter_map(|image| {
        let role = tree.role(image)?;
        role.is_any(&["img", "none"]).then_some((image, role))
    });
    Outcome::for_each(judged, |(image, role)| {
        if role.is("none") {
            return Verdict::Pass;
        }
        tree.named(image, || {
            match image.attr("alt") {
                None if image.is("img") => "This image has no alt attribute.",
                Some("") => "This image has an empty alt and still takes part in the page, since it takes focus or has an ARIA attribute.",
                Some(_) => "The alt of this image is nothing but white space.",
                None => "This element has the role img and no accessible name.",
            }
            .to_owned()
        })
    })
}

fn is_image(element: ElementRef<'_>) -> bool {
    element.is("img")
        || (element.is_html()
            && !element.is("input")
            && !element.is("area")
            && explicit_role(element).is_some_and(|role| role.is("img")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn a_text_or_an_empty_one_passes() {
        for html in [
            "<img src=x alt=Plan>",
            "<img src=x alt=''>",
            "<img src=x alt>",
            "<img src=x role=none>",
            "<img src=x title=Plan>",
            "<span id=l hidden>Plan</span><img src=x aria-labelledby=l>",
            "<div role=img aria-label=Plan></div>",
        ] {
            assert_passes(&IMAGE_ALT, html);
        }
    }

    #[test]
    fn no_text_fails() {
        for html in [
            "<img src=x>",
            "<img src=x alt=' '>",
            "<img src=x aria-labelledby=nowhere>",
            "<img src=x role=none tabindex=0>",
            "<div role=img>x</div>",
            "<button><img src=x></button>",
        ] {
            assert_fails(&IMAGE_ALT, html, 1);
        }
    }

    #[test]
    fn images_that_nobody_meets_are_not_judged() {
        for html in [
            "<img src=x aria-hidden=true>",
            "<div style='display:none'><img src=x></div>",
            "<noscript><img src=x></noscript>",
            "<template><img src=x></template>",
            "<object data=x.png><img src=x></object>",
        ] {
            assert_not_applicable(&IMAGE_ALT, html);
        }
    }

    #[test]
    fn buttons_links_and_drawings_are_other_checks_business() {
        assert_not_applicable(&IMAGE_ALT, "<input type=image src=x>");
        assert_not_applicable(&IMAGE_ALT, "<svg role=img></svg>");
        assert_not_applicable(&IMAGE_ALT, "<img role=button src=x>");
    }

    #[test]
    fn each_image_is_a_finding() {
        assert_fails(&IMAGE_ALT, "<img src=a><img src=b alt=b><img src=c>", 2);
    }

    #[test]
    fn an_image_that_a_class_may_hide_is_not_guessed_at() {
        let html =
            "<style>@media (hover){.off{display:none}}</style><div class=off><img src=x></div>";
        assert!(matches!(outcome(&IMAGE_ALT, html), Outcome::CannotTell(_)));
    }
}
