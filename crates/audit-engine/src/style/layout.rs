//! Whether styles reserve space for an element, and whether it is in the flow.

use super::cascade::{Declared, Styles};
use super::length::Length;
use super::sheet::Property;
use super::visibility::Uncertain;
use crate::dom::ElementRef;

/// A side of an element's box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// `width`, or `inline-size`.
    Width,
    /// `height`, or `block-size`.
    Height,
}

impl Styles {
    /// Whether styles set the length of the side before the content is known. A height in percent depends on the
    /// parent, so it is uncertain.
    pub(crate) fn sets_side(&self, element: ElementRef<'_>, side: Side) -> Result<bool, Uncertain> {
        let property = match side {
            Side::Width => Property::Width,
            Side::Height => Property::Height,
        };
        let value = match self.declared(element, property) {
            Declared::Nothing => return Ok(false),
            Declared::Unknown => return Err(Uncertain),
            Declared::Value(value) => value.trim().to_ascii_lowercase(),
        };
        let depends_on_content = ["-content", "content-"]
            .iter()
            .any(|part| value.contains(part));
        match value.as_str() {
            "auto" | "initial" | "unset" | "revert" | "revert-layer" => Ok(false),
            "inherit" => Err(Uncertain),
            _ if depends_on_content => Ok(false),
            other if side == Side::Height && other.contains('%') => Err(Uncertain),
            _ => Ok(true),
        }
    }

    /// The length of the side in pixels, if styles set it; `None` if it depends on more than that declaration.
    pub(crate) fn side_in_pixels(&self, element: ElementRef<'_>, side: Side) -> Option<f64> {
        let property = match side {
            Side::Width => Property::Width,
            Side::Height => Property::Height,
        };
        let Declared::Value(value) = self.declared(element, property) else {
            return None;
        };
        match Length::parse(&value) {
            Some(Length::Pixels(pixels)) => Some(pixels),
            Some(Length::RootEms(times) | Length::Ems(times)) => Some(times * 16.0),
            _ => None,
        }
    }

    /// Whether styles set the ratio of width and height.
    pub(crate) fn sets_aspect_ratio(&self, element: ElementRef<'_>) -> Result<bool, Uncertain> {
        match self.declared(element, Property::AspectRatio) {
            Declared::Nothing => Ok(false),
            Declared::Unknown => Err(Uncertain),
            Declared::Value(value) => Ok(value.bytes().any(|byte| byte.is_ascii_digit())),
        }
    }

    /// Whether the element itself is out of the flow, so that its size moves nothing else.
    pub(crate) fn is_out_of_flow(&self, element: ElementRef<'_>) -> Result<bool, Uncertain> {
        match self.declared(element, Property::Position) {
            Declared::Nothing => Ok(false),
            Declared::Unknown => Err(Uncertain),
            Declared::Value(value) => Ok(["absolute", "fixed"]
                .iter()
                .any(|position| value.eq_ignore_ascii_case(position))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn sides(style: &str) -> [Result<bool, Uncertain>; 2] {
        let page = Page::builder().html(&format!("<img id=t style='{style}'>"));
        let image = page.by_id("t").unwrap();
        [Side::Width, Side::Height].map(|side| page.styles().sets_side(image, side))
    }

    #[test]
    fn lengths_set_a_side_and_automatic_values_do_not() {
        for (style, expected) in [
            ("width:4px;height:2rem", [Ok(true), Ok(true)]),
            ("inline-size:50%;block-size:10vh", [Ok(true), Ok(true)]),
            ("width:auto;height:max-content", [Ok(false), Ok(false)]),
            ("width:100%;height:100%", [Ok(true), Err(Uncertain)]),
            (
                "width:var(--x);height:inherit",
                [Err(Uncertain), Err(Uncertain)],
            ),
            ("max-width:100%;min-height:9px", [Ok(false), Ok(false)]),
        ] {
            assert_eq!(sides(style), expected, "{style}");
        }
    }

    #[test]
    fn rules_of_ancestors_take_an_element_out_of_the_flow() {
        for (css, expected) in [
            (".box img{position:absolute}", Ok(true)),
            (".box > img{position:FIXED}", Ok(true)),
            (".other img{position:absolute}", Ok(false)),
            (".box img{position:relative}", Ok(false)),
            ("@media (hover){img{position:absolute}}", Err(Uncertain)),
        ] {
            let html = format!("<style>{css}</style><div class=box><img id=t></div>");
            let page = Page::builder().html(&html);
            let image = page.by_id("t").unwrap();
            assert_eq!(page.styles().is_out_of_flow(image), expected, "{css}");
        }
    }

    #[test]
    fn only_a_ratio_with_numbers_is_one() {
        for (style, expected) in [("4/3", true), ("auto 1", true), ("auto", false)] {
            let html = format!("<img id=t style='aspect-ratio:{style}'>");
            let page = Page::builder().html(&html);
            let image = page.by_id("t").unwrap();
            assert_eq!(page.styles().sets_aspect_ratio(image), Ok(expected));
        }
    }
}
