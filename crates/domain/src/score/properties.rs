//! What holds for all scores.

use proptest::prelude::*;

use super::*;

/// How many checks the catalogue of these tests has. The even ones are of pages, the odd ones of
/// resources; they take turns in the dimensions.
const CHECKS: usize = 24;

/// What a made-up audit found: for each page the checks that fail and how far, and for each check of
/// resources how many of ten fail.
#[derive(Debug, Clone)]
struct Audit {
    pages: Vec<Vec<(usize, Share)>>,
    resources: Vec<u64>,
}

fn dimension(check: usize) -> Dimension {
    Dimension::ALL[(check / 2) % 6]
}

fn severity(check: usize) -> Severity {
    Severity::ALL[(check / 6) % 5]
}

fn any_audit() -> impl Strategy<Value = Audit> {
    let failure = (0..CHECKS / 2, 0..=100_u8)
        .prop_map(|(check, extent)| (check * 2, Share::from_hundredths(extent)));
    let page = prop::collection::vec(failure, 0..8).prop_map(|mut page| {
        page.sort_by_key(|(check, _)| *check);
        page.dedup_by_key(|(check, _)| *check);
        page
    });
    let pages = prop::collection::vec(page, 1..12);
    let resources = prop::collection::vec(0..=10_u64, CHECKS / 2);
    (pages, resources).prop_map(|(pages, resources)| Audit { pages, resources })
}

impl Audit {
    fn tallies(&self) -> Tallies {
        let mut totals = std::collections::BTreeMap::new();
        let mut checks: Vec<_> = (0..CHECKS)
            .map(|check| {
                let failed = match check % 2 {
                    0 => 0,
                    _ => self.resources[check / 2],
                };
                CheckTally {
                    check_id: format!("check-{check}"),
                    dimension: dimension(check),
                    subject: match check % 2 {
                        0 => SubjectKind::Page,
                        _ => SubjectKind::Resource,
                    },
                    severity: severity(check),
                    judged: 10,
                    failed,
                    reach: Share::from_ratio(failed, 10),
                    page_gain: 0,
                }
            })
            .collect();
        for page in &self.pages {
            let losses: Vec<_> = page
                .iter()
                .map(|&(check, extent)| PageLoss::new(dimension(check), severity(check), extent))
                .collect();
            for dimension in Dimension::ALL {
                let total: &mut PageTotal = totals.entry(dimension).or_default();
                total.add(page_score(&losses, dimension));
            }
            for (place, (check, _)) in page.iter().enumerate() {
                let score = page_score(&losses, dimension(*check));
                let gain = page_score_without(&losses, place).minus(score);
                checks[*check].page_gain += u64::from(gain.billionths());
            }
        }
        Tallies {
            pages: totals,
            checks,
            metrics: None,
        }
    }

    /// The audit as it would be without what a check found.
    fn without(&self, check: usize) -> Self {
        let mut fixed = self.clone();
        if check % 2 == 1 {
            fixed.resources[check / 2] = 0;
        }
        for page in &mut fixed.pages {
            page.retain(|(known, _)| *known != check);
        }
        fixed
    }
}

fn any_caps() -> impl Strategy<Value = Vec<Cap>> {
    let dimension = prop::sample::select(Dimension::ALL.to_vec());
    let cap = (dimension, any::<u8>(), 0..CHECKS).prop_map(|(dimension, maximum, check)| Cap {
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

fn score_of(audit: &Audit, caps: &[Cap], weights: &DimensionWeights) -> Score {
    score(&audit.tallies(), caps, weights, &Dimension::ALL)
}

/// The overall score before it is rounded, as a pocket calculator gives it from the printed numbers.
fn overall(score: &Score) -> f64 {
    let (mut weights, mut parts) = (0.0, 0.0);
    for (&dimension, printed) in &score.dimensions {
        let weight = f64::from(score.weights.get(dimension));
        weights += weight;
        parts += weight / printed.score.to_points().max(1.0);
    }
    weights / parts
}

proptest! {
    #[test]
    fn scores_stay_within_bounds(audit in any_audit(), caps in any_caps(), weights in any_weights()) {
        let tallies = audit.tallies();
        let ledger = Ledger::new(&tallies, &caps, &weights, &Dimension::ALL);
        let score = ledger.score();
        prop_assert!(score.overall <= 100);
        for dimension in score.dimensions.values() {
            prop_assert!(dimension.subscore <= 100 && dimension.subscore <= dimension.uncapped);
        }
        for tally in &tallies.checks {
            prop_assert!((0.0..=100.0).contains(&ledger.gain(&tally.check_id)));
        }
    }

    #[test]
    fn one_more_failure_never_raises_a_score(
        audit in any_audit(), caps in any_caps(), weights in any_weights(),
        page in any::<prop::sample::Index>(), check in 0..CHECKS, extent in 0..=100_u8
    ) {
        let before = score_of(&audit, &caps, &weights);
        let mut worse = audit.without(check);
        if check % 2 == 1 {
            worse.resources[check / 2] = (audit.resources[check / 2] + 1).min(10);
        } else {
            worse = audit;
            let index = page.index(worse.pages.len());
            let page = &mut worse.pages[index];
            if page.iter().all(|(known, _)| *known != check) {
                page.push((check, Share::from_hundredths(extent)));
                page.sort_by_key(|(check, _)| *check);
            }
        }
        let after = score_of(&worse, &caps, &weights);
        prop_assert!(after.overall <= before.overall);
        for (dimension, score) in &after.dimensions {
            prop_assert!(score.score <= before.dimensions[dimension].score);
        }
    }

    #[test]
    fn the_gain_is_what_scoring_again_gives(
        audit in any_audit(), caps in any_caps(), weights in any_weights()
    ) {
        let tallies = audit.tallies();
        let ledger = Ledger::new(&tallies, &caps, &weights, &Dimension::ALL);
        let before = ledger.score();
        for check in 0..CHECKS {
            let id = format!("check-{check}");
            let left: Vec<_> = caps.iter().filter(|cap| cap.check_id != id).cloned().collect();
            let after = score_of(&audit.without(check), &left, &weights);
            let seen = overall(&after) - overall(&before);
            let gain = ledger.gain(&id);
            prop_assert!((gain - seen).abs() <= 0.005_001, "{gain} is not {seen}");
            let cost = before.dimensions[&dimension(check)].checks.iter().find(|term| term.check_id == id);
            let regained = after.dimensions[&dimension(check)]
                .score
                .minus(before.dimensions[&dimension(check)].score);
            prop_assert_eq!(cost.unwrap().cost, regained);
            let caps_elsewhere = caps.iter().any(|cap| cap.check_id == id && cap.dimension != dimension(check));
            prop_assert!(caps_elsewhere || before.gain_of_fixing(&id) == gain);
        }
    }

    #[test]
    fn the_printed_factors_give_the_printed_scores(
        audit in any_audit(), caps in any_caps(), weights in any_weights()
    ) {
        let score = score_of(&audit, &caps, &weights);
        for printed in score.dimensions.values() {
            let of_site = printed.checks.iter().filter(|check| check.subject != SubjectKind::Page);
            let product = of_site
                .map(|check| 1.0 - check.penalty.to_f64() * check.reach.to_f64())
                .fold(printed.pages.mean().to_points(), |product, factor| product * factor);
            let maximum = printed.cap.as_ref().map_or(100.0, |cap| f64::from(cap.maximum.min(100)));
            prop_assert!((printed.score.to_points() - product.min(maximum)).abs() < 1e-5);
            prop_assert_eq!(printed.subscore, printed.score.to_score());
        }
        let rounded = (overall(&score) + 0.5 + 1e-9).floor();
        prop_assert!((rounded - f64::from(score.overall)).abs() < 1e-6);
    }
}
