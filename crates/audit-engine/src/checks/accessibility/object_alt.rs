//! Embedded objects have a text alternative.

use crate::aria::explicit::{contradicts_decoration, explicit_role};
use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `object` that shows an image, a video or a sound has an accessible name.
    ///
    /// ## Why it matters
    /// Once the object loads, what stands between its tags is not shown or read. A screen reader
    /// has nothing to say of it without a name.
    ///
    /// ## How to fix it
    /// Name the object with `aria-label` or `title`, or use `img`, `video` or `audio`, which browsers
    /// and assistive technology support better.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Museum</title><object data="plan.png" type="image/png"></object></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Museum</title><object data="plan.png" type="image/png" aria-label="Floor plan of the first floor"></object></html>
    /// ```
    ///
    /// ## Limits
    /// What an object shows is told by its `type` or the ending of its address; others are not
    /// judged. Whether the address answers is not asked.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.1.1 Non-text Content (A)
    /// - W3C ACT rule 8fc3b6, Object element rendering non-text content has non-empty accessible name
    OBJECT_ALT {
        id: "object-alt",
        title: "Embedded objects without a text alternative",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let objects = page.html("object").filter(|object| {
        shows_media(*object) && !has_role_of_its_own(*object) && tree.is_exposed(*object)
    });
    Outcome::for_each(objects, |object| {
        tree.named(object, || {
            "This object shows an image, a video or a sound and has no accessible name.".to_owned()
        })
    })
}

/// With a role it is judged as what the role says, or is decoration.
fn has_role_of_its_own(object: ElementRef<'_>) -> bool {
    explicit_role(object).is_some_and(|role| !role.is("none") || !contradicts_decoration(object))
}

fn shows_media(object: ElementRef<'_>) -> bool {
    let Some(data) = object.attr("data").filter(|data| !data.trim().is_empty()) else {
        return false;
    };
    match object.attr("type").map(str::trim) {
        Some(kind) if !kind.is_empty() => {
            let kind = kind.to_ascii_lowercase();
            ["image/", "video/", "audio/"]
                .iter()
                .any(|media| kind.starts_with(media))
        }
        _ => has_media_ending(data),
    }
}

fn has_media_ending(url: &str) -> bool {
    const ENDINGS: [&str; 16] = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "mp4", "webm", "ogv", "mov",
        "mp3", "ogg", "wav", "m4a",
    ];
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit_once('.').is_some_and(|(_, ending)| {
        ENDINGS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_name_passes() {
        assert_passes(&OBJECT_ALT, "<object data=a.mp4 title=Rabbit></object>");
    }

    #[test]
    fn no_name_fails_whatever_stands_inside() {
        assert_fails(&OBJECT_ALT, "<object data=a.mp3></object>", 1);
        assert_fails(
            &OBJECT_ALT,
            "<object data='a.png?v=1'><img src=a.png alt=Logo></object>",
            1,
        );
        assert_fails(
            &OBJECT_ALT,
            "<object data=/plan type=image/svg+xml></object>",
            1,
        );
    }

    #[test]
    fn documents_and_decoration_are_not_judged() {
        for html in [
            "<object data=page.html></object>",
            "<object data=a.png type=text/html></object>",
            "<object data=a.png role=presentation></object>",
            "<object data=a.png role=img></object>",
            "<object data=a.png aria-hidden=true></object>",
            "<object><p>x</object>",
        ] {
            assert_not_applicable(&OBJECT_ALT, html);
        }
    }
}
