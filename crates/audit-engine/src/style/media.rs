//! When the rules of a block apply.

use super::scan::split_outside;

/// How a screen is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// Higher than wide.
    Portrait,
    /// Wider than high.
    Landscape,
}

/// When a rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// On every screen.
    Always,
    /// On no screen.
    Never,
    /// While the screen is held this way.
    While(Orientation),
    /// That depends on something else.
    Sometimes,
}

impl Condition {
    /// The condition of a block within another one.
    pub(super) fn and(self, inner: Self) -> Self {
        match (self, inner) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Always, other) | (other, Self::Always) => other,
            (one, other) if one == other => one,
            _ => Self::Sometimes,
        }
    }

    /// Whether it holds while the screen is held this way, or in one that is not known.
    pub(super) fn holds(self, held: Option<Orientation>) -> Option<bool> {
        match self {
            Self::Always => Some(true),
            Self::Never => Some(false),
            Self::While(orientation) => Some(orientation == held?),
            Self::Sometimes => None,
        }
    }

    /// What a list of media queries says.
    pub(super) fn of_media(list: &str) -> Self {
        let mut queries = split_outside(list, b',').map(Self::of_query);
        let first = queries.next().unwrap_or(Self::Always);
        queries.fold(first, |found, query| match (found, query) {
            (Self::Always, _) | (_, Self::Always) => Self::Always,
            (Self::Never, other) | (other, Self::Never) => other,
            (one, other) if one == other => one,
            _ => Self::Sometimes,
        })
    }

    fn of_query(query: &str) -> Self {
        let query = query.trim().to_ascii_lowercase();
        let query = query.strip_prefix("only ").unwrap_or(&query).trim();
        let (medium, features) = match query.split_once(" and ") {
            Some((medium, features)) if !medium.contains('(') => (medium.trim(), features.trim()),
            _ if query.contains('(') => ("", query),
            _ => (query, ""),
        };
        match medium {
            "" | "all" | "screen" => {}
            // The negation is of the medium with its features.
            "not all" | "not screen" if !features.is_empty() => return Self::Sometimes,
            "print" | "speech" | "not all" | "not screen" => return Self::Never,
            // Names that are no medium match nothing.
            other if !other.contains(' ') => return Self::Never,
            _ => return Self::Sometimes,
        }
        match features.split_whitespace().collect::<String>().as_str() {
            "" => Self::Always,
            "(orientation:portrait)" => Self::While(Orientation::Portrait),
            "(orientation:landscape)" => Self::While(Orientation::Landscape),
            _ => Self::Sometimes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_tell_when_rules_apply() {
        for (list, expected) in [
            ("", Condition::Always),
            ("screen", Condition::Always),
            ("print, SCREEN", Condition::Always),
            ("print", Condition::Never),
            ("print and (min-width: 2em)", Condition::Never),
            ("tv", Condition::Never),
            ("(min-width: 2em)", Condition::Sometimes),
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
                Condition::Sometimes,
            ),
            ("not print", Condition::Sometimes),
        ] {
            assert_eq!(Condition::of_media(list), expected, "{list}");
        }
    }

    #[test]
    fn the_stricter_condition_of_two_counts() {
        let portrait = Condition::While(Orientation::Portrait);
        assert_eq!(Condition::Always.and(portrait), portrait);
        assert_eq!(Condition::Never.and(portrait), Condition::Never);
        assert_eq!(Condition::Sometimes.and(portrait), Condition::Sometimes);
    }
}
