//! When the rules of a block apply: media queries.

use super::scan::split_outside;

/// The orientation of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// Taller than wide.
    Portrait,
    /// Wider than tall.
    Landscape,
}

/// When a rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// On every screen.
    Always,
    /// On no screen.
    Never,
    /// Only in this screen orientation.
    While(Orientation),
    /// Depending on something else.
    Sometimes,
}

impl Condition {
    /// The condition of a block nested inside another one.
    pub(crate) fn and(self, inner: Self) -> Self {
        match (self, inner) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Always, other) | (other, Self::Always) => other,
            (one, other) if one == other => one,
            _ => Self::Sometimes,
        }
    }

    /// Whether the condition is true in this screen orientation, or in any orientation if it is `None`.
    pub(super) fn applies(self, current: Option<Orientation>) -> Option<bool> {
        match self {
            Self::Always => Some(true),
            Self::Never => Some(false),
            Self::While(orientation) => Some(orientation == current?),
            Self::Sometimes => None,
        }
    }

    /// Parses a list of media queries.
    pub(super) fn from_media(list: &str) -> Self {
        let mut queries = split_outside(list, b',').map(Self::from_query);
        let first = queries.next().unwrap_or(Self::Always);
        queries.fold(first, |found, query| match (found, query) {
            (Self::Always, _) | (_, Self::Always) => Self::Always,
            (Self::Never, other) | (other, Self::Never) => other,
            (one, other) if one == other => one,
            _ => Self::Sometimes,
        })
    }

    fn from_query(query: &str) -> Self {
        let query = query.trim().to_ascii_lowercase();
        let query = query.strip_prefix("only ").unwrap_or(&query).trim();
        let (medium, features) = match query.split_once(" and ") {
            Some((medium, features)) if !medium.contains('(') => (medium.trim(), features.trim()),
            _ if query.contains('(') => ("", query),
            _ => (query, ""),
        };
        match medium {
            "" | "all" | "screen" => {}
            // The negation applies to the medium together with its features.
            "not all" | "not screen" if !features.is_empty() => return Self::Sometimes,
            "print" | "speech" | "not all" | "not screen" => return Self::Never,
            // Unknown media types match nothing.
            other if !other.contains(' ') => return Self::Never,
            _ => return Self::Sometimes,
        }
        let parts = features.split(" and ").map(str::trim);
        parts
            .map(Self::from_feature)
            .fold(Self::Always, Condition::and)
    }

    /// Parses a media feature in parentheses.
    fn from_feature(feature: &str) -> Self {
        let feature: String = feature.split_whitespace().collect();
        let inner = feature.strip_prefix('(').and_then(|f| f.strip_suffix(')'));
        let Some(inner) = inner.filter(|inner| !inner.contains(['(', ')'])) else {
            return if feature.is_empty() {
                Self::Always
            } else {
                Self::Sometimes
            };
        };
        let certain = |applies| if applies { Self::Always } else { Self::Never };
        match inner {
            "orientation:portrait" => return Self::While(Orientation::Portrait),
            "orientation:landscape" => return Self::While(Orientation::Landscape),
            _ => {}
        }
        if let Some((name, value)) = inner.split_once(':') {
            let bound = match name {
                "min-width" | "max-width" => VIEWPORT.0,
                "min-height" | "max-height" => VIEWPORT.1,
                _ => return Self::Sometimes,
            };
            return pixels(value).map_or(Self::Sometimes, |value| {
                certain(if name.starts_with("min") {
                    bound >= value
                } else {
                    bound <= value
                })
            });
        }
        range(inner).map_or(Self::Sometimes, certain)
    }
}

/// The viewport in which pages are audited, in CSS pixels. Content must conform in it (WCAG 2.2, conformance
/// requirement 2), regardless of smaller viewports.
const VIEWPORT: (f64, f64) = (1_280.0, 800.0);

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

/// Whether a range such as `width>=40em` or `20em<width<40em` is true in the viewport (Media Queries Level 4,
/// section 2.4.3).
fn range(text: &str) -> Option<bool> {
    let value = |text: &str| match text {
        "width" => Some(VIEWPORT.0),
        "height" => Some(VIEWPORT.1),
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
        for (list, expected) in [
            ("", Condition::Always),
            ("screen", Condition::Always),
            ("print, SCREEN", Condition::Always),
            ("print", Condition::Never),
            ("print and (min-width: 2em)", Condition::Never),
            ("tv", Condition::Never),
            ("(min-width: 2em)", Condition::Always),
            (
                "screen and (min-width:1280px) and (max-width:1280px)",
                Condition::Always,
            ),
            ("(min-width: 80.1em)", Condition::Never),
            ("(max-width: 767.98px)", Condition::Never),
            ("(max-height: 9px)", Condition::Never),
            ("(width >= 40em)", Condition::Always),
            ("(20em <= width < 1280px)", Condition::Never),
            ("(600px > height)", Condition::Never),
            ("(width = 1280px)", Condition::Sometimes),
            ("(min-width: calc(1px + 2px))", Condition::Sometimes),
            ("(prefers-reduced-motion: reduce)", Condition::Sometimes),
            ("(min-width: 2em) or (hover)", Condition::Sometimes),
            (
                "only screen and (orientation : Portrait)",
                Condition::While(Orientation::Portrait),
            ),
            (
                "(orientation:landscape)",
                Condition::While(Orientation::Landscape),
            ),
            ("(orientation:lanscape)", Condition::Sometimes),
            (
                "(orientation:landscape) and (max-width:9em)",
                Condition::Never,
            ),
            ("not print", Condition::Sometimes),
        ] {
            assert_eq!(Condition::from_media(list), expected, "{list}");
        }
    }

    #[test]
    fn nested_conditions_combine_to_the_stricter_one() {
        let portrait = Condition::While(Orientation::Portrait);
        assert_eq!(Condition::Always.and(portrait), portrait);
        assert_eq!(Condition::Never.and(portrait), Condition::Never);
        assert_eq!(Condition::Sometimes.and(portrait), Condition::Sometimes);
    }
}
