//! Finds embedded objects without a text alternative.

use crate::aria::explicit::{contradicts_decoration, explicit_role};
use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `object` that embeds an image, a video or audio has an accessible name.
    ///
    /// ## Why it matters
    /// If the object loads, browsers do not show its fallback content. Without an accessible name, a screen
    /// reader has nothing to announce.
    ///
    /// ## How to fix it
    /// Name the object with `aria-label` or `title`. `img`, `video` and `audio` are better supported: use them
    /// instead if you can.
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
    /// The check recognizes media by the `type` of the object or the file extension of its URL, and does not
    /// evaluate other objects. It does not request the URL.
    ///
    /// ## Also known as
    /// - axe: `object-alt`
    /// - Lighthouse: `object-alt`
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
        embeds_media(*object) && !has_other_role(*object) && tree.is_exposed(*object)
    });
    Outcome::for_each(objects, |object| {
        tree.named(object, || {
            format!(
                "The object that embeds \"{}\" has no accessible name.",
                object.attr("data").unwrap_or_default().trim()
            )
        })
    })
}

/// Whether the object has another role, which other checks evaluate, or is decorative.
fn has_other_role(object: ElementRef<'_>) -> bool {
    explicit_role(object).is_some_and(|role| !role.is("none") || !contradicts_decoration(object))
}

fn embeds_media(object: ElementRef<'_>) -> bool {
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
        _ => has_media_extension(data),
    }
}

fn has_media_extension(url: &str) -> bool {
    const EXTENSIONS: [&str; 16] = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "mp4", "webm", "ogv", "mov",
        "mp3", "ogg", "wav", "m4a",
    ];
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit_once('.').is_some_and(|(_, extension)| {
        EXTENSIONS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension.trim()))
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
    fn fallback_content_is_not_a_name() {
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
    fn documents_and_decoration_are_not_applicable() {
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
