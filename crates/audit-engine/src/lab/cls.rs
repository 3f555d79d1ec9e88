//! Cumulative Layout Shift.

/// A layout shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shift {
    /// When it happened.
    pub at_ms: u32,
    /// Its score in millionths: the share of the window that moved, times the share of the window by which it moved.
    pub millionths: u32,
}

/// A shift that comes later than this after the shift before it begins a window.
const GAP_MS: u32 = 1_000;

/// A window is at most this long.
const WINDOW_MS: u32 = 5_000;

/// The largest sum of the shifts of a window, in thousandths. A window has shifts that follow each other within a second,
/// and lasts at most five seconds.
pub(super) fn cumulative_layout_shift(shifts: &[Shift]) -> u32 {
    let (mut largest, mut sum) = (0_u32, 0_u32);
    let mut window: Option<(u32, u32)> = None;
    for shift in shifts {
        let begun = window.filter(|(begun, last)| {
            shift.at_ms.saturating_sub(*last) < GAP_MS
                && shift.at_ms.saturating_sub(*begun) < WINDOW_MS
        });
        sum = match begun {
            Some(_) => sum.saturating_add(shift.millionths),
            None => shift.millionths,
        };
        window = Some((begun.map_or(shift.at_ms, |(begun, _)| begun), shift.at_ms));
        largest = largest.max(sum);
    }
    largest.saturating_add(500) / 1_000
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::none(&[], 0)]
    #[case::one(&[(500, 120_400)], 120)]
    #[case::within_a_second(&[(500, 100_000), (1_499, 50_000)], 150)]
    #[case::a_second_apart(&[(500, 100_000), (1_500, 50_000)], 100)]
    #[case::the_later_window_is_larger(&[(500, 100_000), (3_000, 90_000), (3_500, 90_000)], 180)]
    #[case::a_window_ends_after_five_seconds(
        &[(0, 10_000), (900, 10_000), (1_800, 10_000), (2_700, 10_000), (3_600, 10_000), (4_500, 10_000), (5_400, 10_000)],
        60
    )]
    #[case::too_small_to_count(&[(0, 499)], 0)]
    fn shifts_add_up_within_a_window(#[case] shifts: &[(u32, u32)], #[case] expected: u32) {
        let shifts: Vec<Shift> = shifts
            .iter()
            .map(|&(at_ms, millionths)| Shift { at_ms, millionths })
            .collect();
        assert_eq!(cumulative_layout_shift(&shifts), expected);
    }
}
