//! Images far down the page that are not lazy-loaded.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Images that follow at least 15,000 characters of paragraph text have `loading="lazy"`.
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
    /// In static mode, the check does not know where the viewport ends. It checks only images after
    /// 15,000 characters of text, which fill several screens of any size. Images that a script
    /// loads, that are marked as important, or that are inside collapsed or secondary parts of the
    /// page are not checked either.
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

/// Characters of paragraph text that fill more than two desktop screens, even in three columns.
const OFFSCREEN_CHARACTERS: usize = 15_000;

fn evaluate(page: &Page) -> Outcome {
    // A smaller page cannot have enough text.
    if page.source().len() < OFFSCREEN_CHARACTERS {
        return Outcome::NotApplicable;
    }
    let Some(last) = page.html("img").last() else {
        return Outcome::NotApplicable;
    };
    let Some(start) = offscreen_start(page, last) else {
        return Outcome::NotApplicable;
    };
    let images = page
        .html("img")
        .skip_while(|image| image.id().index() <= start)
        .filter(|image| loads_from_markup(*image) && !is_aside(page, *image));
    Outcome::for_each(images, |image| {
        Verdict::pass_if(image.attr_is("loading", "lazy"), || {
            Evidence::node(image).message(
                "The image is far down the page and loads immediately; expected loading=\"lazy\".",
            )
        })
    })
}

/// The index of the paragraph after which everything is off screen, if `last` comes after it.
fn offscreen_start(page: &Page, last: ElementRef<'_>) -> Option<usize> {
    let mut characters = 0_usize;
    let last = last.id().index();
    let paragraphs = page
        .html("p")
        .take_while(|paragraph| paragraph.id().index() < last)
        .filter(|paragraph| !is_aside(page, *paragraph));
    for paragraph in paragraphs {
        characters += length(page, paragraph);
        if characters >= OFFSCREEN_CHARACTERS {
            return Some(paragraph.id().index());
        }
    }
    None
}

fn length(page: &Page, paragraph: ElementRef<'_>) -> usize {
    let dom = page.dom();
    dom.descendants(paragraph.id())
        .filter_map(|id| match dom.data(id) {
            Some(NodeData::Text(text)) => Some(text.len()),
            _ => None,
        })
        .sum()
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
    let small = |side| {
        image
            .attr(side)
            .and_then(|pixels| pixels.trim().parse::<u32>().ok())
            .is_some_and(|pixels| pixels <= 32)
    };
    has_address
        && !image.has_attr("data-src")
        && !image.attr_is("loading", "eager")
        && !image.attr_is("fetchpriority", "high")
        && !small("width")
        && !small("height")
}

/// Whether the element is outside the main flow of the page, or hidden at first.
fn is_aside(page: &Page, element: ElementRef<'_>) -> bool {
    let out = |one: ElementRef<'_>| {
        page.traits(one).has(Traits::HIDDEN)
            || matches!(
                one.name(),
                "aside" | "details" | "dialog" | "header" | "nav" | "noscript" | "template"
            )
    };
    out(element) || element.ancestors().any(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

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
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &after(10_000, "<img src=a>"));
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
    fn icons_and_script_loaded_images_are_not_checked() {
        for image in [
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
