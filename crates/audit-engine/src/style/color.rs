//! Colors and their contrast ratio (WCAG 2.2).

#[cfg(feature = "browser")]
use std::sync::LazyLock;

use super::color_names::NAMED_COLORS;

/// A color with an opacity. Channels are from 0 to 255, the opacity is from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Color {
    red: f64,
    green: f64,
    blue: f64,
    alpha: f64,
}

/// Shows the color without its opacity, as `#rrggbb`.
impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#")?;
        for channel in [self.red, self.green, self.blue] {
            // Formatting rounds to whole numbers, and saves a cast.
            let rounded: u8 = format!("{:.0}", channel.clamp(0.0, 255.0))
                .parse()
                .unwrap_or_default();
            write!(f, "{rounded:02x}")?;
        }
        Ok(())
    }
}

impl Color {
    /// The default canvas color.
    pub(crate) const WHITE: Self = Self::from_rgb(0xFF_FFFF);

    /// The default color of text.
    pub(crate) const BLACK: Self = Self::from_rgb(0);

    /// The default color of links that were not visited.
    pub(crate) const LINK: Self = Self::from_rgb(0x00_00EE);

    /// The default color behind marked text.
    pub(crate) const YELLOW: Self = Self::from_rgb(0xFF_FF00);

    /// No color at all.
    pub(crate) const CLEAR: Self = Self {
        alpha: 0.0,
        ..Self::BLACK
    };

    #[expect(
        clippy::as_conversions,
        reason = "`From` cannot be called in constants; every u8 is an f64"
    )]
    const fn from_rgb(code: u32) -> Self {
        let [_, red, green, blue] = code.to_be_bytes();
        Self {
            red: red as f64,
            green: green as f64,
            blue: blue as f64,
            alpha: 1.0,
        }
    }

    /// Parses a color that is the same for all visitors; `None` for other colors.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        if let Some(digits) = text.strip_prefix('#') {
            return Self::parse_hex(digits);
        }
        if let Some((function, inner)) = text.split_once('(') {
            let inner = inner.strip_suffix(')')?;
            return match function {
                "rgb" | "rgba" => Self::parse_rgb(inner),
                "hsl" | "hsla" => Self::parse_hsl(inner),
                "oklch" => Self::parse_oklch(inner),
                "oklab" => Self::parse_oklab(inner),
                "lab" => Self::parse_lab(inner),
                "lch" => Self::parse_lch(inner),
                "color" => Self::parse_color(inner),
                _ => None,
            };
        }
        if text == "transparent" {
            return Some(Self::CLEAR);
        }
        let place = NAMED_COLORS.binary_search_by(|(name, _)| (*name).cmp(&text));
        let (_, code) = NAMED_COLORS.get(place.ok()?)?;
        Some(Self::from_rgb(*code))
    }

    fn parse_hex(digits: &str) -> Option<Self> {
        let code = u32::from_str_radix(digits, 16).ok()?;
        let nibble = |shift: u32| f64::from((code >> shift & 0xF) * 0x11);
        let byte = |shift: u32| f64::from(code >> shift & 0xFF);
        let (red, green, blue, alpha) = match digits.len() {
            3 => (nibble(8), nibble(4), nibble(0), 255.0),
            4 => (nibble(12), nibble(8), nibble(4), nibble(0)),
            6 => (byte(16), byte(8), byte(0), 255.0),
            8 => (byte(24), byte(16), byte(8), byte(0)),
            _ => return None,
        };
        Some(Self {
            red,
            green,
            blue,
            alpha: alpha / 255.0,
        })
    }

    fn parse_rgb(inner: &str) -> Option<Self> {
        let (channels, alpha) = arguments(inner)?;
        let [red, green, blue] = channels.map(|text| {
            let value = match text.strip_suffix('%') {
                Some(percent) => percent.parse::<f64>().ok()? * 2.55,
                None => text.parse::<f64>().ok()?,
            };
            value.is_finite().then_some(value.clamp(0.0, 255.0))
        });
        Some(Self {
            red: red?,
            green: green?,
            blue: blue?,
            alpha,
        })
    }

    fn parse_hsl(inner: &str) -> Option<Self> {
        let ([hue, saturation, lightness], alpha) = arguments(inner)?;
        let hue: f64 = hue.strip_suffix("deg").unwrap_or(hue).parse().ok()?;
        let share = |text: &str| {
            let value: f64 = text.strip_suffix('%')?.parse().ok()?;
            value.is_finite().then_some((value / 100.0).clamp(0.0, 1.0))
        };
        let (saturation, lightness) = (share(saturation)?, share(lightness)?);
        let hue = hue.is_finite().then_some(hue.rem_euclid(360.0) / 30.0)?;
        let strength = saturation * lightness.min(1.0 - lightness);
        let channel = |offset: f64| {
            let place = (offset + hue) % 12.0;
            let level = (place - 3.0).min(9.0 - place).clamp(-1.0, 1.0);
            (lightness - strength * level) * 255.0
        };
        Some(Self {
            red: channel(0.0),
            green: channel(8.0),
            blue: channel(4.0),
            alpha,
        })
    }

    fn parse_oklch(inner: &str) -> Option<Self> {
        let ([lightness, chroma, hue], alpha) = arguments(inner)?;
        let (lightness, chroma) = (scaled(lightness, 1.0)?, scaled(chroma, 0.4)?);
        let hue = scaled(hue.strip_suffix("deg").unwrap_or(hue), 360.0)?.to_radians();
        Some(Self::from_oklab(
            lightness,
            chroma * hue.cos(),
            chroma * hue.sin(),
            alpha,
        ))
    }

    fn parse_oklab(inner: &str) -> Option<Self> {
        let ([lightness, a, b], alpha) = arguments(inner)?;
        let (lightness, a, b) = (scaled(lightness, 1.0)?, scaled(a, 0.4)?, scaled(b, 0.4)?);
        Some(Self::from_oklab(lightness, a, b, alpha))
    }

    fn parse_lab(inner: &str) -> Option<Self> {
        let ([lightness, a, b], alpha) = arguments(inner)?;
        let (lightness, a, b) = (
            scaled(lightness, 100.0)?,
            scaled(a, 125.0)?,
            scaled(b, 125.0)?,
        );
        Some(Self::from_lab(lightness, a, b, alpha))
    }

    fn parse_lch(inner: &str) -> Option<Self> {
        let ([lightness, chroma, hue], alpha) = arguments(inner)?;
        let (lightness, chroma) = (scaled(lightness, 100.0)?, scaled(chroma, 150.0)?);
        let hue = scaled(hue.strip_suffix("deg").unwrap_or(hue), 360.0)?.to_radians();
        Some(Self::from_lab(
            lightness,
            chroma * hue.cos(),
            chroma * hue.sin(),
            alpha,
        ))
    }

    /// A color of a named space (CSS Color Module Level 4, section 10), as browsers also write what `color-mix` results in.
    fn parse_color(inner: &str) -> Option<Self> {
        let (space, channels) = inner.trim().split_once(char::is_whitespace)?;
        let (channels, alpha) = arguments(channels)?;
        let [red, green, blue] = channels.map(|text| scaled(text, 1.0));
        let channels = [red?, green?, blue?];
        match space {
            "srgb" => {
                let [red, green, blue] = channels.map(|share| share.clamp(0.0, 1.0) * 255.0);
                Some(Self {
                    red,
                    green,
                    blue,
                    alpha,
                })
            }
            "srgb-linear" => Some(Self::from_linear(channels, alpha)),
            "display-p3" => {
                const TO_SRGB: [[f64; 3]; 3] = [
                    [1.224_940_176, -0.224_940_176, 0.0],
                    [-0.042_056_955, 1.042_056_955, 0.0],
                    [-0.019_637_555, -0.078_636_046, 1.098_273_6],
                ];
                let linear = channels.map(linear);
                Some(Self::from_linear(product(TO_SRGB, linear), alpha))
            }
            _ => None,
        }
    }

    /// A color by its linear-light channels, from 0 to 1. Colors that no sRGB screen shows are clipped.
    fn from_linear(channels: [f64; 3], alpha: f64) -> Self {
        let [red, green, blue] = channels.map(|linear| {
            let share = if linear <= 0.003_130_8 {
                12.92 * linear
            } else {
                1.055 * linear.powf(1.0 / 2.4) - 0.055
            };
            share.clamp(0.0, 1.0) * 255.0
        });
        Self {
            red,
            green,
            blue,
            alpha,
        }
    }

    /// Converts from CIE Lab with the white point D50 (CSS Color Module Level 4, section 9.2).
    fn from_lab(lightness: f64, a: f64, b: f64, alpha: f64) -> Self {
        const KAPPA: f64 = 24_389.0 / 27.0;
        const EPSILON: f64 = 216.0 / 24_389.0;
        const WHITE: [f64; 3] = [0.964_295_676, 1.0, 0.825_104_603];
        const TO_SRGB: [[f64; 3]; 3] = [
            [3.134_135_957, -1.617_386_332, -0.490_661_946],
            [-0.978_795_503, 1.916_254_567, 0.033_442_731],
            [0.071_955_38, -0.228_976_826, 1.405_386_058],
        ];
        let middle = (lightness + 16.0) / 116.0;
        let share = |root: f64| match root.powi(3) {
            cube if cube > EPSILON => cube,
            _ => (116.0 * root - 16.0) / KAPPA,
        };
        let shares = [a / 500.0 + middle, middle, middle - b / 200.0].map(share);
        let [x, y, z] = shares;
        let [white_x, white_y, white_z] = WHITE;
        Self::from_linear(
            product(TO_SRGB, [x * white_x, y * white_y, z * white_z]),
            alpha,
        )
    }

    /// Converts from Oklab (CSS Color Module Level 4, section 9.3). Colors that no sRGB screen shows are clipped.
    fn from_oklab(lightness: f64, a: f64, b: f64, alpha: f64) -> Self {
        let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        const TO_SRGB: [[f64; 3]; 3] = [
            [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
            [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
            [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701],
        ];
        Self::from_linear(product(TO_SRGB, [long, medium, short]), alpha)
    }

    /// Lightness and the two axes of Oklab.
    fn to_oklab(self) -> [f64; 3] {
        const TO_LMS: [[f64; 3]; 3] = [
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ];
        const TO_LAB: [[f64; 3]; 3] = [
            [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
        ];
        let channels = [self.red, self.green, self.blue].map(|channel| linear(channel / 255.0));
        product(TO_LAB, product(TO_LMS, channels).map(f64::cbrt))
    }

    /// The color of a pixel.
    pub(crate) fn of_pixel([red, green, blue]: [u8; 3]) -> Self {
        Self {
            red: f64::from(red),
            green: f64::from(green),
            blue: f64::from(blue),
            alpha: 1.0,
        }
    }

    /// Red, green and blue.
    pub(crate) const fn channels(self) -> [f64; 3] {
        [self.red, self.green, self.blue]
    }

    /// Whether it is painted as the other: browsers compute some colors with fractions.
    pub(crate) fn is_painted_as(self, other: Self) -> bool {
        let channels = self.channels().into_iter().zip(other.channels());
        let is_same = (self.alpha - other.alpha).abs() < 1.0 / 255.0;
        is_same
            && channels
                .map(|(one, other)| one - other)
                .all(|difference| difference.abs() < 1.0)
    }

    /// How opaque the color is, from 0 to 1.
    pub(crate) const fn alpha(self) -> f64 {
        self.alpha
    }

    /// The color with its opacity multiplied.
    pub(crate) fn faded(self, opacity: f64) -> Self {
        Self {
            alpha: self.alpha * opacity,
            ..self
        }
    }

    /// The color that results if this one is painted over another.
    pub(crate) fn over(self, below: Self) -> Self {
        let rest = below.alpha * (1.0 - self.alpha);
        let alpha = self.alpha + rest;
        if alpha <= 0.0 {
            return Self::CLEAR;
        }
        let mix = |above: f64, below: f64| (above * self.alpha + below * rest) / alpha;
        Self {
            red: mix(self.red, below.red),
            green: mix(self.green, below.green),
            blue: mix(self.blue, below.blue),
            alpha,
        }
    }

    /// The color between two stops of a gradient that is interpolated in Oklab.
    pub(super) fn between_in_oklab(self, other: Self, share: f64) -> Self {
        let alpha = self.alpha * (1.0 - share) + other.alpha * share;
        if alpha <= 0.0 {
            return Self::CLEAR;
        }
        let (one, two) = (self.to_oklab(), other.to_oklab());
        let mix = |(one, two): (f64, f64)| {
            (one * self.alpha * (1.0 - share) + two * other.alpha * share) / alpha
        };
        let [lightness, a, b] = one;
        let [other_lightness, other_a, other_b] = two;
        Self::from_oklab(
            mix((lightness, other_lightness)),
            mix((a, other_a)),
            mix((b, other_b)),
            alpha,
        )
    }

    /// The color between two stops of a gradient, mixed as browsers do.
    pub(super) fn between(self, other: Self, share: f64) -> Self {
        let alpha = self.alpha * (1.0 - share) + other.alpha * share;
        if alpha <= 0.0 {
            return Self::CLEAR;
        }
        let mix = |one: f64, two: f64| {
            (one * self.alpha * (1.0 - share) + two * other.alpha * share) / alpha
        };
        Self {
            red: mix(self.red, other.red),
            green: mix(self.green, other.green),
            blue: mix(self.blue, other.blue),
            alpha,
        }
    }

    fn luminance(self) -> f64 {
        let [red, green, blue] =
            [self.red, self.green, self.blue].map(|channel| linear(channel / 255.0));
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The color nearest to this one, darker or lighter, that has a contrast ratio with `background`; black or white if
    /// no shade of this color has it.
    pub(crate) fn with_contrast(self, background: Self, ratio: f64) -> Option<Self> {
        const STEPS: u32 = 100;
        const BLACK: Color = Color::from_rgb(0);
        let ends = [BLACK, Self::WHITE];
        let shades = (0..=STEPS).flat_map(|step| ends.map(|end| self.mixed(end, step, STEPS)));
        let mut enough = shades.filter(|shade| shade.contrast(background) >= ratio);
        enough.next()
    }

    /// The color `step` of `steps` on the way to another one.
    fn mixed(self, end: Self, step: u32, steps: u32) -> Self {
        let share = f64::from(step) / f64::from(steps);
        // Rounded, so that the color that is shown has the contrast.
        let channel = |from: f64, to: f64| (from + (to - from) * share).round();
        Self {
            alpha: 1.0,
            red: channel(self.red, end.red),
            green: channel(self.green, end.green),
            blue: channel(self.blue, end.blue),
        }
    }

    /// The contrast ratio with another color, from 1 to 21, regardless of opacity.
    pub(crate) fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }
}

/// The contrast ratio of the colors of two pixels.
#[cfg(feature = "browser")]
pub(crate) fn contrast_of_pixels(one: [u8; 3], other: [u8; 3]) -> f64 {
    /// The 256 values of a channel as linear light: a picture has millions of them.
    static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| {
        let mut channel = 0.0;
        [(); 256].map(|()| {
            let light = linear(channel / 255.0);
            channel += 1.0;
            light
        })
    });
    let luminance = |pixel: [u8; 3]| {
        let [red, green, blue] = pixel.map(|channel| {
            LINEAR
                .get(usize::from(channel))
                .copied()
                .unwrap_or_default()
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (one, two) = (luminance(one), luminance(other));
    (one.max(two) + 0.05) / (one.min(two) + 0.05)
}

/// A channel of sRGB from 0 to 1 as linear light.
fn linear(share: f64) -> f64 {
    if share <= 0.04045 {
        share / 12.92
    } else {
        ((share + 0.055) / 1.055).powf(2.4)
    }
}

fn product(matrix: [[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = vector;
    matrix.map(|[a, b, c]| a * x + b * y + c * z)
}

/// The three channels and the opacity between the parentheses of a color.
fn arguments(inner: &str) -> Option<([&str; 3], f64)> {
    let mut parts = inner
        .split(|c: char| matches!(c, ',' | '/') || c.is_whitespace())
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let channels = [parts.next()?, parts.next()?, parts.next()?];
    let alpha = match parts.next() {
        Some(text) => number(text)?,
        None => 1.0,
    };
    parts.next().is_none().then_some((channels, alpha))
}

/// A number, or a percentage of `full`. A missing component counts as zero (CSS Color Module Level 4, section 4.4).
fn scaled(text: &str, full: f64) -> Option<f64> {
    if text == "none" {
        return Some(0.0);
    }
    let value = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok()? / 100.0 * full,
        None => text.parse::<f64>().ok()?,
    };
    value.is_finite().then_some(value)
}

/// A number or a percentage from 0 to 1.
pub(super) fn number(text: &str) -> Option<f64> {
    let value = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok()? / 100.0,
        None => text.parse::<f64>().ok()?,
    };
    value.is_finite().then_some(value.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_of_other_spaces_are_those_that_a_screen_shows() {
        for (text, expected) in [
            ("color(srgb 0 0.6667 1)", "#00aaff"),
            ("color(srgb 0% 66.67% 100% / 0.5)", "#00aaff"),
            ("color(srgb-linear 0 0.402 1)", "#00aaff"),
            ("color(display-p3 1 1 1)", "#ffffff"),
            ("color(display-p3 0.25 0.66 0.97)", "#00aaff"),
            ("lab(100 0 0)", "#ffffff"),
            ("lab(54.29% 64.64% 55.91%)", "#ff0000"),
            ("lab(54.29 80.8 69.89)", "#ff0000"),
            ("lch(54.29 106.84 40.86)", "#ff0000"),
            ("oklab(0.628 0.2249 0.1258)", "#ff0000"),
            ("oklch(0.628 0.2577 29.23)", "#ff0000"),
            ("oklch(1 none none)", "#ffffff"),
        ] {
            let color = Color::parse(text).unwrap();
            let expected = Color::parse(expected).unwrap();
            for (own, wanted) in [
                (color.red, expected.red),
                (color.green, expected.green),
                (color.blue, expected.blue),
            ] {
                assert!((own - wanted).abs() < 4.0, "{text}: {color}");
            }
        }
        assert_eq!(Color::parse("color(rec2020 1 1 1)"), None);
    }

    #[test]
    fn a_color_is_the_same_after_a_way_through_oklab() {
        for text in ["#00aaff", "#123456", "#fefefe", "#000000"] {
            let color = Color::parse(text).unwrap();
            let [lightness, a, b] = color.to_oklab();
            assert_eq!(Color::from_oklab(lightness, a, b, 1.0).to_string(), text);
        }
    }

    #[test]
    fn every_color_syntax_is_parsed() {
        for text in [
            "#0af",
            "#00AAFF",
            "#00aaffff",
            "rgb(0, 170, 255)",
            "rgb(0 170 255 / 1)",
            "hsl(200, 100%, 50%)",
            "hsl(200deg 100% 50% / 100%)",
        ] {
            let color = Color::parse(text).map(|color| (color.to_string(), color.alpha()));
            assert_eq!(color, Some(("#00aaff".to_owned(), 1.0)), "{text}");
        }
        for (text, alpha) in [
            ("#0af8", 136.0 / 255.0),
            ("rgba(0,170,255,.5)", 0.5),
            ("transparent", 0.0),
        ] {
            assert_eq!(Color::parse(text).unwrap().alpha(), alpha, "{text}");
        }
        for text in [
            "inherit",
            "var(--x)",
            "#é",
            "#12345",
            "canvas",
            "rgb(1 2)",
            "rgb(from red r g b)",
            "color-mix(in srgb, red, blue)",
        ] {
            assert_eq!(Color::parse(text), None, "{text}");
        }
    }

    #[test]
    fn transparent_colors_mix_with_what_is_below() {
        let color = |text| Color::parse(text).unwrap();
        let half = color("rgba(0,0,0,.5)");
        assert_eq!(half.over(Color::WHITE).to_string(), "#808080");
        assert_eq!(Color::CLEAR.over(color("red")).to_string(), "#ff0000");
        assert_eq!(color("red").faded(0.0).over(Color::WHITE), Color::WHITE);
        assert_eq!(half.over(Color::CLEAR), half);
    }

    #[test]
    fn the_nearest_shade_with_enough_contrast_is_found() {
        let gray = Color::parse("#999").unwrap();
        let shade = gray.with_contrast(Color::WHITE, 4.5).unwrap();
        assert!(shade.contrast(Color::WHITE) >= 4.5);
        assert!(shade.contrast(Color::WHITE) < 4.7, "{shade}");
        let navy = Color::parse("navy").unwrap();
        let on_black = navy
            .with_contrast(Color::parse("black").unwrap(), 4.5)
            .unwrap();
        assert!(on_black.contrast(Color::parse("black").unwrap()) >= 4.5);
    }

    #[test]
    fn some_backgrounds_have_no_text_color_with_enhanced_contrast() {
        let blue = Color::parse("#0d6efd").unwrap();
        assert_eq!(Color::WHITE.with_contrast(blue, 7.0), None);
        assert!(Color::WHITE.with_contrast(blue, 4.5).is_some());
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

    #[test]
    fn colors_of_fractions_are_painted_as_whole_ones() {
        let whole = Color::parse("#6c7a91").unwrap();
        let close = Color::parse("color(srgb 0.4234 0.4785 0.5687)").unwrap();
        assert!(whole != close && whole.is_painted_as(close));
        assert!(!whole.is_painted_as(Color::parse("#6c7a93").unwrap()));
        assert!(!whole.is_painted_as(whole.faded(0.9)));
    }

    #[cfg(feature = "browser")]
    #[test]
    fn pixels_have_the_contrast_of_their_colors() {
        for (one, other) in [
            ([0; 3], [255; 3]),
            ([119; 3], [255; 3]),
            ([26, 187, 156], [255, 254, 250]),
        ] {
            let of_colors = Color::of_pixel(one).contrast(Color::of_pixel(other));
            assert!((contrast_of_pixels(one, other) - of_colors).abs() < 1e-9);
        }
    }
}
