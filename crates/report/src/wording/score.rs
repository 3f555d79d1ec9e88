//! Scores: their bands, and the numbers of their calculation.

/// A band of the scale: a word and a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// 90 to 100.
    Good,
    /// 50 to 89.
    Fair,
    /// 0 to 49.
    Poor,
}

impl Band {
    /// The band of a score.
    #[must_use]
    pub const fn from_score(score: u8) -> Self {
        match score {
            90.. => Self::Good,
            50.. => Self::Fair,
            _ => Self::Poor,
        }
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Fair => "fair",
            Self::Poor => "poor",
        }
    }

    /// Its shape.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Good => "●",
            Self::Fair => "◕",
            Self::Poor => "○",
        }
    }
}

/// The note after a subscore that is limited by a cap.
pub(crate) const fn held(is_held: bool) -> &'static str {
    if is_held { ", limited by a cap" } else { "" }
}

/// "+3" or "−2"; empty for no change.
pub(crate) fn change(change: i16) -> String {
    match change {
        0 => String::new(),
        1.. => format!("+{change}"),
        _ => format!("−{}", change.unsigned_abs()),
    }
}

/// A number with at most `places` decimals, without trailing zeros.
pub(crate) fn decimals(number: f64, places: usize) -> String {
    trimmed(format!("{number:.places$}"))
}

/// Removes trailing zeros of the decimals.
pub(crate) fn trimmed(number: String) -> String {
    if number.contains('.') {
        let number = number.trim_end_matches('0').trim_end_matches('.');
        return if number == "-0" { "0" } else { number }.to_owned();
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_begin_at_50_and_90() {
        let words = [0, 49, 50, 89, 90, 100].map(|score| Band::from_score(score).word());
        assert_eq!(words, ["poor", "poor", "fair", "fair", "good", "good"]);
    }

    #[test]
    fn numbers_end_with_a_digit_that_counts() {
        let texts = ["0.000", "17.500", "8.333", "100.000", "100"];
        let trimmed = texts.map(|text| trimmed(text.to_owned()));
        assert_eq!(trimmed, ["0", "17.5", "8.333", "100", "100"]);
    }
}
