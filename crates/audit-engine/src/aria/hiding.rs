//! What names, classes and style sheets say about hidden elements.

use crate::algorithms::recent::Recent;
use crate::dom::ElementRef;
use crate::page::{ParsedPage, Traits};
use crate::style::Styles;

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
    pub(super) fn of(page: &ParsedPage, styles: &Styles) -> Self {
        Self {
            count: !styles.is_complete() || page.html("script").next().is_some(),
        }
    }

    /// Whether the usual meaning of one of these classes hides what has it.
    fn may_hide(self, classes: &str) -> bool {
        self.count
            && classes
                .split_ascii_whitespace()
                .any(|class| HIDING_CLASSES.contains(&class))
    }
}

/// What may hide the elements of a page.
pub(super) struct Hiding<'a> {
    pub(super) styles: &'a Styles,
    classes: UsualClasses,
    /// Whether any element's content is shown only where the element itself cannot be.
    pub(super) fallbacks: bool,
    /// What is known by the place of an element's name and by its classes.
    kinds: Recent<'a, Kind>,
}

/// What depends on an element's name and classes alone.
#[derive(Clone, Copy)]
struct Kind {
    by_rule: bool,
    by_usual_class: bool,
}

impl<'a> Hiding<'a> {
    pub(super) fn of(page: &'a ParsedPage, styles: &'a Styles) -> Self {
        Self {
            styles,
            classes: UsualClasses::of(page, styles),
            fallbacks: page.elements_with(Traits::WITH_FALLBACK).next().is_some(),
            kinds: Recent::default(),
        }
    }

    /// Whether a rule of the page's sheets, and whether the usual meaning of a class, may hide the element.
    pub(super) fn judge(&mut self, element: ElementRef<'a>) -> (bool, bool) {
        let classes = element.attr("class").unwrap_or_default();
        let (styles, usual) = (self.styles, self.classes);
        let kind = self.kinds.get(element.name_place(), classes, || Kind {
            by_rule: styles.may_hide_kind(element.name(), classes),
            by_usual_class: usual.may_hide(classes),
        });
        let by_rule = kind.by_rule && self.styles.may_hide(element);
        (by_rule, kind.by_usual_class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn may_hide(html: &str) -> bool {
        let page = Page::builder().html(html);
        let mut hiding = Hiding::of(&page, page.styles());
        page.html("p").any(|p| hiding.judge(p).1)
    }

    #[test]
    fn usual_names_may_hide_where_sheets_are_not_in_the_page() {
        assert!(may_hide("<link rel=stylesheet href=x><p class='a d-none'>"));
        assert!(may_hide("<script src=x></script><p class=hidden>"));
        assert!(!may_hide("<link rel=stylesheet href=x><p class='sr-only'>"));
        assert!(!may_hide("<style>.a{}</style><p class=hidden>"));
    }

    #[test]
    fn elements_of_one_kind_are_told_apart_by_what_else_rules_ask_for() {
        let css = ".a .x, #b, [data-x], p.y:not(.z) { display: none } .x { color: red }";
        let body = "<p class=x><p class=x id=b><p class=x data-x><div class=a><p class=x></div><p class=y><p class='y z'>";
        let page = Page::builder().html(&format!("<style>{css}</style>{body}"));
        let mut hiding = Hiding::of(&page, page.styles());
        let found: Vec<bool> = page.html("p").map(|p| hiding.judge(p).0).collect();
        assert_eq!(found, [false, true, true, true, true, false]);
    }

    #[test]
    fn a_kind_is_known_by_its_name_and_its_classes() {
        let css = ".x, i { display: none } p.y { display: block }";
        let body = "<p class=y></p><b class=y></b><i class=y></i><b class='y x'></b><i></i><b></b><p class=x></p><p></p>";
        let page = Page::builder().html(&format!("<style>{css}</style>{body}"));
        let mut hiding = Hiding::of(&page, page.styles());
        for (name, expected) in [
            ("p", vec![false, true, false]),
            ("b", vec![false, true, false]),
            ("i", vec![true, true]),
        ] {
            // Again, when everything is known.
            for _ in 0..2 {
                let found: Vec<bool> = page.html(name).map(|one| hiding.judge(one).0).collect();
                assert_eq!(found, expected, "{name}");
            }
        }
    }
}
