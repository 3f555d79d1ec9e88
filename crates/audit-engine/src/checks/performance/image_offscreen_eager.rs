//! Images far down the page that are not lazy-loaded.

use crate::aria::AccessTree;
use crate::check::{Evidence, Outcome, Verdict};
use crate::common::documents::layers::Layers;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::style::Side;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Images that are certainly below the first screen have `loading="lazy"`: at least 8,000
    /// characters of visible text come before them, or images and text that fill as much space.
    ///
    /// ## Why it matters
    /// Without lazy loading the browser fetches every image immediately, including images that most
    /// visitors never scroll to. They compete for bandwidth with the visible content and use up
    /// visitors' data volume.
    ///
    /// ## How to fix it
    /// Add `loading="lazy"` to images below the first screens. Keep their `width` and `height`, so
    /// that the layout does not shift when they load.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>History of the harbour</title><main><h1>History</h1><p>
    /// %repeat 600 In the year after the great storm
    /// </p><img src="/mole.jpg" alt="The mole" width="640" height="480"></main></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>History of the harbour</title><main><h1>History</h1><p>
    /// %repeat 600 In the year after the great storm
    /// </p><img src="/mole.jpg" alt="The mole" width="640" height="480" loading="lazy"></main></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check does not know where the viewport ends. 8,000 characters fill more
    /// than one desktop screen, in any number of columns. An earlier image with `width` and `height`
    /// counts as 200 pixels wide. The place in the document is not the place on the screen: text in
    /// menus, dialogs, carousels, tabs and other parts that may be hidden or beside the content does
    /// not count, and images that styles take out of the flow are not checked. Neither are hidden
    /// images, icons, tracking pixels, images of preloaders, images that a script loads, and those
    /// that are marked as important.
    ///
    /// ## Also known as
    /// - Lighthouse: `offscreen-images`
    ///
    /// ## References
    /// - web.dev, Browser-level image lazy loading for the web
    /// - HTML Standard, Lazy loading attributes
    IMAGE_OFFSCREEN_EAGER {
        id: "image-offscreen-eager",
        title: "Offscreen images without lazy loading",
        dimension: Performance,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The space of one screen of 1,350 × 940 pixels, in square pixels.
const SCREEN: u64 = 1_350 * 940;

/// The space that a character of text of 16 pixels and its part of the line spacing fill. Headings and lists fill more,
/// small print less.
const SPACE_OF_A_CHARACTER: u64 = 160;

/// The least width in pixels that is assumed of an earlier image, unless the image itself is smaller: that of a grid of
/// six columns on that screen.
const WIDTH_IN_A_GRID: u64 = 200;

fn evaluate(page: &Page) -> Outcome {
    // A smaller page fills no screen with text, and one without images has none off screen.
    if page.html("img").next().is_none() {
        return Outcome::NotApplicable;
    }
    let tree = page.access_tree();
    let mut layers = Layers::new(page.styles());
    let images: Vec<ElementRef<'_>> = images_below_the_screen(page, &tree);
    Outcome::for_each(images, |image| {
        if image.attr_is("loading", "lazy") {
            Verdict::Pass
        } else if layers.may_hold(image) {
            Verdict::CannotTell(IN_LAYER)
        } else {
            Verdict::Fail(Evidence::node(image).message(
                "The image is far down the page and loads immediately; expected loading=\"lazy\".",
            ))
        }
    })
}

const IN_LAYER: &str = "Styles may place the image elsewhere on the screen.";

/// The images that load from markup, behind content that fills the screen.
fn images_below_the_screen<'a>(page: &'a Page, tree: &AccessTree<'a>) -> Vec<ElementRef<'a>> {
    let dom = page.dom();
    let mut found = Vec::new();
    let mut filled = 0_u64;
    let mut walk = dom.descendants(dom.document());
    while let Some(id) = walk.next() {
        if let Some(run) = dom.run(id) {
            let characters: usize = run
                .split_ascii_whitespace()
                .map(|word| word.len() + 1)
                .sum();
            filled += u64::try_from(characters).unwrap_or(0_u64) * SPACE_OF_A_CHARACTER;
            continue;
        }
        let Some(element) = dom.element(id) else {
            continue;
        };
        let exposure = tree.exposure(element);
        if exposure.hidden || exposure.uncertain || is_aside(page, element) {
            walk.skip_children(id);
        } else if element.is("img") {
            if filled >= SCREEN && loads_from_markup(element) && !is_small(page, element) {
                found.push(element);
            }
            filled += least_space(element);
        }
    }
    found
}

/// The space that an image with a declared size fills at least.
fn least_space(image: ElementRef<'_>) -> u64 {
    let side = |name| image.attr(name)?.trim().parse::<u64>().ok();
    let (Some(width), Some(height)) = (side("width"), side("height")) else {
        return 0;
    };
    if width == 0 || height > 10_000 {
        return 0;
    }
    let shown = width.min(WIDTH_IN_A_GRID);
    shown * (height * shown / width)
}

/// Whether the markup makes the browser load the image, does not mark it as important, and does not declare it as an icon.
fn loads_from_markup(image: ElementRef<'_>) -> bool {
    let has_address = image.attr("src").is_some_and(|src| {
        let src = src.trim_start();
        let embedded = src
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
        !src.is_empty() && !embedded
    });
    has_address
        && !image.has_attr("data-src")
        && !image.attr_is("loading", "eager")
        && !image.attr_is("fetchpriority", "high")
}

/// Icons and tracking pixels: by their size in attributes or styles, or by their names.
fn is_small(page: &Page, image: ElementRef<'_>) -> bool {
    const MOST_PIXELS: f64 = 64.0;
    const NAMES: [&str; 10] = [
        "avatar", "badge", "emoji", "favicon", "flag", "icon", "ico", "pixel", "spacer", "tracking",
    ];
    let by_attribute = ["width", "height"].iter().any(|side| {
        let value = image
            .attr(side)
            .and_then(|pixels| pixels.trim().parse::<f64>().ok());
        value.is_some_and(|pixels| pixels <= MOST_PIXELS)
    });
    let by_style = || {
        [Side::Width, Side::Height].into_iter().any(|side| {
            let value = page.styles().side_in_pixels(image, side);
            value.is_some_and(|pixels| pixels <= MOST_PIXELS)
        })
    };
    by_attribute || has_word(image, &NAMES) || by_style()
}

/// Whether one of the words of the element's class or id is among these.
fn has_word(element: ElementRef<'_>, words: &[&str]) -> bool {
    let names = ["class", "id"]
        .into_iter()
        .filter_map(|name| element.attr(name));
    names
        .flat_map(|names| names.split(|c: char| !c.is_ascii_alphanumeric()))
        .any(|name| words.iter().any(|word| name.eq_ignore_ascii_case(word)))
}

/// Whether the element is outside the main flow of the page, may be hidden at first, or moves its content to another
/// place on the screen.
fn is_aside(page: &Page, element: ElementRef<'_>) -> bool {
    const NAMES: [&str; 26] = [
        "accordion",
        "carousel",
        "collapse",
        "drawer",
        "dropdown",
        "fixed",
        "flyout",
        "lightbox",
        "loader",
        "loading",
        "megamenu",
        "modal",
        "offcanvas",
        "overlay",
        "popover",
        "popup",
        "preloader",
        "sidebar",
        "sidenav",
        "slider",
        "slides",
        "spinner",
        "sticky",
        "swiper",
        "tab",
        "tooltip",
    ];
    page.traits(element).has(Traits::HIDDEN.or(Traits::UNSEEN))
        || matches!(
            element.name(),
            "aside"
                | "details"
                | "dialog"
                | "header"
                | "head"
                | "nav"
                | "noscript"
                | "template"
                | "select"
        )
        || (!matches!(element.name(), "body" | "html" | "main") && has_word(element, &NAMES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    fn after(characters: usize, rest: &str) -> String {
        let paragraphs = format!("<p>{}</p>", "word ".repeat(100)).repeat(characters / 500);
        format!("<main>{paragraphs}{rest}</main>")
    }

    #[test]
    fn each_image_after_long_text_fails() {
        let images = "<img src=a><p>x</p><img src=b>";
        assert_fails(&IMAGE_OFFSCREEN_EAGER, &after(16_000, images), 2);
    }

    #[test]
    fn lazy_images_pass() {
        assert_passes(
            &IMAGE_OFFSCREEN_EAGER,
            &after(16_000, "<img src=a loading=lazy>"),
        );
    }

    #[test]
    fn images_before_long_text_are_not_checked() {
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &after(7_500, "<img src=a>"));
        let html = format!("<img src=a>{}", after(20_000, ""));
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &html);
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, "<img src=a>");
    }

    #[test]
    fn collapsed_text_does_not_push_images_down() {
        let html = format!("<details>{}</details><img src=a>", after(20_000, ""));
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &html);
    }

    #[test]
    fn text_in_any_element_pushes_images_down() {
        let words = "word ".repeat(1_700);
        for html in [
            format!("<div>{words}</div><img src=a>"),
            format!("<ul><li>{words}</ul><img src=a>"),
            format!("<table><tr><td>{words}</table><p><img src=a></p>"),
        ] {
            assert_fails(&IMAGE_OFFSCREEN_EAGER, &html, 1);
        }
        for html in [
            format!("<script>{words}</script><img src=a>"),
            format!("<div class='modal fade'>{words}</div><img src=a>"),
            format!("<div id=carousel-main>{words}</div><img src=a>"),
            format!("<style>.pane{{display:none}}</style><div class=pane>{words}</div><img src=a>"),
            format!("<header>{words}</header><img src=a>"),
        ] {
            assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &html);
        }
    }

    #[test]
    fn earlier_images_fill_space_as_in_a_grid() {
        let images =
            |count: usize, size: &str| format!("<img src=a loading=lazy {size}>").repeat(count);
        let last = "<img src=z>";
        // 200 × 150 pixels each.
        let many = images(43, "width=800 height=600");
        assert_fails(&IMAGE_OFFSCREEN_EAGER, &format!("{many}{last}"), 1);
        for few in [
            images(42, "width=800 height=600"),
            images(200, ""),
            images(200, "width=10 height=10"),
            images(1, "width=1 height=99999"),
        ] {
            assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &format!("{few}{last}"));
        }
    }

    #[test]
    fn images_that_styles_place_elsewhere_are_not_checked() {
        for css in [
            ".up img{position:fixed}",
            ".up{position:absolute}",
            "@media (hover){.up{position:absolute}}",
        ] {
            let html = after(9_000, "<div class=up><img src=a></div>");
            let html = format!("<style>{css}</style>{html}");
            let found = outcome(&IMAGE_OFFSCREEN_EAGER, &html);
            assert!(matches!(found, Outcome::CannotTell(_)), "{css}");
        }
        let html = after(9_000, "<div class=up><img src=a></div>");
        assert_fails(&IMAGE_OFFSCREEN_EAGER, &html, 1);
    }

    #[test]
    fn icons_and_script_loaded_images_are_not_checked() {
        for image in [
            "<img src=a width=1 height=1>",
            "<img src=a class=nav-icon>",
            "<style>.row img{height:2rem}</style><div class=row><img src=a></div>",
            "<div class=preloader><img src=a></div>",
            "<div id=page-loader><p><img src=a></p></div>",
            "<style>.gone{display:none}</style><div class=gone><img src=a></div>",
            "<div class=swiper-slide><img src=a></div>",
            "<img src=a width=16 height=16>",
            "<img data-src=a src=b>",
            "<img src='data:image/gif;base64,x'>",
            "<img src=a loading=eager>",
            "<nav><img src=a></nav>",
        ] {
            assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &after(16_000, image));
        }
    }
}
