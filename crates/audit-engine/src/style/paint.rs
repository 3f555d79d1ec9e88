//! The color of an element's text and of its background.

use super::cascade::{Declared, Styles};
use super::color::Color;
use super::sheet::Property;
use super::visibility::Uncertain;
use crate::dom::ElementRef;

/// What an element paints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Nothing: the background shows through.
    Nothing,
    /// An opaque color that is the same for all visitors.
    Color(Color),
    /// Anything else, such as an image, a gradient or a transparent color.
    Other,
}

impl Styles {
    /// The color of the element's text; `None` if no declaration sets it for the element.
    ///
    /// Requires styles read for contrast, as do all methods of this file.
    pub(crate) fn text_color(&self, element: ElementRef<'_>) -> Result<Option<Paint>, Uncertain> {
        self.paint(element, Property::Color, |value| {
            Color::parse(value).map_or(Paint::Other, Paint::Color)
        })
    }

    /// The background of the element; `None` if no declaration sets it for the element.
    pub(crate) fn background(&self, element: ElementRef<'_>) -> Result<Option<Paint>, Uncertain> {
        self.paint(element, Property::Background, |value| {
            if is_clear(value) {
                return Paint::Nothing;
            }
            Color::parse_background(value).map_or(Paint::Other, Paint::Color)
        })
    }

    /// Whether a rule for any element may layer it over others, or make it or its text paint something else as
    /// well.
    pub(crate) fn have_layers(&self) -> bool {
        self.declares(Property::Layer)
    }

    /// Whether the element may be layered over others, or it or its text may paint something else as well.
    pub(crate) fn is_layer(&self, element: ElementRef<'_>) -> bool {
        self.declared(element, Property::Layer) != Declared::Nothing
    }

    /// Whether a declaration may set the element's font weight.
    pub(crate) fn may_declare_font_weight(&self, element: ElementRef<'_>) -> bool {
        self.declared(element, Property::FontWeight) != Declared::Nothing
    }

    /// Whether a declaration may set the element's color, background or font size.
    pub(crate) fn may_restyle_text(&self, element: ElementRef<'_>) -> bool {
        [Property::Color, Property::Background, Property::FontSize]
            .into_iter()
            .any(|property| self.declared(element, property) != Declared::Nothing)
    }

    fn paint(
        &self,
        element: ElementRef<'_>,
        property: Property,
        read: impl FnOnce(&str) -> Paint,
    ) -> Result<Option<Paint>, Uncertain> {
        match self.declared(element, property) {
            Declared::Nothing => Ok(None),
            Declared::Value(value) => Ok(Some(read(&value))),
            Declared::Unknown => Err(Uncertain),
        }
    }
}

fn is_clear(value: &str) -> bool {
    ["none", "transparent", "initial", "unset"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    #[test]
    fn backgrounds_are_a_color_nothing_or_other() {
        for (style, expected) in [
            ("background:#fff", Ok(Some(Paint::Color(Color::WHITE)))),
            ("background:Transparent", Ok(Some(Paint::Nothing))),
            ("background:url(x)", Ok(Some(Paint::Other))),
            ("background:var(--x)", Err(Uncertain)),
            ("color:#fff", Ok(None)),
        ] {
            let page = Page::builder().html(&format!("<p id=t style='{style}'>x"));
            let element = page.by_id("t").unwrap();
            assert_eq!(
                page.contrast_styles().background(element),
                expected,
                "{style}"
            );
        }
    }
}
