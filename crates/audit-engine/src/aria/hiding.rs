//! Whether rules and class names may hide elements.

use crate::algorithms::recent::Recent;
use crate::dom::ElementRef;
use crate::page::{ParsedPage, Traits};
use crate::style::Styles;

/// Class names that common style sheets define as `display: none`.
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

/// Whether style sheets outside the page may hide its elements by a common class name.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommonHidingClasses {
    count: bool,
}

impl CommonHidingClasses {
    /// If all sheets are in the page and no script adds others, class names have no presumed meaning.
    pub(super) fn new(page: &ParsedPage, styles: &Styles) -> Self {
        Self {
            count: !styles.is_complete() || page.runs_scripts(),
        }
    }

    /// Whether one of these classes commonly hides its element.
    fn may_hide(self, classes: &str) -> bool {
        self.count
            && classes
                .split_ascii_whitespace()
                .any(|class| HIDING_CLASSES.contains(&class))
    }
}

/// The rules and class names that may hide the elements of a page.
pub(super) struct Hiding<'a> {
    pub(super) styles: &'a Styles,
    classes: CommonHidingClasses,
    /// Whether the page has elements with fallback content.
    pub(super) fallbacks: bool,
    /// Cached results by element name and classes.
    kinds: Recent<'a, Kind>,
}

/// The result that depends only on an element's name and classes.
#[derive(Clone, Copy)]
struct Kind {
    by_rule: bool,
    by_common_class: bool,
}

impl<'a> Hiding<'a> {
    pub(super) fn new(page: &'a ParsedPage, styles: &'a Styles) -> Self {
        Self {
            styles,
            classes: CommonHidingClasses::new(page, styles),
            fallbacks: page.elements_with(Traits::WITH_FALLBACK).next().is_some(),
            kinds: Recent::default(),
        }
    }

    /// Returns whether a rule of the page's sheets may hide the element, and whether a common class name
    /// may.
    pub(super) fn evaluate(&mut self, element: ElementRef<'a>) -> (bool, bool) {
        let classes = element.attr("class").unwrap_or_default();
        let (styles, usual) = (self.styles, self.classes);
        let kind = self.kinds.get(element.name_place(), classes, || Kind {
            by_rule: styles.may_hide_kind(element.name(), classes),
            by_common_class: usual.may_hide(classes),
        });
        let by_rule = kind.by_rule && self.styles.may_hide(element);
        (by_rule, kind.by_common_class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn may_hide(html: &str) -> bool {
        let page = Page::builder().html(html);
        let mut hiding = Hiding::new(&page, page.styles());
        page.html("p").any(|p| hiding.evaluate(p).1)
    }

    #[test]
    fn common_class_names_may_hide_if_sheets_are_not_in_the_page() {
        assert!(may_hide("<link rel=stylesheet href=x><p class='a d-none'>"));
        assert!(may_hide("<script src=x></script><p class=hidden>"));
        assert!(!may_hide("<link rel=stylesheet href=x><p class='sr-only'>"));
        assert!(!may_hide("<style>.a{}</style><p class=hidden>"));
    }

    #[test]
    fn elements_with_equal_name_and_classes_are_matched_by_other_conditions() {
        let css = ".a .x, #b, [data-x], p.y:not(.z) { display: none } .x { color: red }";
        let body = "<p class=x><p class=x id=b><p class=x data-x><div class=a><p class=x></div><p class=y><p class='y z'>";
        let page = Page::builder().html(&format!("<style>{css}</style>{body}"));
        let mut hiding = Hiding::new(&page, page.styles());
        let found: Vec<bool> = page.html("p").map(|p| hiding.evaluate(p).0).collect();
        assert_eq!(found, [false, true, true, true, true, false]);
    }

    #[test]
    fn results_are_cached_by_element_name_and_classes() {
        let css = ".x, i { display: none } p.y { display: block }";
        let body = "<p class=y></p><b class=y></b><i class=y></i><b class='y x'></b><i></i><b></b><p class=x></p><p></p>";
        let page = Page::builder().html(&format!("<style>{css}</style>{body}"));
        let mut hiding = Hiding::new(&page, page.styles());
        for (name, expected) in [
            ("p", vec![false, true, false]),
            ("b", vec![false, true, false]),
            ("i", vec![true, true]),
        ] {
            // The second pass reads only from the cache.
            for _ in 0..2 {
                let found: Vec<bool> = page.html(name).map(|one| hiding.evaluate(one).0).collect();
                assert_eq!(found, expected, "{name}");
            }
        }
    }
}
