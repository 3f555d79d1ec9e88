//! Blocks above a page, such as dialogs and cookie banners: scripts add them to pages that are whole without them.

use crate::bounds::page::MAX_NODES_OF_A_BLOCK;
use crate::dom::ElementRef;
use crate::layout::Position;
use crate::view::Page;

/// Words in class names and ids of consent managers.
const CONSENT_WORDS: [&str; 12] = [
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "ccpa",
    "cmp",
    "onetrust",
    "cookiebot",
    "usercentrics",
    "didomi",
    "cookiefirst",
    "cookieconsent",
];

/// Whether the element is a block above the page: a dialog, a box that stays where it is when the page scrolls, or a
/// consent manager by its name. A block with the main part of the page or its first heading is none.
pub(crate) fn is_overlay(page: &Page, element: ElementRef<'_>) -> bool {
    let has_role = ["dialog", "alertdialog"]
        .iter()
        .any(|role| element.attr_is("role", role));
    let is_fixed = || {
        let style = page.layout().and_then(|layout| layout.style(element.id()));
        style.is_some_and(|style| style.position == Position::Fixed)
    };
    if element.is("dialog") || has_role || element.attr_is("aria-modal", "true") {
        return true;
    }
    (is_called_consent(element) || is_fixed()) && !holds_content(element)
}

/// Whether the element is in a block above the page.
pub(crate) fn is_in_overlay(page: &Page, element: ElementRef<'_>) -> bool {
    std::iter::once(element)
        .chain(element.ancestors())
        .any(|around| is_overlay(page, around))
}

fn is_called_consent(element: ElementRef<'_>) -> bool {
    let names = ["class", "id"]
        .into_iter()
        .filter_map(|name| element.attr(name));
    names
        .flat_map(|names| names.split(|c: char| !c.is_ascii_alphanumeric()))
        .any(|word| {
            CONSENT_WORDS
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known))
        })
}

fn holds_content(element: ElementRef<'_>) -> bool {
    let is_content = |inner: ElementRef<'_>| {
        matches!(inner.name(), "body" | "main" | "article" | "h1") || inner.attr_is("role", "main")
    };
    let mut inner = element.descendants().take(MAX_NODES_OF_A_BLOCK);
    is_content(element) || inner.any(is_content)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("<dialog id=t open><p>x</dialog>", true)]
    #[case("<div id=t role=dialog><h1>x</h1></div>", true)]
    #[case("<div id=t class='cookie-banner'>x</div>", true)]
    #[case("<div id=t class='onetrust_sdk'>x</div>", true)]
    #[case("<div id=t class='cookie-recipes'><main>x</main></div>", false)]
    #[case("<div id=t class=cookiecutter>x</div>", false)]
    #[case("<div id=t>x</div>", false)]
    fn overlays_are_recognized(#[case] html: &str, #[case] expected: bool) {
        let page = Page::builder().html(html);
        assert_eq!(is_overlay(&page, page.by_id("t").unwrap()), expected);
    }

    #[test]
    fn content_is_looked_for_in_a_limited_number_of_nodes() {
        let page = |before: usize| {
            let before = "<br>".repeat(before);
            Page::builder().html(&format!(
                "<div id=t class=cookie>{before}<main>x</main></div>"
            ))
        };
        let is_overlay = |page: &Page| is_overlay(page, page.by_id("t").unwrap());
        assert!(!is_overlay(&page(MAX_NODES_OF_A_BLOCK - 1)));
        assert!(is_overlay(&page(MAX_NODES_OF_A_BLOCK)));
    }
}
