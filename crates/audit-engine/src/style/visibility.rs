//! Whether styles hide an element.

use super::cascade::{Declared, Styles};
use super::sheet::Property;
use super::widths::Widths;
use crate::dom::ElementRef;

/// The result depends on more than the page's source, such as the viewport, scripts or unread rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Uncertain;

/// Whether declarations hide an element, in windows of each width. No declaration concerns it in the other widths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Visibility {
    /// They hide it.
    pub(crate) hidden: Widths,
    /// They show it.
    pub(crate) shown: Widths,
    /// Whether they hide it is unknown.
    pub(crate) unknown: Widths,
}

impl Visibility {
    /// The result that a browser computed, at its window width.
    fn computed(is_shown: bool) -> Self {
        let mut found = Self::default();
        let set = if is_shown {
            &mut found.shown
        } else {
            &mut found.hidden
        };
        *set = Widths::ALL;
        found
    }

    fn of(
        styles: &Styles,
        element: ElementRef<'_>,
        property: Property,
        is_hiding: impl Fn(&str) -> Option<bool>,
    ) -> Self {
        let mut found = Self::default();
        styles.declared_in_widths(element, property, |widths, declared| {
            let set = match declared {
                Declared::Nothing => return,
                Declared::Unknown => &mut found.unknown,
                Declared::Value(value) => match is_hiding(&value) {
                    Some(true) => &mut found.hidden,
                    Some(false) => &mut found.shown,
                    None => return,
                },
            };
            *set = set.or(widths);
        });
        found
    }
}

impl Styles {
    /// Whether `display` is `none`, on a rendered page also that of an ancestor.
    pub(crate) fn removes_box(&self, element: ElementRef<'_>) -> Visibility {
        if let Some(shown) = self.shown(element) {
            return Visibility::computed(shown.has_box);
        }
        Visibility::of(self, element, Property::Display, |value| {
            Some(value.eq_ignore_ascii_case("none"))
        })
    }

    /// Whether `visibility` makes the element invisible. In widths without a declaration the element inherits it.
    pub(crate) fn is_invisible(&self, element: ElementRef<'_>) -> Visibility {
        if let Some(shown) = self.shown(element) {
            return Visibility::computed(shown.is_visible);
        }
        Visibility::of(self, element, Property::Visibility, |value| {
            match value.to_ascii_lowercase().as_str() {
                "hidden" | "collapse" => Some(true),
                "visible" => Some(false),
                _ => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn page(style: &str) -> Page {
        Page::builder().html(&format!("<p id=t style='{style}'>x"))
    }

    fn all(set: fn(&mut Visibility) -> &mut Widths) -> Visibility {
        let mut found = Visibility::default();
        *set(&mut found) = Widths::ALL;
        found
    }

    #[test]
    fn only_display_none_removes_the_box() {
        for (style, expected) in [
            ("display:NONE", all(|found| &mut found.hidden)),
            ("display:block", all(|found| &mut found.shown)),
            ("display:var(--x)", all(|found| &mut found.unknown)),
            ("color:red", Visibility::default()),
        ] {
            let page = page(style);
            let element = page.by_id("t").unwrap();
            assert_eq!(page.styles().removes_box(element), expected, "{style}");
        }
    }

    #[test]
    fn inherited_visibility_is_not_declared() {
        for (style, expected) in [
            ("visibility:collapse", all(|found| &mut found.hidden)),
            ("visibility:Visible", all(|found| &mut found.shown)),
            ("visibility:inherit", Visibility::default()),
            ("visibility:env(x)", all(|found| &mut found.unknown)),
        ] {
            let page = page(style);
            let element = page.by_id("t").unwrap();
            assert_eq!(page.styles().is_invisible(element), expected, "{style}");
        }
    }

    #[test]
    fn visibility_may_differ_between_window_widths() {
        let css = ".none{display:none}@media(min-width:576px){.sm-block{display:block}}\
            @media(min-width:992px){.lg-none{display:none}}";
        let html = format!("<style>{css}</style><p id=t class='none sm-block lg-none'>");
        let page = Page::builder().html(&html);
        let found = page.styles().removes_box(page.by_id("t").unwrap());
        let widths = [found.hidden, found.shown, found.unknown].map(Widths::bits);
        assert_eq!(widths, [0b101, 0b010, 0]);
    }
}
