//! What the usual names of classes say about hidden elements.

use crate::dom::ElementRef;
use crate::page::Page;

/// Class names that style sheets everywhere define as `display: none`.
const HIDING_CLASSES: [&str; 10] = [
    "hidden",
    "hide",
    "d-none",
    "is-hidden",
    "u-hidden",
    "invisible",
    "display-none",
    "dn",
    "ng-hide",
    "uk-hidden",
];

/// Whether sheets that are not in the page may hide its elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct UsualClasses {
    count: bool,
}

impl UsualClasses {
    /// Where all sheets are in the page and no script adds others, names mean nothing.
    pub(super) fn of(page: &Page) -> Self {
        Self {
            count: !page.styles().is_whole() || page.html("script").next().is_some(),
        }
    }

    /// Whether the usual meaning of a class hides the element.
    pub(super) fn may_hide(self, element: ElementRef<'_>) -> bool {
        self.count
            && element.attr("class").is_some_and(|classes| {
                classes
                    .split_ascii_whitespace()
                    .any(|class| HIDING_CLASSES.contains(&class))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_hide(html: &str) -> bool {
        let page = Page::builder().html(html);
        let classes = UsualClasses::of(&page);
        page.html("p").next().is_some_and(|p| classes.may_hide(p))
    }

    #[test]
    fn usual_names_may_hide_where_sheets_are_not_in_the_page() {
        assert!(may_hide("<link rel=stylesheet href=x><p class='a d-none'>"));
        assert!(may_hide("<script src=x></script><p class=hidden>"));
        assert!(!may_hide("<link rel=stylesheet href=x><p class='sr-only'>"));
        assert!(!may_hide("<style>.a{}</style><p class=hidden>"));
    }
}
