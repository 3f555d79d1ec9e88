//! Numbers that sums do not blur.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// An exact fraction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exact(BigRational);

impl Exact {
    /// A whole number.
    pub(super) fn whole(number: u64) -> Self {
        Self(BigRational::from_integer(number.into()))
    }

    /// A fraction; 0 where there is nothing to divide by.
    pub(super) fn fraction(part: u64, whole: u64) -> Self {
        Self::whole(part).over(&Self::whole(whole))
    }

    /// The nearest floating-point number.
    pub(super) fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or_default()
    }

    /// The value to two decimals, rounded half up.
    pub(super) fn to_hundredths(&self) -> f64 {
        let hundredths = self.times(&Self::whole(100)).rounded();
        Self(BigRational::new(hundredths, 100.into())).to_f64()
    }

    pub(super) fn zero() -> Self {
        Self(BigRational::zero())
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    pub(super) fn over(&self, divisor: &Self) -> Self {
        if divisor.0.is_zero() {
            Self::zero()
        } else {
            Self(&self.0 / &divisor.0)
        }
    }

    /// The nearest whole number from 0 to 100, halves up.
    pub(super) fn to_score(&self) -> u8 {
        let bounded = self.rounded().clamp(BigInt::zero(), BigInt::from(100));
        bounded.to_u8().unwrap_or(100)
    }

    fn rounded(&self) -> BigInt {
        let half = BigRational::new(BigInt::one(), 2.into());
        (&self.0 + half).floor().to_integer()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up() {
        assert_eq!(Exact::fraction(165, 2).to_score(), 83);
        assert_eq!(Exact::fraction(164, 2).to_score(), 82);
        assert_eq!(Exact::fraction(1, 200).to_hundredths(), 0.01);
        assert_eq!(Exact::fraction(1, 201).to_hundredths(), 0.0);
    }

    #[test]
    fn a_score_is_never_out_of_bounds() {
        assert_eq!(Exact::whole(250).to_score(), 100);
        assert_eq!(Exact::whole(1).minus(&Exact::whole(9)).to_score(), 0);
    }
}
