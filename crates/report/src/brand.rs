//! The name, the logo and the colour of the organization that a report comes from.
//!
//! A logo is a file of the operator's. It is judged before it is set, so that a mistake is found where it is made:
//! a PNG image of bounded size, or an SVG image that has no scripts and refers to nothing outside of itself.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Bytes of a logo, at most.
pub const LOGO_BYTES: usize = 256 * 1024;
/// Pixels of a side of a logo, at most.
pub const LOGO_PIXELS: u32 = 4_000;
/// Elements of an SVG logo, at most.
pub const LOGO_ELEMENTS: usize = 5_000;
/// Elements of an SVG logo inside of each other, at most.
pub const LOGO_DEPTH: usize = 64;
/// Characters of a name, at most.
pub const NAME: usize = 80;

/// What begins each PNG file.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Who a report comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brand {
    /// The name.
    pub name: String,
    /// The logo, which stands in place of the name.
    pub logo: Option<Logo>,
    /// The colour of the lines on the first page.
    pub color: Option<Color>,
}

/// A colour in sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

/// A logo that is safe to set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    kind: LogoKind,
    bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LogoKind {
    Png,
    Svg,
}

/// Why a name, a logo or a colour is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrandError {
    /// The name is empty, too long or has characters that are not shown.
    #[error("the name must have 1 to {NAME} visible characters")]
    Name,
    /// The colour is not written as six hexadecimal digits.
    #[error("the color must be written as #1f5fbf, not as {0:?}")]
    Color(String),
    /// The file is too large.
    #[error("the logo has {0} bytes; at most {LOGO_BYTES} are allowed")]
    TooLarge(usize),
    /// The file is neither PNG nor SVG.
    #[error("the logo is neither a PNG nor an SVG image")]
    Unknown,
    /// The image has too many pixels, or none.
    #[error("the logo has {0} × {1} pixels; 1 to {LOGO_PIXELS} a side are allowed")]
    Pixels(u32, u32),
    /// The SVG image is not well-formed.
    #[error("the logo is not well-formed: {0}")]
    Malformed(String),
    /// The SVG image has something that a logo may not have.
    #[error("the logo has {0}, which is not allowed; export it as plain paths")]
    Forbidden(String),
    /// The SVG image has too many elements, or too many inside of each other.
    #[error(
        "the logo has more than {LOGO_ELEMENTS} elements, or more than {LOGO_DEPTH} inside of each other"
    )]
    TooComplex,
}

impl Brand {
    /// A brand of this name.
    ///
    /// # Errors
    /// If the name is empty, longer than [`NAME`] characters, or has characters that are not shown.
    pub fn new(name: &str) -> Result<Self, BrandError> {
        let name = name.trim();
        let is_shown = crate::plain::plain(name) == name;
        if name.is_empty() || name.chars().count() > NAME || !is_shown {
            return Err(BrandError::Name);
        }
        Ok(Self {
            name: name.to_owned(),
            logo: None,
            color: None,
        })
    }
}

impl Color {
    /// The colour that is written as `#1f5fbf`.
    ///
    /// # Errors
    /// If the text is written in another way.
    pub fn parse(text: &str) -> Result<Self, BrandError> {
        let refused = || BrandError::Color(text.chars().take(NAME).collect());
        let digits = text.strip_prefix('#').ok_or_else(refused)?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(refused());
        }
        let number = u32::from_str_radix(digits, 16).map_err(|_| refused())?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

impl Logo {
    /// The logo that a file has.
    ///
    /// # Errors
    /// If the file is neither PNG nor SVG, too large, or has anything beyond a picture.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, BrandError> {
        if bytes.len() > LOGO_BYTES {
            return Err(BrandError::TooLarge(bytes.len()));
        }
        let kind = if bytes.starts_with(PNG) {
            judge_png(&bytes)?;
            LogoKind::Png
        } else {
            judge_svg(&bytes)?;
            LogoKind::Svg
        };
        Ok(Self { kind, bytes })
    }

    /// The name of its format: `png` or `svg`.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        match self.kind {
            LogoKind::Png => "png",
            LogoKind::Svg => "svg",
        }
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads the size from the first chunk, which is IHDR.
fn judge_png(bytes: &[u8]) -> Result<(), BrandError> {
    let side = |from: usize| {
        let bytes = bytes.get(from..from + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    };
    let is_header = bytes.get(12..16) == Some(b"IHDR");
    let (Some(width), Some(height), true) = (side(16), side(20), is_header) else {
        return Err(BrandError::Unknown);
    };
    let allowed = 1..=LOGO_PIXELS;
    if allowed.contains(&width) && allowed.contains(&height) {
        Ok(())
    } else {
        Err(BrandError::Pixels(width, height))
    }
}

/// Elements that draw or group, and so may be in a logo.
const ELEMENTS: &[&str] = &[
    "svg",
    "g",
    "defs",
    "title",
    "desc",
    "metadata",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
    "mask",
    "use",
    "symbol",
];

/// Passes over each element and attribute. What is not known to be harmless is refused.
fn judge_svg(bytes: &[u8]) -> Result<(), BrandError> {
    let text = std::str::from_utf8(bytes).map_err(|_| BrandError::Unknown)?;
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().expand_empty_elements = true;
    let (mut elements, mut depth, mut is_svg) = (0_usize, 0_usize, false);
    loop {
        let event = reader.read_event();
        match event.map_err(|error| BrandError::Malformed(error.to_string()))? {
            Event::Eof => break,
            Event::Start(element) => {
                (elements, depth) = (elements + 1, depth + 1);
                if elements > LOGO_ELEMENTS || depth > LOGO_DEPTH {
                    return Err(BrandError::TooComplex);
                }
                is_svg |= elements == 1 && element.local_name().as_ref() == "svg";
                if !is_svg {
                    return Err(BrandError::Unknown);
                }
                judge_element(&element)?;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::DocType(_) => return Err(forbidden("a document type")),
            Event::PI(_) => return Err(forbidden("a processing instruction")),
            Event::GeneralRef(reference) if !is_predefined(&reference) => {
                return Err(forbidden("a reference to an entity"));
            }
            _ => {}
        }
    }
    match (is_svg, depth) {
        (true, 0) => Ok(()),
        (true, _) => Err(BrandError::Malformed("an element is not closed".to_owned())),
        (false, _) => Err(BrandError::Unknown),
    }
}

fn forbidden(what: impl Into<String>) -> BrandError {
    BrandError::Forbidden(what.into())
}

/// Whether a reference is one of XML itself or to a character.
fn is_predefined(name: &str) -> bool {
    matches!(name, "amp" | "lt" | "gt" | "quot" | "apos") || name.starts_with('#')
}

fn judge_element(element: &BytesStart<'_>) -> Result<(), BrandError> {
    let name = shown(element.local_name().as_ref());
    if !ELEMENTS.contains(&name.as_str()) {
        return Err(forbidden(format!("the element {name:?}")));
    }
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| BrandError::Malformed(error.to_string()))?;
        let name = shown(attribute.key.local_name().as_ref());
        let value = &attribute.value;
        if let Some(what) = harm(&name, value) {
            return Err(forbidden(what));
        }
    }
    Ok(())
}

/// What an attribute does beyond drawing.
fn harm(name: &str, value: &str) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let value: String = value
        .split_whitespace()
        .collect::<String>()
        .to_ascii_lowercase();
    if name.starts_with("on") {
        return Some(format!("the attribute {name:?}"));
    }
    // An address of a namespace leads nowhere.
    let is_link = name == "href" || name == "src";
    if is_link && !value.starts_with('#') {
        return Some("a reference to another file".to_owned());
    }
    let leaves = |part: &str| !part.trim_start_matches(['"', '\'']).starts_with('#');
    if value.split("url(").skip(1).any(leaves) || value.contains("@import") {
        return Some("a reference to another file".to_owned());
    }
    // With these a browser or a renderer could read other text than is judged here.
    (value.contains('\\') || is_link && value.contains('&'))
        .then(|| format!("an escaped character in the attribute {name:?}"))
}

fn shown(text: &str) -> String {
    crate::text::shown(text, NAME)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn svg(inside: &str) -> Result<Logo, BrandError> {
        let text = format!(
            "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 10 10\">{inside}</svg>"
        );
        Logo::parse(text.into_bytes())
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = [PNG, b"\0\0\0\x0dIHDR"].concat();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes
    }

    #[rstest]
    #[case::path("<path d=\"M0 0h10v10z\" fill=\"#1f5fbf\"/>")]
    #[case::gradient(
        "<defs><linearGradient id=\"a\"><stop offset=\"0\"/></linearGradient></defs>\
         <rect fill=\"url(#a)\" width=\"9\" height=\"9\"/><use xlink:href=\"#a\"/>"
    )]
    #[case::text_of_the_title("<title>A &amp; B</title>")]
    fn a_picture_alone_is_taken(#[case] inside: &str) {
        assert_eq!(svg(inside).unwrap().format(), "svg");
    }

    #[rstest]
    #[case::script("<script>alert(1)</script>")]
    #[case::foreign("<foreignObject/>")]
    #[case::image("<image href=\"data:image/png;base64,AA\"/>")]
    #[case::link("<a href=\"#x\"/>")]
    #[case::style("<style>@import 'x'</style>")]
    #[case::animation("<set attributeName=\"href\" to=\"x\"/>")]
    #[case::handler("<path onload=\"alert(1)\"/>")]
    #[case::handler_in_capitals("<path OnLoad=\"alert(1)\"/>")]
    #[case::file("<use href=\"other.svg#x\"/>")]
    #[case::data("<use xlink:href=\"data:image/svg+xml,x\"/>")]
    #[case::escaped("<use href=\"#&#x2e;\"/>")]
    #[case::network("<rect fill=\"url(https://evil.example/x)\"/>")]
    #[case::style_attribute("<rect style=\"fill: URL( 'x.svg' )\"/>")]
    #[case::css_escape("<rect style=\"fill: u\\72l(x)\"/>")]
    #[case::entity("<title>&x;</title>")]
    #[case::instruction("<?xml-stylesheet href=\"x\"?>")]
    fn anything_beyond_a_picture_is_refused(#[case] inside: &str) {
        let refused = svg(inside).unwrap_err();
        assert!(matches!(refused, BrandError::Forbidden(_)), "{refused}");
    }

    #[rstest]
    #[case(b"<!DOCTYPE svg [<!ENTITY a \"b\">]><svg/>")]
    #[case(b"<svg>")]
    #[case(b"<svg></g>")]
    #[case(b"<html/>")]
    #[case(b"")]
    #[case(b"GIF89a")]
    #[case(b"\xff\xfe<\0s\0v\0g\0")]
    #[case(PNG)]
    fn what_is_no_picture_is_refused(#[case] bytes: &[u8]) {
        assert!(Logo::parse(bytes.to_vec()).is_err());
    }

    #[test]
    fn sizes_are_bounded() {
        let large = vec![b' '; LOGO_BYTES + 1];
        assert_eq!(
            Logo::parse(large),
            Err(BrandError::TooLarge(LOGO_BYTES + 1))
        );
        assert_eq!(svg(&"<g>".repeat(LOGO_DEPTH)), Err(BrandError::TooComplex));
        assert_eq!(
            svg(&"<g/>".repeat(LOGO_ELEMENTS)),
            Err(BrandError::TooComplex)
        );
        assert_eq!(Logo::parse(png(40, 10)).unwrap().format(), "png");
        for (width, height) in [(0, 1), (1, 0), (LOGO_PIXELS + 1, 1), (1, u32::MAX)] {
            let refused = BrandError::Pixels(width, height);
            assert_eq!(Logo::parse(png(width, height)), Err(refused));
        }
    }

    #[test]
    fn colors_have_six_digits() {
        assert_eq!(Color::parse("#1F5fbf"), Ok(Color([31, 95, 191])));
        for text in ["", "#", "1f5fbf", "#1f5fb", "#1f5fbff", "#+f5fbf", "red"] {
            assert!(Color::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_seen() {
        assert_eq!(Brand::new(" Ferry & Co ").unwrap().name, "Ferry & Co");
        for name in ["", " ", "a\u{202e}b", "a\nb", &"x".repeat(NAME + 1)] {
            assert_eq!(Brand::new(name), Err(BrandError::Name), "{name:?}");
        }
    }
}
