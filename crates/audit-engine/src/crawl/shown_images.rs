//! How large a browser showed the images of a page.

use crate::dom::ElementRef;
use crate::layout::Layout;
use crate::page::ResourceKind;
use crate::site::ShownSize;
use crate::view::Page;

/// Images of one page that are kept.
const MAX_PAGE_IMAGES: usize = 500;

/// The images of a page by their URLs, each once; none of a page that no browser showed.
pub(super) fn shown_images(page: &Page) -> Vec<(String, ShownSize)> {
    let Some((layout, window)) = page
        .layout()
        .and_then(|layout| Some((layout, layout.window()?)))
    else {
        return Vec::new();
    };
    let uses = (page.resources().iter()).filter(|used| used.kind == ResourceKind::Image);
    let images = uses.filter_map(|used| {
        let image = page.element(used.node)?;
        let size = size_of(image, layout, window.width());
        Some((used.url.as_str().to_owned(), size))
    });
    images.take(MAX_PAGE_IMAGES).collect()
}

/// The size of an image. It is not known of an image without a box, which a script may show later, and of one of several
/// files, of which a browser chooses by the size.
fn size_of(image: ElementRef<'_>, layout: &Layout, window: f32) -> ShownSize {
    let has_choice = image.has_attr("srcset") || image.closest("picture").is_some();
    let found = layout
        .box_of(image.id())
        .filter(|_| image.is("img") && !has_choice);
    let Some(rect) = found.map(|found| found.rect) else {
        return ShownSize::UNKNOWN;
    };
    match (
        thousandths(rect.width(), window),
        thousandths(rect.height(), window),
    ) {
        (Some(width), Some(height)) => ShownSize { width, height },
        _ => ShownSize::UNKNOWN,
    }
}

/// A length in thousandths of the window, rounded up; none if it is less than a pixel.
fn thousandths(length: f32, window: f32) -> Option<u32> {
    if length < 1.0 || window < 1.0 {
        return None;
    }
    let seconds = std::time::Duration::try_from_secs_f32(length / window).ok()?;
    u32::try_from(seconds.as_micros().div_ceil(1_000)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_thousandths_of_the_window() {
        assert_eq!(thousandths(103.0, 412.0), Some(250));
        assert_eq!(thousandths(412.0, 412.0), Some(1_000));
        assert_eq!(thousandths(0.5, 412.0), None);
        assert_eq!(thousandths(f32::NAN, 412.0), None);
        assert_eq!(thousandths(100.0, 0.0), None);
    }

    #[test]
    fn a_page_that_no_browser_showed_has_none() {
        let page = Page::builder().html("<img src=a.png width=100 height=100>");
        assert!(shown_images(&page).is_empty());
    }
}
