//! When the rules of a block apply: media queries.

use super::scan::split_outside;
use super::widths::{WINDOW_HEIGHT, Width, Widths};

/// The orientation of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Orientation {
    /// Taller than wide.
    Portrait,
    /// Wider than tall.
    Landscape,
}

/// When a rule applies: in which window widths, and in which screen orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Condition {
    /// The widths in which the rule may apply.
    possible: Widths,
    /// Those in which it certainly applies.
    certain: Widths,
    /// The only orientation in which it applies, if it depends on that.
    orientation: Option<Orientation>,
}

impl Condition {
    /// On every screen.
    pub(crate) const ALWAYS: Self = Self::in_widths(Widths::ALL);
    /// On no screen.
    pub(crate) const NEVER: Self = Self::in_widths(Widths::NONE);
    /// Depending on something unknown.
    pub(crate) const SOMETIMES: Self = Self {
        possible: Widths::ALL,
        certain: Widths::NONE,
        orientation: None,
    };

    /// In these widths and no others.
    const fn in_widths(widths: Widths) -> Self {
        Self {
            possible: widths,
            certain: widths,
            orientation: None,
        }
    }

    /// Only in this orientation.
    const fn during(orientation: Orientation) -> Self {
        Self {
            orientation: Some(orientation),
            ..Self::ALWAYS
        }
    }

    /// The condition of a block nested inside another one.
    pub(crate) fn and(self, inner: Self) -> Self {
        let orientation = match (self.orientation, inner.orientation) {
            (Some(one), Some(other)) if one != other => return Self::NEVER,
            (one, other) => one.or(other),
        };
        let possible = self.possible.and(inner.possible);
        if possible.is_empty() {
            return Self::NEVER;
        }
        Self {
            possible,
            certain: self.certain.and(inner.certain),
            orientation,
        }
    }

    /// True if one of the conditions is.
    fn or(self, other: Self) -> Self {
        if self == Self::ALWAYS || other == Self::NEVER || self == other {
            return self;
        }
        if other == Self::ALWAYS || self == Self::NEVER {
            return other;
        }
        let certain = |one: Self| match one.orientation {
            None => one.certain,
            Some(_) => Widths::NONE,
        };
        Self {
            possible: self.possible.or(other.possible),
            certain: certain(self).or(certain(other)),
            orientation: None,
        }
    }

    fn not(self) -> Self {
        match self.orientation {
            Some(_) => Self::SOMETIMES,
            None => Self {
                possible: self.certain.not(),
                certain: self.possible.not(),
                orientation: None,
            },
        }
    }

    /// Whether the condition is false on every screen.
    pub(crate) const fn is_never(self) -> bool {
        self.possible.is_empty()
    }

    /// Whether the condition has the same result in windows of all widths.
    pub(super) fn is_equal_in_all_widths(self) -> bool {
        let is_uniform = |widths: Widths| widths.is_empty() || widths == Widths::ALL;
        is_uniform(self.possible) && is_uniform(self.certain)
    }

    /// Whether the condition depends on the orientation of the screen.
    pub(super) const fn depends_on_orientation(self) -> bool {
        self.orientation.is_some()
    }

    /// Whether the condition is true in windows of this width in this screen orientation, or in any orientation if
    /// it is `None`. `None` if that is unknown.
    pub(super) fn applies(self, width: Width, current: Option<Orientation>) -> Option<bool> {
        if !self.possible.has(width) {
            return Some(false);
        }
        match (self.orientation, current) {
            (Some(_), None) => None,
            (Some(wanted), Some(current)) if wanted != current => Some(false),
            _ => self.certain.has(width).then_some(true),
        }
    }

    /// Parses a list of media queries.
    pub(super) fn from_media(list: &str) -> Self {
        let mut queries = split_outside(list, b',').map(Self::from_query);
        let first = queries.next().unwrap_or(Self::ALWAYS);
        queries.fold(first, Self::or)
    }

    fn from_query(query: &str) -> Self {
        let query = query.trim().to_ascii_lowercase();
        let query = query.strip_prefix("only ").unwrap_or(&query).trim();
        let (medium, features) = match query.split_once(" and ") {
            Some((medium, features)) if !medium.contains('(') => (medium.trim(), features.trim()),
            _ if query.contains('(') => ("", query),
            _ => (query, ""),
        };
        let parts = features.split(" and ").map(str::trim);
        let features_hold = parts
            .map(Self::from_feature)
            .fold(Self::ALWAYS, Condition::and);
        match medium {
            "" | "all" | "screen" => features_hold,
            // The negation applies to the medium together with its features.
            "not all" | "not screen" => features_hold.not(),
            "print" | "speech" => Self::NEVER,
            "not print" | "not speech" if features.is_empty() => Self::ALWAYS,
            // Unknown media types match nothing.
            other if !other.contains(' ') => Self::NEVER,
            _ => Self::SOMETIMES,
        }
    }

    /// Parses a media feature in parentheses.
    fn from_feature(feature: &str) -> Self {
        if let Some(negated) = feature.strip_prefix("not ") {
            return Self::from_feature(negated.trim_start()).not();
        }
        let feature: String = feature.split_whitespace().collect();
        let inner = feature.strip_prefix('(').and_then(|f| f.strip_suffix(')'));
        let Some(inner) = inner.filter(|inner| !inner.contains(['(', ')'])) else {
            return if feature.is_empty() {
                Self::ALWAYS
            } else {
                Self::SOMETIMES
            };
        };
        match inner {
            "orientation:portrait" => return Self::during(Orientation::Portrait),
            "orientation:landscape" => return Self::during(Orientation::Landscape),
            // Pages are judged as browsers show them by default.
            "prefers-color-scheme:light"
            | "prefers-contrast:no-preference"
            | "forced-colors:none" => return Self::ALWAYS,
            "prefers-color-scheme:dark"
            | "prefers-contrast:more"
            | "prefers-contrast:less"
            | "prefers-contrast:custom"
            | "forced-colors:active"
            | "-ms-high-contrast:active"
            | "-ms-high-contrast:none" => return Self::NEVER,
            _ => {}
        }
        let holds: Option<Vec<bool>> = match inner.split_once(':') {
            Some((name, value)) => sizes()
                .map(|size| is_bound_met(name, value, size))
                .collect(),
            None => sizes().map(|size| range(inner, size)).collect(),
        };
        holds.map_or(Self::SOMETIMES, |holds| {
            let holding = Width::ALL
                .into_iter()
                .zip(holds)
                .filter(|(_, holds)| *holds);
            let holding = holding.map(|(width, _)| width);
            Self::in_widths(holding.fold(Widths::NONE, Widths::with))
        })
    }
}

/// The width and the height of a window in CSS pixels.
type Size = (f64, f64);

/// The sizes of the windows in which pages are judged, in the order of [`Width::ALL`].
fn sizes() -> impl Iterator<Item = Size> {
    let widths = Width::ALL.into_iter();
    widths.map(|width| (f64::from(width.pixels()), WINDOW_HEIGHT))
}

/// Whether a feature such as `min-width:40em` is true in a window; `None` if that is unknown.
fn is_bound_met(name: &str, value: &str, (width, height): Size) -> Option<bool> {
    let size = match name {
        "min-width" | "max-width" => width,
        "min-height" | "max-height" => height,
        _ => return None,
    };
    let value = pixels(value)?;
    Some(if name.starts_with("min") {
        size >= value
    } else {
        size <= value
    })
}

/// A length in CSS pixels. In media queries `em` and `rem` refer to the browser's default font size.
fn pixels(length: &str) -> Option<f64> {
    let unit = length.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+')));
    let (number, unit) = length.split_at_checked(unit.unwrap_or(length.len()))?;
    let number: f64 = number.parse().ok()?;
    match unit {
        "px" => Some(number),
        "em" | "rem" => Some(number * 16.0),
        "" if number == 0.0 => Some(0.0),
        _ => None,
    }
}

/// Whether a range such as `width>=40em` or `20em<width<40em` is true in a window (Media Queries Level 4,
/// section 2.4.3).
fn range(text: &str, (width, height): Size) -> Option<bool> {
    let value = |text: &str| match text {
        "width" => Some(width),
        "height" => Some(height),
        other => pixels(other),
    };
    let mut rest = text;
    let mut left: Option<f64> = None;
    let mut compare: Option<(bool, bool)> = None;
    let mut all = true;
    loop {
        let end = rest.find(['<', '>', '=']).unwrap_or(rest.len());
        let (operand, after) = rest.split_at_checked(end)?;
        let right = value(operand)?;
        if let (Some(left), Some((less, equal))) = (left, compare) {
            let applies = if less { left < right } else { left > right };
            all &= applies || (equal && (left - right).abs() < f64::EPSILON);
        }
        let mut chars = after.chars();
        let Some(sign) = chars.next() else {
            return compare.map(|_| all);
        };
        rest = chars.as_str();
        let equal = rest.strip_prefix('=');
        rest = equal.unwrap_or(rest);
        if sign == '=' {
            return None;
        }
        (left, compare) = (Some(right), Some((sign == '<', equal.is_some())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_queries_decide_when_rules_apply() {
        let (phone, tablet, desktop) = (0b001, 0b010, 0b100);
        for (list, widths) in [
            ("", 0b111),
            ("screen", 0b111),
            ("print, SCREEN", 0b111),
            ("not print", 0b111),
            ("print", 0),
            ("print and (min-width: 2em)", 0),
            ("tv", 0),
            ("(min-width: 2em)", 0b111),
            ("(min-width: 576px)", tablet | desktop),
            ("(min-width: 48em)", tablet | desktop),
            ("(min-width: 48.1em)", desktop),
            ("(max-width: 767.98px)", phone),
            ("not all and (min-width: 768px)", phone),
            ("not (min-width: 768px)", phone),
            ("not screen", 0),
            ("screen and (min-width:768px) and (max-width:768px)", tablet),
            ("(max-width: 400px), (min-width: 1200px)", phone | desktop),
            ("(min-width: 1400px)", 0),
            ("(max-height: 9px)", 0),
            ("(width >= 40em)", tablet | desktop),
            ("(20em <= width < 768px)", phone),
            ("(600px > height)", 0),
            ("(prefers-color-scheme: light)", 0b111),
            ("(prefers-color-scheme: dark)", 0),
            ("not (prefers-color-scheme: dark)", 0b111),
            ("(forced-colors: active)", 0),
        ] {
            let expected = Condition::in_widths(Widths::from_bits(widths));
            assert_eq!(Condition::from_media(list), expected, "{list}");
        }
        for (list, expected) in [
            ("(width = 1280px)", Condition::SOMETIMES),
            ("(min-width: calc(1px + 2px))", Condition::SOMETIMES),
            ("(prefers-reduced-motion: reduce)", Condition::SOMETIMES),
            ("not (hover)", Condition::SOMETIMES),
            ("(min-width: 2em) or (hover)", Condition::SOMETIMES),
            (
                "only screen and (orientation : Portrait)",
                Condition::during(Orientation::Portrait),
            ),
            (
                "(orientation:landscape)",
                Condition::during(Orientation::Landscape),
            ),
            (
                "(orientation:landscape), (orientation:portrait)",
                Condition::SOMETIMES,
            ),
            ("(orientation:lanscape)", Condition::SOMETIMES),
            (
                "(orientation:landscape) and (max-width:9em)",
                Condition::NEVER,
            ),
        ] {
            assert_eq!(Condition::from_media(list), expected, "{list}");
        }
    }

    #[test]
    fn nested_conditions_combine_to_the_stricter_one() {
        let portrait = Condition::during(Orientation::Portrait);
        let landscape = Condition::during(Orientation::Landscape);
        assert_eq!(Condition::ALWAYS.and(portrait), portrait);
        assert_eq!(Condition::NEVER.and(portrait), Condition::NEVER);
        assert_eq!(landscape.and(portrait), Condition::NEVER);
        let (hover, wide) = (
            Condition::SOMETIMES,
            Condition::from_media("(min-width: 1000px)"),
        );
        let both = hover.and(wide);
        let applies = |width| both.applies(width, None);
        assert_eq!(
            Width::ALL.map(applies),
            [Some(false), Some(false), None],
            "{both:?}"
        );
    }
}
