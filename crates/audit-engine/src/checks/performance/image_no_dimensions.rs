//! Images and videos for which the browser reserves no space.

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::documents::layers::Layers;
use crate::common::text::described::file_name;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::visibility::hidden_by_own_markup;
use crate::style::{Side, Styles, Uncertain};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Images and videos have `width` and `height` attributes, or styles of the page and its style
    /// sheets that set both or the `aspect-ratio`.
    ///
    /// ## Why it matters
    /// The browser reserves no space for an image of unknown size. When the image loads, the text
    /// around it moves while the visitor reads or taps it (Cumulative Layout Shift).
    ///
    /// ## How to fix it
    /// Add `width` and `height` attributes with the size of the image file in pixels, as in `<img src="map.png"
    /// width="800" height="600">`. With `height: auto` in the style sheet the image still adapts to narrow screens
    /// and keeps its space.
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
    /// The check evaluates the style sheets of the page. Its result is "cannot tell" if a sheet could
    /// not be read, if only some screens apply the rule that sets the size, if the height is a
    /// percentage of the parent, and if the image is inside an element that is out of the flow. It
    /// is also "cannot tell" for an image with a class or an id on a page whose only styles may be
    /// those that scripts add. Embedded (`data:`) images, hidden images, and images that styles
    /// take out of the flow are not checked.
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
const BY_STYLE: &str = "Style sheets that are not fully known may set the size of the image.";
const IN_LAYER: &str =
    "The image is inside an element that is out of the flow, so it may move nothing.";

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let mut layers = Layers::new(page.styles());
    let images = page
        .html("img")
        .chain(page.html("video"))
        .filter(|image| loads(*image) && !hidden_by_own_markup(*image))
        .filter(|image| !tree.exposure(*image).hidden)
        .filter(|image| page.styles().is_out_of_flow(*image) != Ok(true));
    Outcome::for_each(images, |image| match reserves_space(page, image) {
        Ok(true) => Verdict::Pass,
        Err(Uncertain) => Verdict::CannotTell(BY_STYLE),
        Ok(false) if tree.exposure(image).uncertain => Verdict::CannotTell(HIDDEN_OR_NOT),
        Ok(false) if layers.may_hold(image) => Verdict::CannotTell(IN_LAYER),
        Ok(false) => Verdict::Fail(evidence(page, image)),
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

/// Whether the browser knows the size of the image, or its ratio, before it has loaded.
fn reserves_space(page: &Page, image: ElementRef<'_>) -> Result<bool, Uncertain> {
    let styles = page.styles();
    let ratio = styles.sets_aspect_ratio(image);
    if ratio == Ok(true) || sources_are_sized(image) {
        return Ok(true);
    }
    let sides = [(Side::Width, "width"), (Side::Height, "height")]
        .map(|(side, name)| is_set(styles, image, side, name));
    if sides == [Ok(true), Ok(true)] {
        return Ok(true);
    }
    let is_known = is_all_known(page, image);
    // One side alone reserves no space.
    if is_known && ratio == Ok(false) && sides.contains(&Ok(false)) {
        Ok(false)
    } else {
        Err(Uncertain)
    }
}

/// Whether the styles of the image are known: scripts may add the sheet of a page without sheets, which refers to
/// its elements by class or id.
fn is_all_known(page: &Page, image: ElementRef<'_>) -> bool {
    let styles = page.styles();
    let has_sheets = page.all("style").next().is_some() || page.stylesheets().next().is_some();
    let is_addressed = image.has_attr("class") || image.has_attr("id");
    styles.is_complete() && (has_sheets || !is_addressed || !page.runs_scripts())
}

fn is_set(
    styles: &Styles,
    image: ElementRef<'_>,
    side: Side,
    attribute: &str,
) -> Result<bool, Uncertain> {
    let by_attribute = || image.attr(attribute).is_some_and(is_pixels);
    styles
        .sets_side(image, side)
        .map(|by_style| by_style || by_attribute())
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

fn evidence(page: &Page, image: ElementRef<'_>) -> Evidence {
    let name = image.name();
    let file = image.attr("src").and_then(file_name);
    let file = file.map_or_else(String::new, |file| format!(" with the file {file}"));
    let styles = page.styles();
    let width = is_set(styles, image, Side::Width, "width");
    let missing = match (width, is_set(styles, image, Side::Height, "height")) {
        (Ok(true), _) => "no height in pixels",
        (_, Ok(true)) => "no width in pixels",
        _ => "neither width nor height in pixels",
    };
    Evidence::node(image).message(format!(
        "The {name} element{file} has {missing}, so the layout may shift when it loads; expected `width` and `height`, or an `aspect-ratio`."
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

    /// The outcome for markup with one linked sheet.
    fn with_sheet(css: &str, html: &str) -> Outcome {
        let html = format!("<link rel=stylesheet href=x>{html}");
        evaluate(&Page::builder().sheet("x", css).html(&html))
    }

    const CARD: &str = "<div class=card><p><img src=a.png alt=''></p></div>";

    #[test]
    fn a_descendant_selector_that_sets_the_size_passes() {
        for css in [
            ".card img{width:4rem;height:3rem}",
            "div > p > img{width:100%;height:180px;object-fit:cover}",
            ".card img{aspect-ratio:4/3;width:100%}",
            ".card img{inline-size:9px;block-size:9px}",
            "img{width:9px}.card p img{height:9px}",
        ] {
            assert_eq!(with_sheet(css, CARD), Outcome::Passed, "{css}");
        }
    }

    #[test]
    fn a_descendant_selector_that_takes_the_image_out_of_the_flow_is_not_applicable() {
        for css in [
            ".card img{position:absolute}",
            "p img{position:fixed;top:0}",
            ".card p > img{display:none}",
        ] {
            assert_eq!(with_sheet(css, CARD), Outcome::NotApplicable, "{css}");
        }
    }

    #[test]
    fn a_sheet_that_does_not_set_both_sides_fails() {
        for css in [
            "img{max-width:100%;height:auto}",
            ".card img{height:40px}",
            ".other img{width:9px;height:9px}",
            ".card img{position:relative;width:100%}",
            "@media print{img{width:9px;height:9px}}",
        ] {
            assert!(matches!(with_sheet(css, CARD), Outcome::Failed(_)), "{css}");
            let image = "<div class=card><img class=logo id=l src=a.png></div>";
            assert!(
                matches!(with_sheet(css, image), Outcome::Failed(_)),
                "{css}"
            );
        }
    }

    #[test]
    fn a_size_that_is_not_certain_gives_cannot_tell() {
        for css in [
            ".card img{width:100%;height:100%}",
            "@media (hover){.card img{width:9px;height:9px}}",
            ".card img{width:9px;height:var(--h)}",
        ] {
            let found = with_sheet(css, CARD);
            assert!(matches!(found, Outcome::CannotTell(_)), "{css} {found:?}");
        }
        let unread = "<link rel=stylesheet href=gone><img src=a.png class=logo>";
        let scripted = "<script src=app.js></script><img src=a.png class=logo>";
        for html in [unread, scripted] {
            assert_eq!(
                outcome(&IMAGE_NO_DIMENSIONS, html),
                Outcome::CannotTell(BY_STYLE)
            );
        }
    }

    #[test]
    fn images_inside_a_layer_give_cannot_tell() {
        for css in [
            ".card{position:fixed}",
            ".card p{position:absolute}",
            "@media (hover){.card{position:absolute}}",
        ] {
            assert_eq!(
                with_sheet(css, CARD),
                Outcome::CannotTell(IN_LAYER),
                "{css}"
            );
        }
        let deep = format!("{}<img src=a.png>", "<div>".repeat(300));
        assert!(matches!(with_sheet("b{}", &deep), Outcome::Failed(_)));
    }

    #[test]
    fn videos_are_checked_and_audio_is_not() {
        assert_fails(&IMAGE_NO_DIMENSIONS, "<video src=a.mp4></video>", 1);
        assert_not_applicable(&IMAGE_NO_DIMENSIONS, "<audio src=a.mp3></audio>");
    }
}
