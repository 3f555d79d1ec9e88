//! Values of the properties that an appearance consists of.

use super::color::Color;
use super::gradient::gradient;
use super::scan::{find_outside, split_outside};

/// What an element paints behind its content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Backdrop {
    /// Nothing.
    Clear,
    /// One of these colors, which are the same for all visitors: several for a gradient.
    Colors(Vec<Color>),
    /// Anything else, such as an image.
    Unknown,
}

impl Backdrop {
    pub(super) fn of(color: Color) -> Self {
        if color.alpha() > 0.0 {
            Self::Colors(vec![color])
        } else {
            Self::Clear
        }
    }
}

/// What a computed background paints. `fills` tells whether the image is behind the whole box.
pub(crate) fn backdrop(color: &str, image: Option<&str>, fills: bool) -> Backdrop {
    let Some(color) = Color::parse(color) else {
        return Backdrop::Unknown;
    };
    let Some(image) = image else {
        return Backdrop::of(color);
    };
    match gradient(image).filter(|_| fills) {
        Some(colors) => Backdrop::Colors(colors.iter().map(|own| own.over(color)).collect()),
        None => Backdrop::Unknown,
    }
}

/// The image of a background.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Image {
    None,
    /// The colors of a gradient.
    Gradient(Vec<Color>),
    Unknown,
}

/// The value of `background`, `background-color` or `background-image`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Background {
    pub(super) color: Option<Color>,
    pub(super) image: Image,
    /// Whether it names a position, a size or a box of the image.
    pub(super) has_area: bool,
}

impl Background {
    /// Reads the value, in which `currentcolor` is this color. `None` if it is not understood.
    pub(super) fn parse(text: &str, current: Option<Color>) -> Option<Self> {
        let mut found = Self {
            color: Some(Color::CLEAR),
            image: Image::None,
            has_area: false,
        };
        let mut images = 0;
        for layer in split_outside(text, b',') {
            // The parts of a layer are separated by white space and slashes outside of parentheses.
            let mut rest = layer.trim();
            while !rest.is_empty() {
                let at = find_outside(rest, b" \t\n\r/").unwrap_or(rest.len());
                let (part, after) = rest.split_at_checked(at)?;
                rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
                if part.is_empty() {
                    continue;
                }
                images += usize::from(found.add(part, current)?);
            }
        }
        if images > 1 {
            found.image = Image::Unknown;
        }
        Some(found)
    }

    /// Adds a part of the value. Returns whether it is an image.
    fn add(&mut self, part: &str, current: Option<Color>) -> Option<bool> {
        const AREAS: [&str; 15] = [
            "no-repeat",
            "repeat-x",
            "repeat-y",
            "space",
            "round",
            "fixed",
            "local",
            "left",
            "right",
            "top",
            "bottom",
            "center",
            "cover",
            "contain",
            "auto",
        ];
        let lower = part.to_ascii_lowercase();
        let lower = lower.as_str();
        let is_default = matches!(
            lower,
            "none" | "initial" | "unset" | "scroll" | "repeat" | "border-box" | "padding-box"
        );
        if is_default {
            return Some(false);
        }
        let is_length =
            lower.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
        if AREAS.contains(&lower) || lower == "content-box" || is_length {
            self.has_area = true;
            return Some(false);
        }
        if lower == "currentcolor" {
            self.color = current;
            return Some(false);
        }
        if let Some(color) = Color::parse(lower) {
            self.color = Some(color);
            return Some(false);
        }
        if lower.starts_with("url(") || lower.starts_with("image-set(") {
            self.image = Image::Unknown;
            return Some(true);
        }
        if lower.contains("gradient(") {
            self.image = with_current(lower, current)
                .and_then(|text| gradient(&text))
                .map_or(Image::Unknown, Image::Gradient);
            return Some(true);
        }
        None
    }
}

/// The text with `currentcolor` replaced by the color.
fn with_current(text: &str, current: Option<Color>) -> Option<String> {
    if !text.contains("currentcolor") {
        return Some(text.to_owned());
    }
    let current = current.filter(|color| color.alpha() >= 1.0)?;
    Some(text.replace("currentcolor", &current.to_string()))
}

/// Whether a position of a gradient that is as large as the element leaves no part of it without the gradient.
pub(super) fn fills(text: &str) -> bool {
    text.split([' ', ',']).all(|part| {
        let part = part.trim().to_ascii_lowercase();
        let words = [
            "", "initial", "left", "right", "top", "bottom", "center", "0",
        ];
        words.contains(&part.as_str()) || part.ends_with('%')
    })
}

/// Whether a size of a gradient is at least that of the element.
pub(super) fn covers(text: &str) -> bool {
    text.split([' ', ',']).all(|part| {
        let part = part.trim().to_ascii_lowercase();
        let percent = part
            .strip_suffix('%')
            .and_then(|number| number.parse::<f64>().ok());
        part.is_empty()
            || matches!(part.as_str(), "cover" | "auto" | "initial")
            || percent.is_some_and(|percent| percent >= 100.0)
    })
}

/// The part of a shorthand for four sides that is about one of them: 0 to 3 for top, right, bottom, left.
pub(super) fn side(value: &str, side: usize) -> Option<&str> {
    let mut parts = Vec::new();
    let mut rest = value.trim();
    while !rest.is_empty() {
        let at = find_outside(rest, b" \t\n\r").unwrap_or(rest.len());
        let (part, after) = rest.split_at_checked(at)?;
        parts.push(part);
        rest = after.trim_start();
    }
    let place = match (parts.len(), side) {
        (1, _) => 0,
        (2, side) => side % 2,
        (3, 3) => 1,
        (_, side) => side,
    };
    parts.get(place).copied()
}

/// Whether a value of `transform`, `translate` or `scale` leaves the element where it is.
pub(super) fn is_identity(value: &str) -> bool {
    let lower = value.trim().to_ascii_lowercase();
    if matches!(lower.as_str(), "" | "none" | "initial" | "unset") {
        return true;
    }
    let mut rest = lower.as_str();
    while !rest.is_empty() {
        let Some((name, inner)) = rest.split_once('(') else {
            return false;
        };
        let Some((arguments, after)) = inner.split_once(')') else {
            return false;
        };
        let neutral = if name.trim().starts_with("scale") {
            1.0
        } else {
            0.0
        };
        let known = ["translate", "rotate", "skew", "scale"];
        if !known.iter().any(|known| name.trim().starts_with(known)) {
            return false;
        }
        for part in arguments.split([',', ' ']).map(str::trim) {
            let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
            if !part.is_empty() && digits.parse::<f64>() != Ok(neutral) {
                return false;
            }
        }
        rest = after.trim_start();
    }
    true
}

/// Whether a value of `box-shadow` paints over the background.
pub(super) fn paints_inside(value: &str) -> bool {
    /// Shadows up to this size are lines at the edge.
    const LINE: f64 = 16.0;
    split_outside(value, b',').any(|shadow| {
        let lower = shadow.to_ascii_lowercase();
        if !lower.contains("inset") {
            return false;
        }
        let mut rest = lower.trim();
        let mut is_large = false;
        while !rest.is_empty() {
            let at = find_outside(rest, b" \t\n\r").unwrap_or(rest.len());
            let Some((part, after)) = rest.split_at_checked(at) else {
                return true;
            };
            rest = after.trim_start();
            if Color::parse(part).is_some_and(|color| color.alpha() <= 0.0) {
                return false;
            }
            let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
            if let Ok(number) = digits.parse::<f64>() {
                let factor = if part.ends_with("em") { 16.0 } else { 1.0 };
                is_large |= (number * factor).abs() > LINE;
            } else if part.starts_with("calc") || part.starts_with("var") {
                is_large = true;
            }
        }
        is_large
    })
}

/// A font weight as a number, next to that of the parent.
pub(super) fn weight(value: &str, parent: Option<f64>) -> Option<f64> {
    match value.trim().to_ascii_lowercase().as_str() {
        "normal" | "initial" => Some(400.0),
        "bold" => Some(700.0),
        "inherit" | "unset" => parent,
        "bolder" => parent.map(|weight| match weight {
            weight if weight < 350.0 => 400.0,
            weight if weight < 550.0 => 700.0,
            weight => weight.max(900.0),
        }),
        "lighter" => parent.map(|weight| match weight {
            weight if weight < 550.0 => weight.min(100.0),
            weight if weight < 750.0 => 400.0,
            _ => 700.0,
        }),
        number => number
            .parse()
            .ok()
            .filter(|weight| (1.0..=1_000.0).contains(weight)),
    }
}

/// The size and the weight in a value of `font`; `None` for a part that is not understood.
pub(super) fn font(value: &str) -> (Option<&str>, Option<&str>) {
    let mut weight = Some("normal");
    let mut rest = value.trim();
    if ["inherit", "unset"]
        .iter()
        .any(|word| rest.eq_ignore_ascii_case(word))
    {
        return (Some(rest), Some(rest));
    }
    while !rest.is_empty() {
        let at = find_outside(rest, b" \t\n\r/").unwrap_or(rest.len());
        let Some((part, after)) = rest.split_at_checked(at) else {
            break;
        };
        // A slash without a size before it.
        if part.is_empty() {
            break;
        }
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        let is_weight =
            is_number && part.len() <= 4 && part != "0" && !after.trim_start().starts_with('/');
        let starts_size = part.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let is_size_word = ["small", "medium", "large"]
            .iter()
            .any(|word| part.to_ascii_lowercase().ends_with(word));
        let lower = part.to_ascii_lowercase();
        if is_weight || matches!(lower.as_str(), "bold" | "bolder" | "lighter") {
            weight = Some(part);
        } else if starts_size || is_size_word || lower.contains('(') || lower.ends_with("er") {
            return (Some(part), weight);
        } else if !matches!(
            lower.as_str(),
            "normal" | "italic" | "oblique" | "small-caps" | "condensed" | "expanded"
        ) {
            break;
        }
        rest = after.trim_start();
    }
    (None, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_are_read_in_parts() {
        let color = |text| Color::parse(text);
        for (text, expected) in [
            ("#fff", Some((color("white"), Image::None, false))),
            ("none", Some((color("transparent"), Image::None, false))),
            ("0 0", Some((color("transparent"), Image::None, true))),
            (
                "#fff none repeat scroll 0 0",
                Some((color("white"), Image::None, true)),
            ),
            (
                "url(x) center / cover no-repeat, red",
                Some((color("red"), Image::Unknown, true)),
            ),
            ("currentColor", Some((color("navy"), Image::None, false))),
            ("color-mix(in srgb, red, blue)", None),
            ("inherit", None),
        ] {
            let found = Background::parse(text, color("navy"));
            let found = found.map(|found| (found.color, found.image, found.has_area));
            assert_eq!(found, expected, "{text}");
        }
        let found = Background::parse("linear-gradient(currentColor,red)", color("navy"));
        assert!(
            matches!(found.map(|found| found.image), Some(Image::Gradient(colors)) if colors.len() == 17)
        );
        let two = "linear-gradient(red,blue),linear-gradient(red,blue)";
        assert_eq!(Background::parse(two, None).unwrap().image, Image::Unknown);
    }

    #[test]
    fn the_sides_of_a_shorthand_are_found() {
        for (value, expected) in [
            ("1px", ["1px"; 4]),
            ("1px 2px", ["1px", "2px", "1px", "2px"]),
            ("1px 2px 3px", ["1px", "2px", "3px", "2px"]),
            (
                "1px 2px 3px calc(4px + 0px)",
                ["1px", "2px", "3px", "calc(4px + 0px)"],
            ),
        ] {
            let found = [0, 1, 2, 3].map(|number| side(value, number).unwrap());
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn only_neutral_transforms_leave_an_element_where_it_is() {
        for value in [
            "none",
            "translateZ(0)",
            "translate(0, 0) rotate(0) skewX(0deg) scaleX(1) scaleY(1)",
        ] {
            assert!(is_identity(value), "{value}");
        }
        for value in [
            "translateY(-50%)",
            "scale(0)",
            "matrix(1,0,0,1,0,0)",
            "rotate(",
            "10px",
        ] {
            assert!(!is_identity(value), "{value}");
        }
    }

    #[test]
    fn inner_shadows_paint_over_the_background() {
        for (value, expected) in [
            ("none", false),
            ("0 1px 2px #000", false),
            ("inset 0 0 0 9999px rgba(0,0,0,.05)", true),
            ("inset 0 0 0 9999px transparent", false),
            ("inset 0 -1px 0 #ddd", false),
            ("0 0 1px #000, inset 0 0 5em red", true),
        ] {
            assert_eq!(paints_inside(value), expected, "{value}");
        }
    }

    #[test]
    fn fonts_are_read_with_their_weight_and_size() {
        for (value, expected) in [
            ("bold 12px/1.5 Arial", (Some("12px"), Some("bold"))),
            ("italic 600 1.5rem x", (Some("1.5rem"), Some("600"))),
            ("14px x", (Some("14px"), Some("normal"))),
            ("inherit", (Some("inherit"), Some("inherit"))),
            ("caption", (None, None)),
            // Old style sheets replace a text by an image in this way.
            ("0/0 a", (Some("0"), Some("normal"))),
            ("bold/1 x", (None, None)),
            ("/", (None, None)),
            ("400 16/1.5 x", (Some("16"), Some("400"))),
        ] {
            assert_eq!(font(value), expected, "{value}");
        }
    }
}
