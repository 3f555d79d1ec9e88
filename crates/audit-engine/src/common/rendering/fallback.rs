//! What a page offers to readers without scripts.

use url::Url;

use crate::bounds::page::MAX_NOSCRIPT_BYTES;
use crate::dom::Dom;
use crate::view::Page;

/// The contents of the page's `noscript` elements, which are text while scripts run; at most [`MAX_NOSCRIPT_BYTES`] in
/// all.
pub(crate) fn fallbacks(page: &Page) -> Vec<Dom> {
    let mut room = MAX_NOSCRIPT_BYTES;
    let texts = page.html("noscript").map(|element| element.raw_text());
    let read = texts.map_while(|text| {
        room = room.checked_sub(text.len())?;
        Some(Dom::parse(&text))
    });
    read.collect()
}

/// The targets of the links in the page's `noscript` elements.
pub(crate) fn fallback_links(page: &Page) -> Vec<Url> {
    let mut found = Vec::new();
    for dom in fallbacks(page) {
        let elements = dom
            .descendants(dom.document())
            .filter_map(|id| dom.element(id));
        let hrefs = elements
            .filter(|element| element.is("a"))
            .filter_map(|link| link.attr("href"));
        found.extend(hrefs.filter_map(|href| page.base().join(href).ok()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_noscript_are_found_up_to_a_limit() {
        let page = |beside: usize| {
            let text = "x".repeat(beside);
            Page::builder().html(&format!(
                "<p>y<noscript>{text}</noscript><noscript><a href=b>b</a></noscript>"
            ))
        };
        let links = fallback_links(&page(0));
        assert_eq!(links[0].as_str(), "https://example.com/b");
        assert_eq!(fallback_links(&page(MAX_NOSCRIPT_BYTES - 100)).len(), 1);
        assert_eq!(fallback_links(&page(MAX_NOSCRIPT_BYTES)).len(), 0);
    }
}
