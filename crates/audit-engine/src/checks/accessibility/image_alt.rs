//! Finds images without a text alternative.

use crate::aria::explicit::explicit_role;
use crate::check::{Outcome, Verdict};
use crate::common::text::described::file_name;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `img` that is exposed to assistive technology has an accessible name or is marked as decorative.
    /// Every other element with `role="img"` has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader announces the file name or only "image". Its users miss the content of the image, and
    /// search engines cannot index it.
    ///
    /// ## How to fix it
    /// Describe in `alt` what the image shows or, inside a link, where it leads: `alt="Floor plan of the first
    /// floor"`. Give a purely decorative image an empty `alt`: `alt=""`.
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
    /// The check does not evaluate whether the text describes the image. `input-image-alt`,
    /// `area-alt`, `svg-img-alt` and `object-alt` evaluate image buttons, image map areas, SVG and
    /// embedded objects. In static mode, the check does not see a text that a script sets.
    ///
    /// ## Also known as
    /// - axe: `image-alt`
    /// - axe: `role-img-alt`
    /// - Lighthouse: `image-alt`
    /// - WCAG: Failure F65
    /// - WAVE: Missing alternative text
    /// - Screaming Frog: Images: Missing Alt Attribute
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
    let candidates = images.filter_map(|image| {
        let role = tree.role(image)?;
        role.is_any(&["img", "none"]).then_some((image, role))
    });
    Outcome::for_each(candidates, |(image, role)| {
        if role.is("none") {
            return Verdict::Pass;
        }
        tree.named(image, || {
            let file = image.attr("src").and_then(file_name);
            let this = file.map_or_else(|| "This image".to_owned(), |file| format!("The image {file}"));
            match image.attr("alt") {
                None if image.is("img") => format!("{this} has no alt attribute."),
                Some("") => format!(
                    "{this} has an empty alt, but it is focusable or has a global ARIA attribute, so browsers expose it without a name."
                ),
                Some(_) => format!("The alt attribute of the image{} contains only white space.", file.map_or_else(String::new, |file| format!(" {file}"))),
                None => "The element with the role img has no accessible name.".to_owned(),
            }
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
    fn a_name_or_an_empty_alt_passes() {
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
    fn images_without_a_name_fail() {
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
    fn images_not_exposed_are_not_applicable() {
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
    fn image_buttons_svg_and_other_roles_are_not_applicable() {
        assert_not_applicable(&IMAGE_ALT, "<input type=image src=x>");
        assert_not_applicable(&IMAGE_ALT, "<svg role=img></svg>");
        assert_not_applicable(&IMAGE_ALT, "<img role=button src=x>");
    }

    #[test]
    fn each_image_has_its_own_finding() {
        assert_fails(&IMAGE_ALT, "<img src=a><img src=b alt=b><img src=c>", 2);
    }

    #[test]
    fn an_image_that_a_style_may_hide_cannot_tell() {
        let html =
            "<style>@media (hover){.off{display:none}}</style><div class=off><img src=x></div>";
        assert!(matches!(outcome(&IMAGE_ALT, html), Outcome::CannotTell(_)));
    }
}
