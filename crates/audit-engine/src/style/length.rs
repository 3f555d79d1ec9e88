//! Lengths and font sizes, in CSS pixels.

use super::cascade::{Declared, LONGEST_ATTRIBUTE, Styles};
use super::sheet::Property;
use crate::bounds::style::MAX_LENGTH_ANCESTORS;
use crate::dom::ElementRef;

/// The default font size of browsers.
const DEFAULT_FONT_SIZE: f64 = 16.0;

/// The default font size of form controls, which do not inherit it.
const CONTROL_FONT_SIZE: f64 = 40.0 / 3.0;

/// A length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Length {
    /// CSS pixels.
    Pixels(f64),
    /// A multiple of the element's font size.
    Ems(f64),
    /// A multiple of the root element's font size.
    RootEms(f64),
    /// A percentage, as a fraction of one.
    Fraction(f64),
    /// A number without a unit.
    Factor(f64),
}

impl Length {
    /// Parses a length; `None` if it is calculated, or its unit depends on more than font sizes.
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
    /// Whether the element may have another font size than its parent.
    pub(crate) fn may_set_font_size(&self, element: ElementRef<'_>) -> bool {
        if let Some(own) = self.computed_font_size(element) {
            let around = element
                .parent()
                .and_then(|parent| self.computed_font_size(parent));
            return around.is_none_or(|around| around.total_cmp(&own).is_ne());
        }
        !self.is_complete()
            || is_control(element)
            || has_own_font(element)
            || self.declared(element, Property::FontSize) != Declared::Nothing
    }

    /// The font size of an element in pixels; `None` if it is not certain.
    pub(crate) fn font_size(&self, element: ElementRef<'_>) -> Option<f64> {
        if let Some(computed) = self.computed_font_size(element) {
            return Some(computed);
        }
        let mut factor = 1.0;
        for current in std::iter::once(element)
            .chain(element.ancestors())
            .take(MAX_LENGTH_ANCESTORS)
        {
            match self.declared(current, Property::FontSize) {
                Declared::Nothing if is_control(current) => {
                    return self.is_complete().then_some(CONTROL_FONT_SIZE * factor);
                }
                Declared::Nothing if has_own_font(current) => return None,
                Declared::Nothing => {}
                Declared::Unknown => return None,
                Declared::Value(value) => match Length::parse(&value) {
                    // An unread sheet may override the value, unless the `style` attribute declares
                    // it.
                    _ if !self.is_complete() && !has_inline_font(current) => return None,
                    Some(Length::Pixels(pixels)) => return Some(pixels * factor),
                    Some(Length::Ems(times) | Length::Fraction(times)) => factor *= times,
                    Some(Length::RootEms(_) | Length::Factor(_)) => return None,
                    None if is_any(&value, &["inherit", "unset"]) => {}
                    None if is_any(&value, &["medium", "initial"]) => {
                        return Some(DEFAULT_FONT_SIZE * factor);
                    }
                    None => return None,
                },
            }
        }
        (self.is_complete() && element.ancestors().nth(MAX_LENGTH_ANCESTORS).is_none())
            .then_some(DEFAULT_FONT_SIZE * factor)
    }
}

fn is_any(value: &str, words: &[&str]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(value))
}

fn has_inline_font(element: ElementRef<'_>) -> bool {
    element
        .attr("style")
        .is_some_and(|style| style.len() > LONGEST_ATTRIBUTE || style.contains("font"))
}

fn is_control(element: ElementRef<'_>) -> bool {
    element.is_html() && matches!(element.name(), "button" | "input" | "select" | "textarea")
}

/// Elements whose default font size in browsers differs from their parent's.
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
    fn font_size_comes_from_the_nearest_declaration() {
        assert_eq!(size("<p id=t>"), Some(16.0));
        assert_eq!(size("<style>p{font-size:20px}</style><p id=t>"), Some(20.0));
        let html = "<div style='font-size:10px'><p id=t style='font-size:150%'>";
        assert_eq!(size(html), Some(15.0));
        assert_eq!(size("<p id=t style='font-size:12pt'>"), Some(16.0));
    }

    #[test]
    fn font_sizes_that_depend_on_the_environment_are_unknown() {
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
    fn lengths_are_parsed_with_their_units() {
        assert_eq!(Length::parse("-.5em"), Some(Length::Ems(-0.5)));
        assert_eq!(Length::parse("150%"), Some(Length::Fraction(1.5)));
        assert_eq!(Length::parse("0"), Some(Length::Pixels(0.0)));
        for text in ["normal", "calc(1px)", "2vw", "", "px", "1e", "--1px"] {
            assert_eq!(Length::parse(text), None, "{text}");
        }
    }
}
