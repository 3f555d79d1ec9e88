//! Images far down the page wait until somebody comes near.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Images that stand behind 15,000 characters of paragraphs have `loading="lazy"`.
    ///
    /// ## Why it matters
    /// Without it every image is loaded at once, also those that most visitors never scroll to. They
    /// take bandwidth from what is on the screen, and data volume from people who pay for it.
    ///
    /// ## How to fix it
    /// Add `loading="lazy"` to images that are not on the first screens. Keep `width` and `height` on
    /// them, so that the page does not jump when they come.
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
    /// Where the screen ends only a browser knows. So much text fills several screens of any size, and
    /// images before its end are not judged. Nor are those that a script loads, that say they are
    /// important, or that stand in parts which are folded away.
    ///
    /// ## References
    /// - web.dev, Browser-level image lazy loading for the web
    /// - HTML Standard, Lazy loading attributes
    IMAGE_OFFSCREEN_EAGER {
        id: "image-offscreen-eager",
        title: "Images far down the page load at once",
        dimension: Performance,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Characters of paragraphs that fill more than two screens of a desk, in three columns even.
const FAR: usize = 15_000;

fn evaluate(page: &Page) -> Outcome {
    // A page of fewer bytes has no such place.
    if page.source().len() < FAR {
        return Outcome::NotApplicable;
    }
    let Some(last) = page.html("img").last() else {
        return Outcome::NotApplicable;
    };
    let Some(place) = far_down(page, last) else {
        return Outcome::NotApplicable;
    };
    let images = page
        .html("img")
        .skip_while(|image| image.id().index() <= place)
        .filter(|image| loads_itself(*image) && !is_aside(page, *image));
    Outcome::for_each(images, |image| {
        Verdict::of(image.attr_is("loading", "lazy"), || {
            Evidence::node(image).message(
                "The image stands far down the page and loads at once; expected is loading=\"lazy\".",
            )
        })
    })
}

/// The place of the paragraph behind which everything is far down, if `last` stands behind it.
fn far_down(page: &Page, last: ElementRef<'_>) -> Option<usize> {
    let mut characters = 0_usize;
    let last = last.id().index();
    let paragraphs = page
        .html("p")
        .take_while(|paragraph| paragraph.id().index() < last)
        .filter(|paragraph| !is_aside(page, *paragraph));
    for paragraph in paragraphs {
        characters += length(page, paragraph);
        if characters >= FAR {
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

/// Whether a browser loads the image by what the markup says, and nobody said that it matters.
fn loads_itself(image: ElementRef<'_>) -> bool {
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

/// Whether the element stands outside of the page's flow, or is not shown at first.
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
    fn images_behind_much_text_fail_each() {
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
    fn images_before_that_are_not_judged() {
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &after(10_000, "<img src=a>"));
        let html = format!("<img src=a>{}", after(20_000, ""));
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &html);
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, "<img src=a>");
    }

    #[test]
    fn text_that_is_folded_away_does_not_push_images_down() {
        let html = format!("<details>{}</details><img src=a>", after(20_000, ""));
        assert_not_applicable(&IMAGE_OFFSCREEN_EAGER, &html);
    }

    #[test]
    fn icons_and_images_of_scripts_are_not_judged() {
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
