//! The log-normal curve that Lighthouse uses to convert a measured value into a score.

/// A curve, defined by the values that score 0.9 and 0.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Curve {
    /// The value with a grade of 90 hundredths.
    pub(crate) p10: f64,
    /// The value with a grade of 50 hundredths.
    pub(crate) median: f64,
}

/// The inverse of the complementary error function at one fifth.
const INVERSE_ERFC_ONE_FIFTH: f64 = 0.906_193_802_436_823_2;
const MAX_AVERAGE: f64 = 0.899_999_999_999_999_9;
const MAX_FAILING: f64 = 0.499_999_999_999_999_94;

impl Curve {
    /// The grade of a value in hundredths, 0 to 100; smaller values are better.
    pub(crate) fn grade(self, value: f64) -> u8 {
        let share = self.share(value);
        let stretched = if share > 0.9 {
            share + 0.05 * (share - 0.9)
        } else {
            share
        };
        floor_to_hundredths(stretched)
    }

    /// The share of sites with worse values, clamped to the band that `value` belongs to.
    fn share(self, value: f64) -> f64 {
        if value <= 0.0 {
            return 1.0;
        }
        let x =
            (value / self.median).ln() * INVERSE_ERFC_ONE_FIFTH / -(self.p10 / self.median).ln();
        let share = (1.0 - erf(x)) / 2.0;
        if value <= self.p10 {
            share.clamp(0.9, 1.0)
        } else if value <= self.median {
            share.clamp(0.5, MAX_AVERAGE)
        } else {
            share.clamp(0.0, MAX_FAILING)
        }
    }
}

/// The error function, by formula 7.1.26 of Abramowitz and Stegun.
fn erf(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let sum = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ]
    .into_iter()
    .fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    x.signum() * (1.0 - sum * (-x * x).exp())
}

fn floor_to_hundredths(share: f64) -> u8 {
    let reached = (1..=100_u8)
        .take_while(|hundredths| f64::from(*hundredths) <= share * 100.0)
        .last();
    reached.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_grades(p10: f64, median: f64, golden: &[(f64, u8)]) {
        let curve = Curve { p10, median };
        for (value, hundredths) in golden {
            assert_eq!(curve.grade(*value), *hundredths, "{value}");
        }
    }

    #[test]
    fn first_contentful_paint_is_graded_as_lighthouse_does() {
        let mobile = [
            (500.0, 100),
            (1000.0, 100),
            (1600.0, 94),
            (1800.0, 90),
            (2400.0, 71),
            (3000.0, 50),
            (6000.0, 4),
        ];
        assert_grades(1800.0, 3000.0, &mobile);
        let desktop = [
            (500.0, 100),
            (1000.0, 86),
            (1600.0, 50),
            (1800.0, 38),
            (2400.0, 16),
            (3000.0, 6),
            (6000.0, 0),
        ];
        assert_grades(934.0, 1600.0, &desktop);
    }

    #[test]
    fn largest_contentful_paint_is_graded_as_lighthouse_does() {
        let mobile = [
            (1000.0, 100),
            (1200.0, 100),
            (2000.0, 97),
            (2400.0, 91),
            (2500.0, 90),
            (3000.0, 78),
            (4000.0, 50),
            (8000.0, 2),
        ];
        assert_grades(2500.0, 4000.0, &mobile);
        let desktop = [
            (1000.0, 94),
            (1200.0, 90),
            (2000.0, 63),
            (2400.0, 50),
            (2500.0, 46),
            (3000.0, 33),
            (4000.0, 17),
            (8000.0, 1),
        ];
        assert_grades(1200.0, 2400.0, &desktop);
    }

    #[test]
    fn blocking_time_and_layout_shift_are_graded_as_lighthouse_does() {
        let mobile = [
            (0.0, 100),
            (50.0, 100),
            (150.0, 94),
            (200.0, 90),
            (350.0, 73),
            (600.0, 50),
            (1200.0, 20),
        ];
        assert_grades(200.0, 600.0, &mobile);
        let desktop = [
            (0.0, 100),
            (50.0, 100),
            (150.0, 90),
            (200.0, 80),
            (350.0, 50),
            (600.0, 20),
            (1200.0, 3),
        ];
        assert_grades(150.0, 350.0, &desktop);
        let shift = [
            (0.0, 100),
            (0.05, 99),
            (0.1, 90),
            (0.15, 76),
            (0.25, 50),
            (0.5, 16),
        ];
        assert_grades(0.1, 0.25, &shift);
    }

    #[test]
    fn speed_index_is_graded_as_lighthouse_does() {
        let mobile = [
            (1000.0, 100),
            (1311.0, 100),
            (2300.0, 99),
            (3387.0, 90),
            (5800.0, 50),
            (9000.0, 14),
        ];
        assert_grades(3387.0, 5800.0, &mobile);
        assert_grades(
            1311.0,
            2300.0,
            &[
                (1000.0, 97),
                (1311.0, 90),
                (2300.0, 50),
                (3387.0, 18),
                (5800.0, 1),
                (9000.0, 0),
            ],
        );
    }

    #[test]
    fn the_bands_end_at_their_measurements_exactly() {
        let curve = Curve {
            p10: 2_667.0 * 1_024.0,
            median: 4_000.0 * 1_024.0,
        };
        for (value, share) in [
            (-1.0, 1.0),
            (0.0, 1.0),
            (curve.p10, 0.9),
            (curve.p10 + 1.0, MAX_AVERAGE),
            (curve.median, 0.5),
            (curve.median + 1.0, MAX_FAILING),
        ] {
            assert!((curve.share(value) - share).abs() < 1e-6, "{value}");
        }
        assert!(curve.share(curve.p10 + 1.0) < 0.9);
        assert!(curve.share(curve.median + 1.0) < 0.5);
    }
}
