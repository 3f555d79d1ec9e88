//! Numbers from 0 to 1 that every machine multiplies alike.

use num_bigint::BigUint;

/// A number from 0 to 1, in whole billionths.
///
/// Products are rounded half up to a billionth at every step, so that the same factors in the same
/// order have the same product on every machine and on a pocket calculator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "u32", into = "u32")
)]
pub struct Share(u32);

/// The billionths.
impl From<Share> for u32 {
    fn from(share: Share) -> Self {
        share.0
    }
}

/// A number of billionths; more than a whole counts as a whole.
impl From<u32> for Share {
    fn from(billionths: u32) -> Self {
        Self::from_billionths(billionths)
    }
}

/// Billionths of a whole.
const WHOLE: u32 = 1_000_000_000;

impl Share {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The whole.
    pub const ONE: Self = Self(WHOLE);

    /// A number of billionths; more than a whole counts as a whole.
    #[must_use]
    pub const fn from_billionths(billionths: u32) -> Self {
        Self(if billionths > WHOLE {
            WHOLE
        } else {
            billionths
        })
    }

    /// A number of hundredths; more than a whole counts as a whole.
    #[must_use]
    pub const fn from_hundredths(hundredths: u8) -> Self {
        Self::from_billionths(u32::from_le_bytes([hundredths, 0, 0, 0]).saturating_mul(WHOLE / 100))
    }

    /// `part / whole`, rounded half up, and at most 1; nothing where the whole is 0.
    #[must_use]
    pub fn from_ratio(part: u64, whole: u64) -> Self {
        Self::rounded(u128::from(part).saturating_mul(WHOLE.into()), whole.into())
    }

    /// The mean of numbers from their sum in billionths, rounded half up, and at most 1; nothing where
    /// there are none.
    #[must_use]
    pub fn mean(sum_of_billionths: u64, count: u64) -> Self {
        Self::rounded(sum_of_billionths.into(), count.into())
    }

    /// `part / whole` of billionths, rounded half up.
    fn rounded(part: u128, whole: u128) -> Self {
        if whole == 0 {
            return Self::ZERO;
        }
        let billionths = (part.saturating_mul(2).saturating_add(whole)) / (whole.saturating_mul(2));
        Self::from_billionths(u32::try_from(billionths).unwrap_or(WHOLE))
    }

    /// A fraction such as `7/8` of `of`, rounded half up, and at most 1; none for any other text. Reports
    /// of scoring version 1 store fractions so.
    #[must_use]
    pub fn from_fraction(text: &str, of: u64) -> Option<Self> {
        let (part, whole) = text.split_once('/')?;
        let (part, whole): (BigUint, BigUint) = (part.parse().ok()?, whole.parse().ok()?);
        let whole = whole * of;
        (whole != BigUint::ZERO).then_some(())?;
        let billionths = (part * WHOLE * 2_u8 + &whole) / (whole * 2_u8);
        Some(Self::from_billionths(
            u32::try_from(billionths).unwrap_or(WHOLE),
        ))
    }

    /// The number in billionths.
    #[must_use]
    pub const fn billionths(self) -> u32 {
        self.0
    }

    /// The product, rounded half up.
    #[must_use]
    pub fn times(self, factor: Self) -> Self {
        let product = u128::from(self.0).saturating_mul(factor.0.into());
        Self::rounded(product, WHOLE.into())
    }

    /// What is missing to the whole.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(WHOLE.saturating_sub(self.0))
    }

    /// The difference, and nothing where `other` is larger.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// ½ + ½ × `part / whole`, rounded half up: the extent of a check that judges several things at
    /// once. 1 where the whole is 0.
    #[must_use]
    pub fn half_and_half_of(part: u64, whole: u64) -> Self {
        if whole == 0 {
            return Self::ONE;
        }
        Self::from_ratio(whole.saturating_add(part), whole.saturating_mul(2))
    }

    /// The number; its shortest decimal form has at most nine decimals.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE)
    }

    /// A hundred times the number, rounded half up.
    #[must_use]
    pub fn to_score(self) -> u8 {
        let hundredth = WHOLE / 100;
        let rounded = self.0.saturating_add(hundredth / 2) / hundredth;
        u8::try_from(rounded).unwrap_or(100)
    }

    /// A hundred times the number, as a score or a loss of points; at most seven decimals.
    #[must_use]
    pub fn to_points(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE / 100)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn share() -> impl Strategy<Value = Share> {
        (0..=WHOLE).prop_map(Share::from_billionths)
    }

    proptest! {
        #[test]
        fn a_further_factor_never_raises_a_product(one in share(), two in share(), three in share()) {
            prop_assert!(one.times(two) <= one);
            prop_assert!(one.times(two).times(three) <= one.times(three));
        }

        #[test]
        fn a_larger_part_is_a_larger_share(part in 0..5_000_u64, more in 0..5_000_u64, whole in 1..5_000_u64) {
            prop_assert!(Share::from_ratio(part, whole) <= Share::from_ratio(part + more, whole));
            prop_assert!(Share::from_ratio(part, whole) <= Share::ONE);
        }
    }

    #[test]
    fn products_round_half_up() {
        let half = Share::from_hundredths(50);
        assert_eq!(
            Share::from_billionths(1).times(half),
            Share::from_billionths(1)
        );
        assert_eq!(
            Share::from_billionths(3).times(half),
            Share::from_billionths(2)
        );
        assert_eq!(Share::ONE.times(half), half);
    }

    #[test]
    fn a_ratio_of_nothing_is_nothing() {
        assert_eq!(Share::from_ratio(3, 0), Share::ZERO);
        assert_eq!(Share::mean(0, 0), Share::ZERO);
        assert_eq!(Share::from_ratio(u64::MAX, 1), Share::ONE);
    }

    #[test]
    fn one_of_four_loses_five_eighths() {
        assert_eq!(Share::half_and_half_of(1, 4).to_f64(), 0.625);
        assert_eq!(Share::half_and_half_of(4, 4), Share::ONE);
    }

    #[test]
    fn fractions_of_earlier_reports_are_read() {
        assert_eq!(
            Share::from_fraction("7/8", 1),
            Some(Share::from_ratio(7, 8))
        );
        assert_eq!(
            Share::from_fraction("25/2", 100),
            Some(Share::from_ratio(1, 8))
        );
        for broken in ["", "1", "1/0", "a/b", "1/2/3", "-1/2"] {
            assert_eq!(Share::from_fraction(broken, 1), None, "{broken}");
        }
    }

    #[test]
    fn scores_round_half_up() {
        assert_eq!(Share::from_billionths(825_000_000).to_score(), 83);
        assert_eq!(Share::from_billionths(824_999_999).to_score(), 82);
        assert_eq!(Share::ONE.to_score(), 100);
    }

    #[test]
    fn points_are_hundredths_of_the_whole() {
        assert_eq!(Share::from_hundredths(45).to_points(), 45.0);
        assert_eq!(Share::from_ratio(1, 3).to_points(), 33.333_333_3);
    }
}
