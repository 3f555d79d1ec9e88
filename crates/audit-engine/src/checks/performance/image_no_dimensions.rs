//! Images and videos for which the browser reserves no space.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::visibility::hidden_by_own_markup;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Images and videos have `width` and `height` attributes, or an inline style that sets both or
    /// the `aspect-ratio`.
    ///
    /// ## Why it matters
    /// The browser reserves no space for an image of unknown size. When the image loads, the text
    /// around it moves while the visitor reads or taps it (Cumulative Layout Shift).
    ///
    /// ## How to fix it
    /// Add `width` and `height` attributes with the image's size in pixels. With `height: auto` in
    /// the style sheet the image still adapts to narrow screens and keeps its space.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><img src="/ferry.jpg" alt="Our ferry"><p>We leave at noon.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><img src="/ferry.jpg" alt="Our ferry" width="640" height="480"><p>We leave at noon.</p></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check does not see a size that a style sheet sets. Its result for an
    /// image with a class or an id is therefore "cannot tell". Images that the page's style sheets
    /// hide, embedded (`data:`) images, hidden images, and images that an inline style takes out of
    /// the flow are not checked.
    ///
    /// ## Also known as
    /// - Lighthouse: `unsized-images`
    ///
    /// ## References
    /// - HTML Standard, Rendering: Attributes for embedded content and images
    /// - web.dev, Optimize Cumulative Layout Shift: Images without dimensions
    IMAGE_NO_DIMENSIONS {
        id: "image-no-dimensions",
        title: "Images and videos without explicit width and height",
        dimension: Performance,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const HIDDEN_OR_NOT: &str = "A class may hide the image; this cannot be determined in static mode.";
const BY_STYLE: &str = "A style sheet may set the size of images that have a class or an id.";

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let images = page
        .html("img")
        .chain(page.html("video"))
        .filter(|image| loads(*image) && !hidden_by_own_markup(*image) && !out_of_flow(*image))
        .filter(|image| !tree.exposure(*image).hidden);
    Outcome::for_each(images, |image| {
        if is_sized(image) {
            Verdict::Pass
        } else if image.has_attr("class") || image.has_attr("id") {
            Verdict::CannotTell(BY_STYLE)
        } else if tree.exposure(image).uncertain {
            Verdict::CannotTell(HIDDEN_OR_NOT)
        } else {
            Verdict::Fail(evidence(image))
        }
    })
}

/// Whether the browser has to fetch the image, so that its size is unknown at first.
fn loads(image: ElementRef<'_>) -> bool {
    let has = |name| {
        image
            .attr(name)
            .is_some_and(|value| !value.trim().is_empty())
    };
    let embedded = image.attr("src").is_some_and(|src| {
        src.trim_start()
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
    });
    has("srcset") || (has("src") && !embedded) || (image.is("video") && has("poster"))
}

fn is_sized(image: ElementRef<'_>) -> bool {
    if style(image, "aspect-ratio").is_some_and(|ratio| ratio != "auto") {
        return true;
    }
    is_set(image, "width") && is_set(image, "height") || sources_are_sized(image)
}

fn is_set(image: ElementRef<'_>, side: &str) -> bool {
    match style(image, side) {
        Some(value) if value != "auto" => !value.ends_with('%'),
        _ => image.attr(side).is_some_and(is_pixels),
    }
}

/// Follows the rules for parsing dimension values: optional white space, then digits. A percentage gives no aspect ratio.
fn is_pixels(value: &str) -> bool {
    let value = value.trim_start();
    let digits = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    value.starts_with(|c: char| c.is_ascii_digit()) && !digits.starts_with('%')
}

/// In a `picture`, each source may declare the size of its own images.
fn sources_are_sized(image: ElementRef<'_>) -> bool {
    let Some(picture) = image.parent().filter(|parent| parent.is("picture")) else {
        return false;
    };
    let mut sources = picture
        .children()
        .filter(|child| child.is("source"))
        .peekable();
    sources.peek().is_some()
        && sources.all(|source| {
            ["width", "height"]
                .iter()
                .all(|side| source.attr(side).is_some_and(is_pixels))
        })
}

fn out_of_flow(image: ElementRef<'_>) -> bool {
    style(image, "position")
        .is_some_and(|position| matches!(position.as_str(), "absolute" | "fixed"))
}

/// The value of a property in the inline style, in lower case.
fn style(element: ElementRef<'_>, property: &str) -> Option<String> {
    element
        .attr("style")?
        .split(';')
        .rev()
        .find_map(|declaration| {
            let (name, value) = declaration.split_once(':')?;
            name.trim()
                .eq_ignore_ascii_case(property)
                .then(|| value.trim().to_ascii_lowercase())
        })
}

fn evidence(image: ElementRef<'_>) -> Evidence {
    let name = image.name();
    Evidence::node(image).message(format!(
        "The {name} element does not declare both width and height, so the layout shifts when it loads; expected both or an aspect-ratio."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn one_dimension_alone_fails() {
        assert_fails(
            &IMAGE_NO_DIMENSIONS,
            "<img src=a.png><img src=b.png width=10><img src=c.png width=100% height=10><img src=d.png width=10 height=auto>",
            4,
        );
    }

    #[test]
    fn attributes_and_inline_styles_pass() {
        assert_passes(
            &IMAGE_NO_DIMENSIONS,
            "<img src=a.png width=10 height=20px><img src=b.png style='width: 3em; height:2em'><img src=c.png style='aspect-ratio: 4/3'><img src=d.png height=5 style='width:5px'>",
        );
    }

    #[test]
    fn an_automatic_height_keeps_the_ratio_of_the_attributes() {
        assert_passes(
            &IMAGE_NO_DIMENSIONS,
            "<img src=a.png width=10 height=20 style='height:auto'>",
        );
    }

    #[test]
    fn sources_with_sizes_pass() {
        assert_passes(
            &IMAGE_NO_DIMENSIONS,
            "<picture><source srcset=a.avif width=4 height=3><img src=a.png></picture>",
        );
    }

    #[test]
    fn images_that_cause_no_layout_shift_are_not_checked() {
        assert_not_applicable(
            &IMAGE_NO_DIMENSIONS,
            "<img src='data:image/gif;base64,R0'><img src=a.png hidden><img src=b.png style='position:absolute'><img><noscript><img src=c.png></noscript>",
        );
    }

    #[test]
    fn images_that_a_style_sheet_hides_are_not_checked() {
        let css = "a span{display:none;position:absolute}a:hover span{display:block}";
        let html = "<link rel=stylesheet href=x><a href=y><span><img src=a.png></span></a>";
        let page = Page::builder().sheet("x", css).html(html);
        assert_eq!(evaluate(&page), Outcome::NotApplicable);
        let page = Page::builder()
            .sheet("x", "@media (hover){span{display:none}}")
            .html(html);
        assert!(matches!(evaluate(&page), Outcome::CannotTell(_)));
    }

    #[test]
    fn images_that_a_style_sheet_may_size_give_cannot_tell() {
        for html in [
            "<img src=a.png class=logo>",
            "<img src=a.png id=logo width=4>",
        ] {
            assert_eq!(
                outcome(&IMAGE_NO_DIMENSIONS, html),
                Outcome::CannotTell(BY_STYLE)
            );
        }
    }

    #[test]
    fn videos_are_checked_and_audio_is_not() {
        assert_fails(&IMAGE_NO_DIMENSIONS, "<video src=a.mp4></video>", 1);
        assert_not_applicable(&IMAGE_NO_DIMENSIONS, "<audio src=a.mp3></audio>");
    }
}
