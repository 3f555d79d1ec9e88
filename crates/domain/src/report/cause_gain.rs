//! How an issue's gain is divided among its causes.

use super::IssueCause;

/// Divides the points that an issue gains among its causes, by their occurrences, in whole hundredths; those that a
/// waiver accepts count neither in the causes nor in the total. Together they gain what the issue gains, less the
/// part of the occurrences whose causes are not kept.
///
/// What rounding down leaves goes to the causes that lost most by it.
pub(super) fn divide(issue_gain: f64, occurrences_total: u64, causes: &mut [IssueCause]) {
    let total = u128::from(occurrences_total.max(1));
    let hundredths = u128::from(whole_hundredths(issue_gain));
    let mut left = 0_u128;
    let mut parts = Vec::with_capacity(causes.len());
    for (place, cause) in causes.iter().enumerate() {
        let open = cause.occurrences_total.saturating_sub(cause.waived);
        let occurrences = u128::from(open);
        left = left.saturating_add(occurrences);
        let share = hundredths.saturating_mul(occurrences);
        parts.push((place, share / total, share % total));
    }
    let wanted = hundredths.saturating_mul(left.min(total)) / total;
    let given = parts.iter().map(|&(_, whole, _)| whole).sum();
    let mut missing = wanted.saturating_sub(given);
    parts.sort_by(|one, other| (other.2.cmp(&one.2)).then_with(|| one.0.cmp(&other.0)));
    for (place, whole, _) in parts {
        let extra = missing.min(1);
        missing -= extra;
        if let Some(cause) = causes.get_mut(place) {
            let hundredths = u32::try_from(whole + extra).unwrap_or(u32::MAX);
            cause.score_impact = f64::from(hundredths) / 100.0;
        }
    }
}

/// The gain in hundredths of a point; gains are between 0 and 100 points.
fn whole_hundredths(gain: f64) -> u32 {
    let hundredths = (gain * 100.0).round().clamp(0.0, 10_000.0);
    format!("{hundredths:.0}").parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn causes(occurrences: &[u64]) -> Vec<IssueCause> {
        let cause = |&occurrences_total| IssueCause {
            fingerprint: String::new(),
            key: String::new(),
            message: String::new(),
            affected: 1,
            affected_pages: 1,
            score_impact: 0.0,
            state: None,
            occurrences_total,
            waived: 0,
            occurrences: Vec::new(),
        };
        occurrences.iter().map(cause).collect()
    }

    fn gains(gain: f64, total: u64, occurrences: &[u64]) -> Vec<f64> {
        let mut causes = causes(occurrences);
        divide(gain, total, &mut causes);
        causes.iter().map(|cause| cause.score_impact).collect()
    }

    #[test]
    fn causes_gain_by_their_occurrences() {
        assert_eq!(
            gains(9.4, 7, &[1; 7]),
            [1.35, 1.35, 1.34, 1.34, 1.34, 1.34, 1.34]
        );
        assert_eq!(gains(1.0, 4, &[3, 1]), [0.75, 0.25]);
        assert_eq!(gains(0.0, 4, &[3, 1]), [0.0, 0.0]);
    }

    #[test]
    fn causes_that_are_not_kept_take_their_part() {
        assert_eq!(gains(1.0, 10, &[5]), [0.5]);
    }

    proptest! {
        #[test]
        fn the_gains_of_all_causes_add_up_to_that_of_their_issue(
            gain in 0..10_000_u32, occurrences in prop::collection::vec(1..500_u64, 1..60)
        ) {
            let total = occurrences.iter().sum();
            let gains = gains(f64::from(gain) / 100.0, total, &occurrences);
            let sum: u32 = gains.iter().map(|&gain| whole_hundredths(gain)).sum();
            prop_assert_eq!(sum, gain);
        }
    }
}
