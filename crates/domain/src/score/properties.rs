//! What holds for all scores.

use proptest::prelude::*;

use super::*;

/// A tally of the check with this number.
fn any_tally(number: usize) -> impl Strategy<Value = CheckTally> {
    let weight = prop::sample::select(vec![0, 1, 3, 7, 10]);
    let dimension = prop::sample::select(Dimension::ALL.to_vec());
    (
        dimension,
        weight,
        0..300_u64,
        0.0..=1.0_f64,
        any::<bool>(),
        0..=100_u64,
    )
        .prop_map(
            move |(dimension, weight, applicable, part, graded, grade)| {
                let affected = (0..applicable)
                    .filter(|&index| f64::from(u32::try_from(index).unwrap()) < part * 300.0)
                    .count();
                let affected = u64::try_from(affected).unwrap();
                CheckTally {
                    check_id: format!("check-{number}"),
                    dimension,
                    weight,
                    applicable,
                    affected,
                    lost_hundredths: affected * if graded { grade } else { 100 },
                }
            },
        )
}

fn any_tallies() -> impl Strategy<Value = Vec<CheckTally>> {
    (1..24_usize).prop_flat_map(|number| (0..number).map(any_tally).collect::<Vec<_>>())
}

fn any_caps() -> impl Strategy<Value = Vec<Cap>> {
    let dimension = prop::sample::select(Dimension::ALL.to_vec());
    let cap = (dimension, any::<u8>(), 0..24_usize).prop_map(|(dimension, maximum, check)| Cap {
        dimension,
        maximum,
        check_id: format!("check-{check}"),
        reason: "it is so".to_owned(),
    });
    prop::collection::vec(cap, 0..3)
}

fn any_weights() -> impl Strategy<Value = DimensionWeights> {
    any::<[u8; 6]>().prop_map(|weights| {
        let [
            performance,
            accessibility,
            seo,
            security,
            content,
            ai_readiness,
        ] = weights.map(|weight| u32::from(weight % 5));
        DimensionWeights {
            performance,
            accessibility,
            seo,
            security,
            content,
            ai_readiness,
        }
    })
}

/// What a person does with a printed number. The sums of printed numbers are off by far less than
/// the smallest step between two scores.
fn half_up(number: f64) -> f64 {
    (number + 0.5 + 1e-9).floor()
}

proptest! {
    #[test]
    fn scores_stay_within_bounds(
        tallies in any_tallies(), caps in any_caps(), weights in any_weights(), regained: u64
    ) {
        let ledger = Ledger::new(&tallies, &caps, &weights, &Dimension::ALL);
        let score = ledger.score();
        prop_assert!(score.overall <= 100);
        for dimension in score.dimensions.values() {
            prop_assert!(dimension.subscore <= 100);
            for check in &dimension.checks {
                prop_assert!((0.0..=1.0).contains(&check.score.to_f64()));
            }
        }
        for tally in &tallies {
            prop_assert!((0.0..=100.0).contains(&ledger.gain(&tally.check_id, regained)));
        }
    }

    #[test]
    fn numbers_beyond_their_bounds_do_no_harm(
        applicable: u64, affected: u64, lost_hundredths: u64, weight: u32
    ) {
        let dimension = Dimension::Seo;
        let check_id = "a".to_owned();
        let tally = CheckTally { check_id, dimension, weight, applicable, affected, lost_hundredths };
        let score = score(&[tally], &[], &DimensionWeights::EQUAL, &[dimension]);
        prop_assert!(score.overall <= 100);
    }

    #[test]
    fn the_order_of_tallies_and_caps_never_matters(
        tallies in any_tallies(), caps in any_caps(), weights in any_weights(),
        shuffled in any::<prop::sample::Index>()
    ) {
        let mut turned = tallies.clone();
        turned.rotate_left(shuffled.index(tallies.len()));
        turned.reverse();
        let mut turned_caps = caps.clone();
        turned_caps.reverse();
        prop_assert_eq!(
            score(&tallies, &caps, &weights, &Dimension::ALL),
            score(&turned, &turned_caps, &weights, &Dimension::ALL)
        );
    }

    #[test]
    fn more_failures_never_raise_a_score(
        tallies in any_tallies(), caps in any_caps(), weights in any_weights(),
        picked in any::<prop::sample::Index>(), more in 1..40_000_u64
    ) {
        let before = score(&tallies, &caps, &weights, &Dimension::ALL);
        let mut worse = tallies;
        let index = picked.index(worse.len());
        worse[index].lost_hundredths += more;
        let after = score(&worse, &caps, &weights, &Dimension::ALL);
        prop_assert!(after.overall <= before.overall);
        for (dimension, score) in &after.dimensions {
            prop_assert!(score.subscore <= before.dimensions[dimension].subscore);
        }
    }

    #[test]
    fn a_bigger_fix_never_brings_less(
        tallies in any_tallies(), caps in any_caps(), weights in any_weights(),
        less in 0..30_000_u64, more in 0..30_000_u64
    ) {
        let ledger = Ledger::new(&tallies, &caps, &weights, &Dimension::ALL);
        for tally in &tallies {
            let id = &tally.check_id;
            prop_assert!(ledger.gain(id, less) <= ledger.gain(id, less + more));
        }
    }

    #[test]
    fn the_gain_is_what_scoring_again_gives(
        tallies in any_tallies(), caps in any_caps(), weights in any_weights()
    ) {
        let before = score(&tallies, &caps, &weights, &Dimension::ALL);
        for (index, tally) in tallies.iter().enumerate() {
            let mut fixed = tallies.clone();
            fixed[index].lost_hundredths = 0;
            let lost = tally.applicable > 0 && tally.lost_hundredths > 0;
            let left: Vec<_> = caps
                .iter()
                .filter(|cap| !lost || cap.check_id != tally.check_id)
                .cloned()
                .collect();
            let after = score(&fixed, &left, &weights, &Dimension::ALL);
            let seen = f64::from(after.overall) - f64::from(before.overall);
            // Each subscore and the overall score are rounded by at most a half on either side.
            let gain = gain(&tallies, &caps, &weights, &Dimension::ALL, &tally.check_id, u64::MAX);
            prop_assert!((gain - seen).abs() <= 2.01, "{gain} is not about {seen}");
        }
    }

    #[test]
    fn the_printed_sums_tell_what_fixing_a_check_gains(
        tallies in any_tallies(), caps in any_caps(), weights in any_weights()
    ) {
        let mut caps = caps;
        caps.sort_by_key(|cap| cap.dimension);
        caps.dedup_by_key(|cap| cap.dimension);
        let ledger = Ledger::new(&tallies, &caps, &weights, &Dimension::ALL);
        let score = ledger.score();
        for tally in &tallies {
            let gain = ledger.gain(&tally.check_id, u64::MAX);
            prop_assert_eq!(score.gain_of_fixing(&tally.check_id), gain);
        }
    }

    #[test]
    fn the_printed_sum_gives_the_printed_scores(
        tallies in any_tallies(), caps in any_caps(), weights in any_weights()
    ) {
        let score = score(&tallies, &caps, &weights, &Dimension::ALL);
        let (mut overall, mut overall_weight) = (0.0, 0.0);
        for (&dimension, printed) in &score.dimensions {
            let maximum = printed.cap.as_ref().map_or(100.0, |cap| f64::from(cap.maximum));
            let subscore = f64::from(printed.subscore);
            let deducted: f64 = printed.checks.iter().map(|check| check.deduction.to_f64()).sum();
            prop_assert_eq!(half_up(100.0 - deducted).min(maximum), subscore);

            let weight: u64 = printed.checks.iter().map(|check| u64::from(check.weight)).sum();
            prop_assert_eq!(weight, printed.sum_of_weights);
            let points: f64 = printed
                .checks
                .iter()
                .map(|check| f64::from(check.weight) * check.score.to_f64())
                .sum();
            if weight > 0 {
                let mean = 100.0 * points / f64::from(u32::try_from(weight).unwrap());
                prop_assert_eq!(half_up(mean).min(maximum), subscore);
            }
            overall += f64::from(score.weights.get(dimension)) * subscore;
            overall_weight += f64::from(score.weights.get(dimension));
        }
        prop_assert_eq!(half_up(overall / overall_weight), f64::from(score.overall));
    }

    #[test]
    fn a_yes_or_no_check_is_recomputed_from_its_counts(applicable in 1..5000_u64, part in 0.0..=1.0) {
        let affected = (0..applicable)
            .filter(|&index| f64::from(u32::try_from(index).unwrap()) < part * 5000.0)
            .count();
        let affected = u64::try_from(affected).unwrap();
        let tally = CheckTally {
            check_id: "a".to_owned(),
            dimension: Dimension::Seo,
            weight: 3,
            applicable,
            affected,
            lost_hundredths: affected * 100,
        };
        let score = score(&[tally], &[], &DimensionWeights::EQUAL, &[Dimension::Seo]);
        let check = &score.dimensions[&Dimension::Seo].checks[0];
        let expected = Exact::fraction(applicable - affected, applicable);
        prop_assert_eq!(&check.score, &expected);
    }
}
