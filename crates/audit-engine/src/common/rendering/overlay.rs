//! Blocks above a page, such as dialogs and cookie banners: scripts add them to pages that are whole without them.

use std::collections::HashSet;

use crate::dom::{ElementRef, NodeId};
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

/// The blocks above a page with all that is in them: dialogs, boxes that stay where they are when the page scrolls, and
/// consent managers by their names. A box or a manager with the main part of the page or a main heading is none.
#[derive(Debug)]
pub(crate) struct Overlays {
    /// The elements of these blocks.
    elements: HashSet<NodeId>,
}

impl Overlays {
    /// Finds the blocks of a page.
    pub(crate) fn new(page: &Page) -> Self {
        let around_content = around_content(page);
        let mut elements = HashSet::new();
        for element in page.elements() {
            let is_inside =
                (element.parent()).is_some_and(|parent| elements.contains(&parent.id()));
            let is_above = || {
                is_dialog(element)
                    || (!around_content.contains(&element.id())
                        && (is_called_consent(element) || is_fixed(page, element)))
            };
            if is_inside || is_above() {
                elements.insert(element.id());
            }
        }
        Self { elements }
    }

    /// Whether the element is such a block or in one.
    pub(crate) fn have(&self, element: ElementRef<'_>) -> bool {
        self.elements.contains(&element.id())
    }
}

/// The elements with the main part of the page or a main heading, and what is around them.
fn around_content(page: &Page) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    for element in page.elements() {
        let is_content = matches!(element.name(), "body" | "main" | "article" | "h1")
            || element.attr_is("role", "main");
        if is_content {
            let around = std::iter::once(element).chain(element.ancestors());
            // What is around an element that is known is known as well.
            let _ = around
                .take_while(|around| found.insert(around.id()))
                .count();
        }
    }
    found
}

fn is_dialog(element: ElementRef<'_>) -> bool {
    let mut roles = ["dialog", "alertdialog"].iter();
    element.is("dialog")
        || roles.any(|role| element.attr_is("role", role))
        || element.attr_is("aria-modal", "true")
}

fn is_fixed(page: &Page, element: ElementRef<'_>) -> bool {
    let style = page.layout().and_then(|layout| layout.style(element.id()));
    style.is_some_and(|style| style.position == Position::Fixed)
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("<dialog id=t open><p>x</dialog>", true)]
    #[case("<div role=dialog><h1 id=t>x</h1></div>", true)]
    #[case("<div id=t class='cookie-banner'>x</div>", true)]
    #[case("<div class='onetrust_sdk'><p><b id=t>x</b></div>", true)]
    #[case("<div id=t class='cookie-recipes'><main>x</main></div>", false)]
    #[case("<body id=t class='cookies-accepted'><p>x", false)]
    #[case("<div class='cookie-recipes'><main id=t>x</main></div>", false)]
    #[case("<div id=t class=cookiecutter>x</div>", false)]
    #[case("<div id=t>x</div>", false)]
    fn overlays_are_recognized(#[case] html: &str, #[case] expected: bool) {
        let page = Page::builder().html(html);
        let element = page.by_id("t").unwrap();
        assert_eq!(Overlays::new(&page).have(element), expected);
    }
}
