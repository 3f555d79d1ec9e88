//! Lengths and the sizes of fonts, in CSS pixels.

use super::cascade::{Declared, LONGEST_ATTRIBUTE, Styles};
use super::sheet::Property;
use crate::bounds::style::MAX_LENGTH_ANCESTORS;
use crate::dom::ElementRef;

/// What browsers take a font to be where nobody says otherwise.
const USUAL_FONT: f64 = 16.0;

/// What browsers take it to be in the controls of forms, whatever stands around them.
const CONTROL_FONT: f64 = 40.0 / 3.0;

/// A length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Length {
    /// So many CSS pixels.
    Pixels(f64),
    /// So many times the size of the element's font.
    Ems(f64),
    /// So many times the size of the root's font.
    RootEms(f64),
    /// A percentage, as a fraction of one.
    Fraction(f64),
    /// A number without a unit.
    Factor(f64),
}

impl Length {
    /// Reads a length; none where it is calculated, or its unit depends on more than fonts.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+')))
            .unwrap_or(text.len());
        let (number, unit) = text.split_at_checked(end)?;
        let number: f64 = number.parse().ok()?;
        let pixels = |factor: f64| Some(Self::Pixels(number * factor));
        match unit.to_ascii_lowercase().as_str() {
            "" if number == 0.0 => pixels(0.0),
            "" => Some(Self::Factor(number)),
            "px" => pixels(1.0),
            "pt" => pixels(4.0 / 3.0),
            "pc" => pixels(16.0),
            "in" => pixels(96.0),
            "cm" => pixels(96.0 / 2.54),
            "mm" => pixels(96.0 / 25.4),
            "q" => pixels(96.0 / 101.6),
            "em" => Some(Self::Ems(number)),
            "rem" => Some(Self::RootEms(number)),
            "%" => Some(Self::Fraction(number / 100.0)),
            _ => None,
        }
    }
}

impl Styles {
    /// The size of an element's font in pixels; none where that is not certain.
    pub(crate) fn font_size(&self, element: ElementRef<'_>) -> Option<f64> {
        let mut factor = 1.0;
        for current in std::iter::once(element)
            .chain(element.ancestors())
            .take(MAX_LENGTH_ANCESTORS)
        {
            match self.declared(current, Property::FontSize) {
                Declared::Nothing if is_control(current) => {
                    return self.is_complete().then_some(CONTROL_FONT * factor);
                }
                Declared::Nothing if has_own_font(current) => return None,
                Declared::Nothing => {}
                Declared::Unknown => return None,
                Declared::Value(value) => match Length::parse(&value) {
                    // A sheet that is not read may say otherwise, unless the element itself says it.
                    _ if !self.is_complete() && !says_itself(current) => return None,
                    Some(Length::Pixels(pixels)) => return Some(pixels * factor),
                    Some(Length::Ems(times) | Length::Fraction(times)) => factor *= times,
                    Some(Length::RootEms(_) | Length::Factor(_)) => return None,
                    None if is_any(&value, &["inherit", "unset"]) => {}
                    None if is_any(&value, &["medium", "initial"]) => {
                        return Some(USUAL_FONT * factor);
                    }
                    None => return None,
                },
            }
        }
        (self.is_complete() && element.ancestors().nth(MAX_LENGTH_ANCESTORS).is_none())
            .then_some(USUAL_FONT * factor)
    }
}

fn is_any(value: &str, words: &[&str]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(value))
}

fn says_itself(element: ElementRef<'_>) -> bool {
    element
        .attr("style")
        .is_some_and(|style| style.len() > LONGEST_ATTRIBUTE || style.contains("font"))
}

fn is_control(element: ElementRef<'_>) -> bool {
    element.is_html() && matches!(element.name(), "button" | "input" | "select" | "textarea")
}

/// Elements to which browsers give another font than the text around them has.
fn has_own_font(element: ElementRef<'_>) -> bool {
    element.is_html()
        && matches!(
            element.name(),
            "h1" | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
                | "small"
                | "big"
                | "sub"
                | "sup"
                | "rt"
                | "font"
                | "code"
                | "pre"
                | "kbd"
                | "samp"
                | "tt"
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn size(html: &str) -> Option<f64> {
        let page = Page::builder().html(html);
        page.styles().font_size(page.by_id("t").unwrap())
    }

    #[test]
    fn sizes_come_from_the_nearest_that_says_so() {
        assert_eq!(size("<p id=t>"), Some(16.0));
        assert_eq!(size("<style>p{font-size:20px}</style><p id=t>"), Some(20.0));
        let html = "<div style='font-size:10px'><p id=t style='font-size:150%'>";
        assert_eq!(size(html), Some(15.0));
        assert_eq!(size("<p id=t style='font-size:12pt'>"), Some(16.0));
    }

    #[test]
    fn sizes_that_depend_on_more_are_unknown() {
        for html in [
            "<h2 id=t>",
            "<link rel=stylesheet href=x><p id=t>",
            "<p id=t style='font-size:2vw'>",
            "<p id=t style='font:bold 12px x'>",
            "<style>@media(hover){p{font-size:9px}}</style><p id=t>",
        ] {
            assert_eq!(size(html), None, "{html}");
        }
    }

    #[test]
    fn lengths_have_units() {
        assert_eq!(Length::parse("-.5em"), Some(Length::Ems(-0.5)));
        assert_eq!(Length::parse("150%"), Some(Length::Fraction(1.5)));
        assert_eq!(Length::parse("0"), Some(Length::Pixels(0.0)));
        for text in ["normal", "calc(1px)", "2vw", "", "px", "1e", "--1px"] {
            assert_eq!(Length::parse(text), None, "{text}");
        }
    }
}
