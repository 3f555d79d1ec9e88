//! The spacing and the width of text.

use super::cascade::{Declared, Styles};
use super::length::Length;
use super::sheet::Property;
use crate::dom::ElementRef;

/// A kind of spacing of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// Between letters: `letter-spacing`.
    Letters,
    /// Between words: `word-spacing`.
    Words,
    /// Between lines: `line-height`.
    Lines,
}

impl Spacing {
    pub(super) const fn property(self) -> Property {
        match self {
            Self::Letters => Property::LetterSpacing,
            Self::Words => Property::WordSpacing,
            Self::Lines => Property::LineHeight,
        }
    }
}

impl Styles {
    /// Whether a declaration may set the spacing of the element.
    pub(crate) fn may_declare_spacing(&self, element: ElementRef<'_>, spacing: Spacing) -> bool {
        self.declared(element, spacing.property()) != Declared::Nothing
    }

    /// The width of the element in pixels; `None` if it depends on more than its own declaration.
    pub(crate) fn width(&self, element: ElementRef<'_>) -> Option<f64> {
        self.pixels(element, Property::Width)
    }

    /// The maximum width of the element in pixels; `None` if it depends on more than its own
    /// declaration.
    pub(crate) fn max_width(&self, element: ElementRef<'_>) -> Option<f64> {
        self.pixels(element, Property::MaxWidth)
    }

    fn pixels(&self, element: ElementRef<'_>, property: Property) -> Option<f64> {
        let Declared::Value(value) = self.declared(element, property) else {
            return None;
        };
        match Length::parse(&value) {
            Some(Length::Pixels(pixels)) => Some(pixels),
            _ => None,
        }
    }
}
