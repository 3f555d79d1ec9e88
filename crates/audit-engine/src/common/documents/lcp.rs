//! The probable Largest Contentful Paint (LCP) image of a page.
//!
//! In static mode, the layout is unknown. This module reports an image only if the markup makes it almost certain:
//! it is the first image of the main content, only a heading and a few lines precede it, and its markup
//! declares a large size.

use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::view::Page;

/// The maximum number of characters before the image, for a heading and an introduction.
const MOST_BEFORE: usize = 400;
/// The maximum number of nodes that are read.
const MOST_NODES: usize = 5_000;
/// The minimum size in CSS pixels of an image that fills most of the viewport on any device.
const LEAST_WIDTH: u32 = 600;
const LEAST_HEIGHT: u32 = 300;
/// Wider images are banners. On a phone, text can be larger than a banner.
const WIDEST: u32 = 3;

/// The LCP image, if it is almost certain.
pub(crate) fn candidate(page: &Page) -> Option<ElementRef<'_>> {
    // Most pages have no image that declares its size.
    page.html("img").find(|image| is_large(*image))?;
    let main = page.main_element()?;
    let dom = page.dom();
    let mut before = 0_usize;
    for id in dom.descendants(main.id()).take(MOST_NODES) {
        if let Some(element) = dom.element(id) {
            if is_image(element) && is_seen(page, element, main) {
                return Some(element).filter(|image| is_large(*image));
            }
        } else if let Some(NodeData::Text(text)) = dom.data(id) {
            // Text of scripts and styles counts too: if it is long, the layout is uncertain.
            before += text.split_ascii_whitespace().map(str::len).sum::<usize>();
            if before > MOST_BEFORE {
                return None;
            }
        }
    }
    None
}

/// Whether it is a visible image, not an icon or a tracking pixel.
fn is_image(element: ElementRef<'_>) -> bool {
    let small = |side| number(element, side).is_some_and(|pixels| pixels < 100);
    element.is("img") && !small("width") && !small("height")
}

fn is_large(image: ElementRef<'_>) -> bool {
    match (number(image, "width"), number(image, "height")) {
        (Some(width), Some(height)) => {
            width >= LEAST_WIDTH && height >= LEAST_HEIGHT && width <= height.saturating_mul(WIDEST)
        }
        _ => false,
    }
}

fn number(image: ElementRef<'_>, side: &str) -> Option<u32> {
    image.attr(side)?.trim().trim_end_matches("px").parse().ok()
}

/// Whether nothing in the markup hides the element or moves it out of the first viewport.
fn is_seen(page: &Page, element: ElementRef<'_>, main: ElementRef<'_>) -> bool {
    let out = |one: ElementRef<'_>| {
        page.traits(one).has(Traits::HIDDEN)
            || one.attr_is("aria-hidden", "true")
            || matches!(
                one.name(),
                "noscript" | "dialog" | "details" | "nav" | "template"
            )
    };
    !out(element)
        && !element
            .ancestors()
            .take_while(|ancestor| ancestor.id() != main.id())
            .any(out)
}

/// Whether the image has a priority hint, or the page preloads an image.
pub(crate) fn is_preferred(page: &Page, image: ElementRef<'_>) -> bool {
    image.attr_is("fetchpriority", "high")
        || page
            .link_elements("preload")
            .any(|link| link.attr_is("as", "image"))
        || page
            .headers()
            .get_all("link")
            .any(|value| value.contains("preload"))
}

/// Whether the image is lazy-loaded by a script that sets its URL.
pub(crate) fn waits_for_script(image: ElementRef<'_>) -> bool {
    let of_script = ["data-src", "data-srcset", "data-lazy-src", "data-original"]
        .iter()
        .any(|name| image.has_attr(name));
    let placeholder = image.attr("src").is_none_or(|src| {
        let src = src.trim_start();
        src.is_empty()
            || src
                .get(..5)
                .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
    });
    of_script && placeholder && !image.has_attr("srcset")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str) -> bool {
        candidate(&Page::builder().html(html)).is_some()
    }

    const HERO: &str = "<img src=/h.jpg width=1200 height=630>";

    #[test]
    fn a_large_first_image_is_the_lcp_image() {
        assert!(found(&format!(
            "<main><h1>Ferries</h1><p>x</p>{HERO}</main>"
        )));
        assert!(found(&format!("<img width=16 height=16 src=i>{HERO}")));
    }

    #[test]
    fn uncertain_images_are_not_reported() {
        let text = "word ".repeat(200);
        for html in [
            format!("<main><p>{text}</p>{HERO}</main>"),
            format!("<main><img src=/other.jpg>{HERO}</main>"),
            format!("<main><div hidden>{HERO}</div></main>"),
            format!("<main><noscript>{HERO}</noscript></main>"),
            "<main><img src=/h.jpg></main>".to_owned(),
            "<main><img src=/h.jpg width=1200 height=200></main>".to_owned(),
            "<main><img src=/h.jpg width=300 height=300></main>".to_owned(),
            "<main><img src=/h.jpg width=100% height=400></main>".to_owned(),
        ] {
            assert!(!found(&html), "{html}");
        }
    }
}
