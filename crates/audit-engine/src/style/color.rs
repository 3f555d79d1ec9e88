//! Colors and their contrast ratio (WCAG 2.2).

use super::scan::find_outside;

/// An opaque color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color {
    red: u8,
    green: u8,
    blue: u8,
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

impl Color {
    /// The default canvas color.
    pub(crate) const WHITE: Self = Self::from_rgb(0xFF_FFFF);

    const fn from_rgb(code: u32) -> Self {
        let [_, red, green, blue] = code.to_be_bytes();
        Self { red, green, blue }
    }

    /// Parses a color that is opaque and the same for all visitors; `None` for other colors.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        const NAMES: [(&str, u32); 24] = [
            ("aqua", 0x00_FFFF),
            ("black", 0),
            ("blue", 0x00_00FF),
            ("cyan", 0x00_FFFF),
            ("darkgray", 0xA9_A9A9),
            ("darkgrey", 0xA9_A9A9),
            ("dimgray", 0x69_6969),
            ("dimgrey", 0x69_6969),
            ("fuchsia", 0xFF_00FF),
            ("gray", 0x80_8080),
            ("green", 0x00_8000),
            ("grey", 0x80_8080),
            ("lightgray", 0xD3_D3D3),
            ("lightgrey", 0xD3_D3D3),
            ("lime", 0x00_FF00),
            ("maroon", 0x80_0000),
            ("navy", 0x00_0080),
            ("olive", 0x80_8000),
            ("orange", 0xFF_A500),
            ("purple", 0x80_0080),
            ("red", 0xFF_0000),
            ("silver", 0xC0_C0C0),
            ("white", 0xFF_FFFF),
            ("yellow", 0xFF_FF00),
        ];
        let text = text.trim().to_ascii_lowercase();
        if let Some(digits) = text.strip_prefix('#') {
            return Self::parse_hex(digits);
        }
        if let Some(inner) = text.strip_prefix("rgb(").or(text.strip_prefix("rgba(")) {
            return Self::parse_rgb(inner.strip_suffix(')')?);
        }
        let named = NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, code)| Self::from_rgb(*code))
    }

    fn parse_hex(digits: &str) -> Option<Self> {
        let digits = match digits.len() {
            3 | 6 => digits,
            4 => digits.strip_suffix('f')?,
            8 => digits.strip_suffix("ff")?,
            _ => return None,
        };
        let code = u32::from_str_radix(digits, 16).ok()?;
        if digits.len() == 6 {
            return Some(Self::from_rgb(code));
        }
        let double = |shift: u32| {
            let digit = (code >> shift) & 0xF;
            u8::try_from(digit * 0x11).ok()
        };
        Some(Self {
            red: double(8)?,
            green: double(4)?,
            blue: double(0)?,
        })
    }

    fn parse_rgb(inner: &str) -> Option<Self> {
        let parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
        let parts: Vec<&str> = parts.collect();
        let channel = |text: &str| text.parse::<u8>().ok();
        match parts.as_slice() {
            [red, green, blue] | [red, green, blue, "1" | "1.0" | "100%"] => Some(Self {
                red: channel(red)?,
                green: channel(green)?,
                blue: channel(blue)?,
            }),
            _ => None,
        }
    }

    /// Parses the color of a `background` that consists only of a color.
    pub(crate) fn parse_background(text: &str) -> Option<Self> {
        // Its parts are separated by white space outside of parentheses.
        let mut rest = text.trim();
        let mut found = None;
        while !rest.is_empty() {
            let at = find_outside(rest, b" ").unwrap_or(rest.len());
            let (part, after) = rest.split_at_checked(at)?;
            rest = after.trim_start();
            match Self::parse(part) {
                Some(color) => found = Some(color),
                None if part.eq_ignore_ascii_case("none") => {}
                None => return None,
            }
        }
        found
    }

    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// The color nearest to this one, darker or lighter, that has a contrast ratio with `background`; black or white if
    /// no shade of this color has it.
    pub(crate) fn with_contrast(self, background: Self, ratio: f64) -> Self {
        const STEPS: u32 = 100;
        const BLACK: Color = Color::from_rgb(0);
        let ends = [BLACK, Self::WHITE];
        let shades = (0..=STEPS).flat_map(|step| ends.map(|end| self.mixed(end, step, STEPS)));
        let mut enough = shades.filter(|shade| shade.contrast(background) >= ratio);
        enough.next().unwrap_or(BLACK)
    }

    /// The color `step` of `steps` on the way to another one.
    fn mixed(self, end: Self, step: u32, steps: u32) -> Self {
        let channel = |from: u8, to: u8| {
            let sum = u32::from(from) * (steps - step) + u32::from(to) * step;
            u8::try_from(sum / steps).unwrap_or(u8::MAX)
        };
        Self {
            red: channel(self.red, end.red),
            green: channel(self.green, end.green),
            blue: channel(self.blue, end.blue),
        }
    }

    /// The contrast ratio with another color, from 1 to 21.
    pub(crate) fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_color_syntax_is_parsed() {
        for text in [
            "#0af",
            "#00AAFF",
            "#00aaffff",
            "rgb(0, 170, 255)",
            "rgb(0 170 255 / 1)",
        ] {
            let color = Color::parse(text).map(|color| color.to_string());
            assert_eq!(color.as_deref(), Some("#00aaff"), "{text}");
        }
        for text in [
            "#0af8",
            "rgba(0,0,0,.5)",
            "transparent",
            "inherit",
            "var(--x)",
            "#é",
            "canvas",
        ] {
            assert_eq!(Color::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_background_color_is_parsed_only_without_other_layers() {
        assert_eq!(Color::parse_background(" none #fff"), Some(Color::WHITE));
        for text in [
            "url(x) #fff",
            "linear-gradient(#fff, #000)",
            "none",
            "#fff fixed",
        ] {
            assert_eq!(Color::parse_background(text), None, "{text}");
        }
    }

    #[test]
    fn the_nearest_shade_with_enough_contrast_is_found() {
        let gray = Color::parse("#999").unwrap();
        let shade = gray.with_contrast(Color::WHITE, 4.5);
        assert!(shade.contrast(Color::WHITE) >= 4.5);
        assert!(shade.contrast(Color::WHITE) < 4.7, "{shade}");
        let navy = Color::parse("navy").unwrap();
        let on_black = navy.with_contrast(Color::parse("black").unwrap(), 4.5);
        assert!(on_black.contrast(Color::parse("black").unwrap()) >= 4.5);
    }

    #[test]
    fn contrast_ratios_match_wcag() {
        let contrast = |one, two| {
            let (one, two) = (Color::parse(one).unwrap(), Color::parse(two).unwrap());
            (one.contrast(two) * 100.0).floor() / 100.0
        };
        assert!((contrast("black", "white") - 21.0).abs() < 1e-9);
        assert!((contrast("#767676", "white") - 4.54).abs() < 1e-9);
        assert!((contrast("#777", "#eee") - 3.85).abs() < 1e-9);
    }
}
