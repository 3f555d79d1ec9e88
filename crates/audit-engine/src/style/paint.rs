//! The color of an element's text, of its background, and its opacity.

use super::cascade::{Declared, Styles};
use super::color::{Color, number};
use super::scan::{find_outside, split_outside};
use super::sheet::Property;
use super::visibility::Uncertain;
use crate::dom::ElementRef;

/// Colors that are computed between two stops of a gradient.
const STEPS: u8 = 16;

/// Stops of a gradient that are read. A gradient with more is unknown.
const MAX_STOPS: usize = 16;

/// What an element paints.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Paint {
    /// One of these colors, which are the same for all visitors: several for a gradient.
    Colors(Vec<Color>),
    /// Anything else, such as an image.
    Other,
}

impl Paint {
    fn of(color: Option<Color>) -> Self {
        color.map_or(Self::Other, |color| Self::Colors(vec![color]))
    }
}

impl Styles {
    /// The color of the element's text; `None` if no declaration sets it for the element.
    ///
    /// Requires styles read for contrast, as do all methods of this file.
    pub(crate) fn text_color(&self, element: ElementRef<'_>) -> Result<Option<Paint>, Uncertain> {
        match self.declared(element, Property::Color) {
            Declared::Nothing => Ok(None),
            Declared::Value(value) if is_inherited(&value) => Ok(None),
            Declared::Value(value) => Ok(Some(Paint::of(Color::parse(&value)))),
            Declared::Unknown => Err(Uncertain),
        }
    }

    /// The background of the element; `None` if no declaration sets it for the element.
    pub(crate) fn background(&self, element: ElementRef<'_>) -> Result<Option<Paint>, Uncertain> {
        let color = match self.declared(element, Property::Background) {
            Declared::Nothing => None,
            Declared::Value(value) => match Background::parse(&value) {
                Some(background) => Some(background.color),
                None => return Ok(Some(Paint::Other)),
            },
            Declared::Unknown => return Err(Uncertain),
        };
        let image = match self.declared(element, Property::BackgroundImage) {
            Declared::Nothing => None,
            Declared::Value(value) => match Background::parse(&value) {
                Some(background) => background.gradient,
                None => return Ok(Some(Paint::Other)),
            },
            Declared::Unknown => return Err(Uncertain),
        };
        let base = color.unwrap_or(Color::CLEAR);
        Ok(match image {
            Some(stops) => Some(Paint::Colors(
                stops.into_iter().map(|stop| stop.over(base)).collect(),
            )),
            None => color.map(|color| Paint::Colors(vec![color])),
        })
    }

    /// The opacity of the element, from 0 to 1; `None` if it is unknown.
    pub(crate) fn opacity(&self, element: ElementRef<'_>) -> Option<f64> {
        match self.declared(element, Property::Opacity) {
            Declared::Nothing => Some(1.0),
            Declared::Value(value) => number(value.trim()),
            Declared::Unknown => None,
        }
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

    /// Whether a declaration may set the element's color, background, opacity or font size.
    pub(crate) fn may_restyle_text(&self, element: ElementRef<'_>) -> bool {
        [
            Property::Color,
            Property::Background,
            Property::BackgroundImage,
            Property::Opacity,
            Property::FontSize,
        ]
        .into_iter()
        .any(|property| self.declared(element, property) != Declared::Nothing)
    }
}

fn is_inherited(value: &str) -> bool {
    ["inherit", "unset"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word))
}

/// The value of `background`, `background-color` or `background-image`.
#[derive(Debug, PartialEq)]
struct Background {
    color: Color,
    /// The colors of a gradient that covers the element.
    gradient: Option<Vec<Color>>,
}

impl Background {
    /// Parses a background that consists of a color, a gradient, or both. `None` for all others.
    fn parse(text: &str) -> Option<Self> {
        let mut found = Self {
            color: Color::CLEAR,
            gradient: None,
        };
        // Its parts are separated by white space outside of parentheses.
        let mut rest = text.trim();
        while !rest.is_empty() {
            let at = find_outside(rest, b" \t\n\r").unwrap_or(rest.len());
            let (part, after) = rest.split_at_checked(at)?;
            rest = after.trim_start();
            if ["none", "initial", "unset"]
                .iter()
                .any(|word| part.eq_ignore_ascii_case(word))
            {
                continue;
            }
            match Color::parse(part) {
                Some(color) => found.color = color,
                None => found.gradient = Some(gradient(part)?),
            }
        }
        Some(found)
    }
}

/// The colors of a gradient: its stops, and colors between them. `None` if it is not a gradient, or not certain.
fn gradient(text: &str) -> Option<Vec<Color>> {
    let text = text.to_ascii_lowercase();
    let (name, inner) = text.strip_suffix(')')?.split_once('(')?;
    let name = name.strip_prefix("repeating-").unwrap_or(name);
    if !matches!(
        name,
        "linear-gradient" | "radial-gradient" | "conic-gradient"
    ) {
        return None;
    }
    let mut stops = Vec::new();
    for (number, part) in split_outside(inner, b',').enumerate() {
        let part = part.trim();
        let at = find_outside(part, b" \t\n\r").unwrap_or(part.len());
        let (first, _) = part.split_at_checked(at)?;
        match Color::parse(first) {
            Some(color) => stops.push(color),
            // A direction or a shape. Other color spaces mix colors differently.
            None if number == 0 && !part.split_ascii_whitespace().any(|word| word == "in") => {}
            None => return None,
        }
        if stops.len() > MAX_STOPS {
            return None;
        }
    }
    let (first, rest) = stops.split_first()?;
    let mut colors = vec![*first];
    let mut from = *first;
    for stop in rest {
        colors.extend(
            (1..=STEPS).map(|step| from.between(*stop, f64::from(step) / f64::from(STEPS))),
        );
        from = *stop;
    }
    Some(colors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    #[test]
    fn backgrounds_are_a_color_a_gradient_or_other() {
        let color = |text| Paint::Colors(vec![Color::parse(text).unwrap()]);
        for (style, expected) in [
            ("background:#fff", Ok(Some(color("white")))),
            ("background: none #fff", Ok(Some(color("white")))),
            ("background:Transparent", Ok(Some(color("transparent")))),
            ("background:url(x)", Ok(Some(Paint::Other))),
            ("background:url(x) #fff", Ok(Some(Paint::Other))),
            ("background:#fff fixed", Ok(Some(Paint::Other))),
            ("background-image:url(x)", Ok(Some(Paint::Other))),
            ("background:var(--x)", Err(Uncertain)),
            ("color:#fff", Ok(None)),
        ] {
            let page = Page::builder().html(&format!("<p id=t style='{style}'>x"));
            let element = page.by_id("t").unwrap();
            let found = page.contrast_styles().background(element);
            assert_eq!(found, expected, "{style}");
        }
    }

    #[test]
    fn gradients_are_read_with_their_stops() {
        for (text, ends) in [
            (
                "linear-gradient(to right, #FFF, #00F)",
                ["#ffffff", "#0000ff"],
            ),
            (
                "radial-gradient(circle at 5px, red 10%, rgb(0, 0, 0) 90%)",
                ["#ff0000", "#000000"],
            ),
            (
                "repeating-linear-gradient(45deg, red, white)",
                ["#ff0000", "#ffffff"],
            ),
        ] {
            let colors = gradient(text).unwrap();
            assert_eq!(colors.len(), 17, "{text}");
            assert_eq!([colors[0], colors[16]].map(|color| color.to_string()), ends);
        }
        for text in [
            "linear-gradient(in oklch, red, blue)",
            "linear-gradient(red, 20%, blue)",
            "linear-gradient(red, var(--x))",
            "image-set(red, blue)",
            "url(x)",
        ] {
            assert_eq!(gradient(text), None, "{text}");
        }
        let many = |stops: usize| format!("linear-gradient({}red)", "red,".repeat(stops - 1));
        assert!(gradient(&many(MAX_STOPS)).is_some());
        assert!(gradient(&many(MAX_STOPS + 1)).is_none());
    }
}
