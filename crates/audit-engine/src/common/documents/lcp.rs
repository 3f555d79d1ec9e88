//! The image that is most likely the largest thing of the first screen.
//!
//! What is drawn where is for a browser to say. An image is named here only where the markup leaves
//! hardly a doubt: it is the first image of the main part, at most a heading and a few lines stand
//! before it, and it says itself that it is large.

use crate::dom::{ElementRef, NodeData};
use crate::page::Traits;
use crate::view::Page;

/// Characters of text that may stand before the image, of a heading and an introduction.
const MOST_BEFORE: usize = 400;
/// Nodes that are looked at.
const MOST_NODES: usize = 5_000;
/// CSS pixels from which on the image covers most of the first screen, whatever the screen.
const LEAST_WIDTH: u32 = 600;
const LEAST_HEIGHT: u32 = 300;
/// Wider images are banners, beside which text may be larger on a phone.
const WIDEST: u32 = 3;

/// The image, if there is one beyond doubt.
pub(crate) fn candidate(page: &Page) -> Option<ElementRef<'_>> {
    // Most pages have none that says how large it is.
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
            // Scripts and styles count, too: where they are long, nothing is certain.
            before += text.split_ascii_whitespace().map(str::len).sum::<usize>();
            if before > MOST_BEFORE {
                return None;
            }
        }
    }
    None
}

/// Whether it is an image that is drawn, icons and pixels that count visitors aside.
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

/// Whether nothing in the markup takes the element out of the first screen.
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

/// Whether the page tells browsers to load the image before others.
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

/// Whether the image has no address of its own until a script gives it one.
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
    fn a_large_first_image_is_one() {
        assert!(found(&format!(
            "<main><h1>Ferries</h1><p>x</p>{HERO}</main>"
        )));
        assert!(found(&format!("<img width=16 height=16 src=i>{HERO}")));
    }

    #[test]
    fn where_there_is_doubt_there_is_none() {
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
