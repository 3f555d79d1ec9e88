use rstest::rstest;

use super::*;

const EQUAL: DimensionWeights = DimensionWeights::EQUAL;

fn tally(check_id: &str, weight: u32, applicable: u64, affected: u64) -> CheckTally {
    CheckTally {
        check_id: check_id.to_owned(),
        dimension: Dimension::Seo,
        weight,
        applicable,
        affected,
        lost_hundredths: affected * 100,
    }
}

fn cap(maximum: u8, check_id: &str) -> Cap {
    Cap {
        dimension: Dimension::Seo,
        maximum,
        check_id: check_id.to_owned(),
        reason: "no page can be indexed".to_owned(),
    }
}

fn seo(tallies: &[CheckTally], caps: &[Cap]) -> DimensionScore {
    let mut score = score(tallies, caps, &EQUAL, &[Dimension::Seo]);
    score.dimensions.remove(&Dimension::Seo).unwrap()
}

#[rstest]
#[case(&[tally("a", 7, 8, 2), tally("b", 3, 8, 0)], 83)]
#[case(&[tally("a", 1, 3, 1), tally("b", 1, 3, 1), tally("c", 1, 3, 1)], 67)]
#[case(&[tally("a", 10, 1, 1)], 0)]
#[case(&[tally("a", 10, 200, 199)], 1)]
#[case(&[tally("a", 10, 1000, 996)], 0)]
#[case(&[tally("a", 10, 5, 0), tally("b", 7, 0, 0)], 100)]
#[case(&[tally("a", 10, 5, 0), tally("b", 0, 5, 5)], 100)]
#[case(&[], 100)]
fn subscores_are_weighted_means(#[case] tallies: &[CheckTally], #[case] expected: u8) {
    assert_eq!(seo(tallies, &[]).subscore, expected);
}

#[test]
fn a_graded_check_loses_what_its_grades_lack() {
    let mut graded = tally("first-paint", 10, 2, 1);
    graded.lost_hundredths = 9;
    let seo = seo(&[graded], &[]);
    assert_eq!(seo.checks[0].score.to_f64(), 0.955);
    assert_eq!(seo.checks[0].deduction.to_f64(), 4.5);
    assert_eq!(seo.subscore, 96);
}

#[test]
fn a_check_without_subjects_takes_no_part() {
    let seo = seo(&[tally("a", 10, 0, 0), tally("b", 3, 1, 0)], &[]);
    assert_eq!(seo.sum_of_weights, 3);
    assert_eq!(seo.checks.len(), 1);
}

#[test]
fn the_lowest_cap_counts() {
    let tallies = [tally("a", 10, 10, 1)];
    let seo = seo(&tallies, &[cap(60, "a"), cap(40, "z"), cap(40, "a")]);
    assert_eq!((seo.subscore, seo.uncapped()), (40, 90));
    assert_eq!(seo.binding_cap(), Some(&cap(40, "a")));
}

#[test]
fn a_cap_above_the_sum_is_named_but_does_not_bind() {
    let seo = seo(&[tally("a", 10, 10, 8)], &[cap(40, "a")]);
    assert_eq!(seo.subscore, 20);
    assert!(seo.cap.is_some() && seo.binding_cap().is_none());
}

#[test]
fn the_overall_score_is_the_mean_of_the_printed_subscores() {
    let mut other = tally("b", 1, 1, 0);
    other.dimension = Dimension::Content;
    let tallies = [tally("a", 1, 3, 1), other];
    let dimensions = [Dimension::Seo, Dimension::Content];
    assert_eq!(score(&tallies, &[], &EQUAL, &dimensions).overall, 84);
    let weights = DimensionWeights { seo: 3, ..EQUAL };
    assert_eq!(score(&tallies, &[], &weights, &dimensions).overall, 75);
}

#[test]
fn weights_of_nothing_count_as_equal() {
    let weights = DimensionWeights { seo: 0, ..EQUAL };
    let score = score(&[tally("a", 1, 2, 1)], &[], &weights, &[Dimension::Seo]);
    assert_eq!((score.overall, score.weights), (50, EQUAL));
}

#[test]
fn a_fix_brings_its_part_of_the_whole() {
    let tallies = [tally("a", 7, 215, 34), tally("b", 3, 1, 0)];
    let gained = |regained| gain(&tallies, &[], &EQUAL, &Dimension::ALL, "a", regained);
    // 100 × 7/10 × 34/215 / 6
    assert_eq!(gained(3400), 1.84);
    assert_eq!(gained(9999), 1.84);
    assert_eq!(gained(100), 0.05);
    assert_eq!(gained(0), 0.0);
}

#[test]
fn a_capped_dimension_gains_when_the_cap_falls() {
    let tallies = [tally("site-noindex", 10, 1, 1), tally("b", 10, 10, 2)];
    let caps = [cap(30, "site-noindex")];
    let gained =
        |check, regained| gain(&tallies, &caps, &EQUAL, &[Dimension::Seo], check, regained);
    // Without the cap 40, after the fix 90.
    assert_eq!(gained("site-noindex", 100), 60.0);
    assert_eq!(gained("site-noindex", 50), 0.0);
    assert_eq!(gained("b", 200), 0.0);
}

#[test]
fn a_second_cap_stays() {
    let tallies = [
        tally("a", 10, 1, 1),
        tally("b", 10, 1, 1),
        tally("c", 80, 1, 0),
    ];
    let caps = [cap(30, "a"), cap(50, "b")];
    assert_eq!(
        gain(&tallies, &caps, &EQUAL, &[Dimension::Seo], "a", 100),
        20.0
    );
}
