//! Whether styles hide an element.

use super::cascade::{Declared, Styles};
use super::sheet::Property;
use crate::dom::ElementRef;

/// The result depends on more than the page's source, such as the viewport, scripts or unread rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Uncertain;

impl Styles {
    /// Whether `display` is `none`; `Ok(None)` if no declaration sets it for the element.
    pub(crate) fn removes_box(&self, element: ElementRef<'_>) -> Result<Option<bool>, Uncertain> {
        match self.declared(element, Property::Display) {
            Declared::Nothing => Ok(None),
            Declared::Value(value) => Ok(Some(value.eq_ignore_ascii_case("none"))),
            Declared::Unknown => Err(Uncertain),
        }
    }

    /// Whether `visibility` makes the element invisible; `Ok(None)` if the element inherits it.
    pub(crate) fn is_invisible(&self, element: ElementRef<'_>) -> Result<Option<bool>, Uncertain> {
        match self.declared(element, Property::Visibility) {
            Declared::Value(value) => Ok(match value.to_ascii_lowercase().as_str() {
                "hidden" | "collapse" => Some(true),
                "visible" => Some(false),
                _ => None,
            }),
            Declared::Nothing => Ok(None),
            Declared::Unknown => Err(Uncertain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn page(style: &str) -> Page {
        Page::builder().html(&format!("<p id=t style='{style}'>x"))
    }

    #[test]
    fn only_display_none_removes_the_box() {
        for (style, expected) in [
            ("display:NONE", Ok(Some(true))),
            ("display:block", Ok(Some(false))),
            ("display:var(--x)", Err(Uncertain)),
            ("color:red", Ok(None)),
        ] {
            let page = page(style);
            let element = page.by_id("t").unwrap();
            assert_eq!(page.styles().removes_box(element), expected, "{style}");
        }
    }

    #[test]
    fn inherited_visibility_is_not_declared() {
        for (style, expected) in [
            ("visibility:collapse", Ok(Some(true))),
            ("visibility:Visible", Ok(Some(false))),
            ("visibility:inherit", Ok(None)),
            ("visibility:env(x)", Err(Uncertain)),
        ] {
            let page = page(style);
            let element = page.by_id("t").unwrap();
            assert_eq!(page.styles().is_invisible(element), expected, "{style}");
        }
    }
}
