//! Scores with the band they are in.

use report::Band;

/// A score as it is shown: the number, and its band as a mark and a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scored {
    pub(crate) score: u8,
    /// The shape of the band.
    pub(crate) mark: &'static str,
    /// The word of the band, which is also its class in the stylesheet.
    pub(crate) word: &'static str,
}

impl Scored {
    pub(crate) const fn new(score: u8) -> Self {
        let band = Band::from_score(score);
        Self {
            score,
            mark: band.mark(),
            word: band.word(),
        }
    }
}

/// How a score differs from the one before: `+3`, `−2` or `no change`.
pub(crate) fn change(now: u8, before: u8) -> String {
    signed(i16::from(now) - i16::from(before))
}

/// Formats a difference of scores, as [`change`] does.
pub(crate) fn signed(difference: i16) -> String {
    match difference {
        0 => "no change".to_owned(),
        up @ 1.. => format!("+{up}"),
        down => format!("\u{2212}{}", down.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_sign() {
        let changes = [change(90, 87), change(87, 90), change(87, 87)];
        assert_eq!(changes, ["+3", "\u{2212}3", "no change"]);
    }

    #[test]
    fn a_score_has_its_band() {
        assert_eq!(Scored::new(90).word, "good");
        assert_eq!(Scored::new(49).mark, "○");
    }
}
