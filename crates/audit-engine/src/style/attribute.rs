//! The `style` attribute of an element.

use std::borrow::Cow;

use super::cascade::LONGEST_ATTRIBUTE;
use super::length::Length;
use super::scan::{declarations, without_comments};
use super::sheet::Property;
use super::spacing::Spacing;
use crate::dom::ElementRef;

/// The declarations of an element's `style` attribute, regardless of style sheets.
#[derive(Debug)]
pub(crate) struct StyleAttribute<'a>(Cow<'a, str>);

impl<'a> StyleAttribute<'a> {
    /// Reads the attribute of the element; empty if it has none.
    pub(crate) fn new(element: ElementRef<'a>) -> Self {
        Self(element.attr("style").unwrap_or_default().into())
    }

    /// The value that the attribute declares for this spacing with `!important`.
    pub(crate) fn important_spacing(&self, spacing: Spacing) -> Option<String> {
        if !self.0.contains('!') {
            return None;
        }
        declarations(&without_comments(&self.0))
            .filter(|found| found.important && Property::set_by(found.name) == [spacing.property()])
            .last()
            .map(|found| found.value.to_owned())
    }

    /// Whether the attribute declares line wrapping.
    pub(crate) fn declares_wrapping(&self) -> bool {
        declarations(&without_comments(&self.0)).any(|found| {
            ["white-space", "white-space-collapse", "text-wrap"]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(found.name))
        })
    }

    /// Whether the attribute positions its element far off the screen.
    pub(crate) fn is_off_screen(&self) -> bool {
        /// The distance in pixels beyond which content counts as off-screen.
        const FAR: f64 = 500.0;
        if self.0.len() > LONGEST_ATTRIBUTE {
            return false;
        }
        let style = without_comments(&self.0);
        let mut positioned = false;
        let mut far = false;
        for found in declarations(&style) {
            let value = found.value.to_ascii_lowercase();
            match found.name.to_ascii_lowercase().as_str() {
                "position" => positioned = matches!(value.as_str(), "absolute" | "fixed"),
                "left" | "top" | "right" | "bottom" => {
                    let pixels = match Length::parse(&value) {
                        Some(Length::Pixels(pixels)) => pixels,
                        Some(Length::Ems(times) | Length::RootEms(times)) => times * 16.0,
                        _ => 0.0,
                    };
                    far |= pixels < -FAR;
                }
                _ => {}
            }
        }
        positioned && far
    }
}
