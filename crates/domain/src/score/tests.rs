use super::*;

const EQUAL: DimensionWeights = DimensionWeights::EQUAL;

/// A check of the site that fails on this part of what it judged.
fn of_site(check_id: &str, severity: Severity, failed: u64, judged: u64) -> CheckTally {
    CheckTally {
        check_id: check_id.to_owned(),
        dimension: Dimension::Seo,
        subject: SubjectKind::Resource,
        severity,
        judged,
        failed,
        reach: Share::from_ratio(failed, judged),
        page_gain: 0,
    }
}

/// Pages of SEO with the severities of what fails on each, and the checks "0", "1" … that find it.
fn pages(losses: &[Vec<Severity>]) -> Tallies {
    let mut total = PageTotal::default();
    let most = losses
        .iter()
        .map(|page| page.len())
        .max()
        .unwrap_or_default();
    let mut checks: Vec<_> = (0..most)
        .map(|number| CheckTally {
            subject: SubjectKind::Page,
            ..of_site(&number.to_string(), Severity::Serious, 0, 1)
        })
        .collect();
    for page in losses {
        let page: Vec<_> = page
            .iter()
            .map(|&severity| PageLoss::new(Dimension::Seo, severity, Share::ONE))
            .collect();
        let score = page_score(&page, Dimension::Seo);
        total.add(score);
        for (place, check) in checks.iter_mut().enumerate().take(page.len()) {
            let without = page_score_without(&page, place);
            check.page_gain += u64::from(without.minus(score).billionths());
        }
    }
    Tallies {
        pages: [(Dimension::Seo, total)].into(),
        checks,
        metrics: None,
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

fn seo(tallies: &Tallies, caps: &[Cap]) -> DimensionScore {
    let mut score = score(tallies, caps, &EQUAL, &[Dimension::Seo]);
    score.dimensions.remove(&Dimension::Seo).unwrap()
}

fn gain(tallies: &Tallies, caps: &[Cap], dimensions: &[Dimension], check_id: &str) -> f64 {
    Ledger::new(tallies, caps, &EQUAL, dimensions).gain(check_id)
}

use Severity::{Critical, Minor, Moderate, Serious};

#[test]
fn a_subscore_is_the_mean_of_its_page_scores() {
    let score = |losses: &[Vec<Severity>]| seo(&pages(losses), &[]).score.to_points();
    assert_eq!(score(&[vec![]]), 100.0);
    assert_eq!(score(&[vec![Critical]]), 55.0);
    assert_eq!(score(&[vec![Serious, Moderate]]), 74.4);
    assert_eq!(score(&[vec![Serious], vec![], vec![], vec![]]), 95.0);
    assert_eq!(score(&[vec![Serious; 10]]), 10.737_418_2);
    assert_eq!(score(&[vec![Severity::Info, Minor]]), 98.0);
}

#[test]
fn checks_of_the_site_lower_the_mean() {
    let mut tallies = pages(&[vec![Serious], vec![]]);
    tallies.checks.push(of_site("a", Moderate, 1, 2));
    tallies.checks.push(of_site("b", Minor, 1, 1));
    // 90 × (1 − 0.07 × 1/2) × (1 − 0.02)
    assert_eq!(seo(&tallies, &[]).score.to_points(), 85.113);
}

#[test]
fn a_check_that_passes_or_judges_nothing_changes_nothing() {
    let before = seo(&pages(&[vec![Serious], vec![]]), &[]);
    let mut tallies = pages(&[vec![Serious], vec![]]);
    for number in 0..50 {
        tallies
            .checks
            .push(of_site(&format!("passed-{number}"), Critical, 0, 9));
        tallies
            .checks
            .push(of_site(&format!("idle-{number}"), Critical, 0, 0));
    }
    let after = seo(&tallies, &[]);
    assert_eq!(after.score, before.score);
    assert_eq!(after.checks.len(), before.checks.len() + 50);
}

#[test]
fn pages_of_one_template_score_alike_however_many_there_are() {
    let score_of = |pages_of: usize| {
        let template = vec![Serious, Moderate, Minor];
        seo(&pages(&vec![template; pages_of]), &[]).score
    };
    assert_eq!(score_of(10), score_of(1));
    assert_eq!(score_of(1_000), score_of(1));
}

#[test]
fn one_page_of_800_costs_little() {
    let mut losses = vec![Vec::new(); 799];
    losses.push(vec![Critical]);
    let lost = 100.0 - seo(&pages(&losses), &[]).score.to_points();
    assert!((0.05..0.06).contains(&lost), "{lost}");
}

#[test]
fn the_lowest_cap_counts() {
    let tallies = pages(&[vec![Minor]]);
    let seo = seo(&tallies, &[cap(60, "0"), cap(40, "z"), cap(40, "0")]);
    assert_eq!((seo.subscore, seo.uncapped), (40, 98));
    assert_eq!(seo.binding_cap(), Some(&cap(40, "0")));
}

#[test]
fn a_cap_above_the_product_is_named_but_does_not_bind() {
    let seo = seo(&pages(&[vec![Serious; 10]]), &[cap(40, "0")]);
    assert_eq!(seo.subscore, 11);
    assert!(seo.cap.is_some() && seo.binding_cap().is_none());
}

#[test]
fn the_overall_score_is_the_harmonic_mean() {
    // 6 / (5/100 + 1/55) = 88
    let tallies = pages(&[vec![Critical]]);
    assert_eq!(score(&tallies, &[], &EQUAL, &Dimension::ALL).overall, 88);
    // 7 / (5/100 + 2/55) = 81.05
    let weights = DimensionWeights { seo: 2, ..EQUAL };
    assert_eq!(score(&tallies, &[], &weights, &Dimension::ALL).overall, 81);
}

#[test]
fn a_dimension_counts_as_one_point_at_least() {
    let tallies = Tallies {
        pages: [(Dimension::Seo, PageTotal { count: 1, sum: 0 })].into(),
        checks: Vec::new(),
        metrics: None,
    };
    // 6 / (5/100 + 1/1) = 5.7
    assert_eq!(score(&tallies, &[], &EQUAL, &Dimension::ALL).overall, 6);
}

#[test]
fn weights_of_nothing_count_as_equal() {
    let weights = DimensionWeights { seo: 0, ..EQUAL };
    let score = score(&pages(&[vec![Critical]]), &[], &weights, &[Dimension::Seo]);
    assert_eq!((score.overall, score.weights), (55, EQUAL));
}

#[test]
fn a_gain_is_what_the_score_is_without_the_check() {
    let mut tallies = pages(&[vec![Serious, Critical], vec![]]);
    tallies.checks.push(of_site("a", Moderate, 1, 1));
    // (0.8 × 0.55 + 1) / 2 × 0.93 = 0.6696; without "0" 0.72075, without "a" 0.72
    let dimensions = [Dimension::Seo];
    assert_eq!(gain(&tallies, &[], &dimensions, "0"), 5.12);
    assert_eq!(gain(&tallies, &[], &dimensions, "a"), 5.04);
    assert_eq!(gain(&tallies, &[], &dimensions, "unknown"), 0.0);
    let costs = seo(&tallies, &[]).checks;
    assert_eq!(costs[0].cost.to_points(), 5.115);
}

#[test]
fn a_capped_dimension_gains_when_the_cap_falls() {
    let mut tallies = pages(&[vec![]]);
    tallies.checks.push(of_site("noindex", Serious, 1, 1));
    tallies.checks.push(of_site("b", Moderate, 1, 1));
    let caps = [cap(30, "noindex")];
    // Without the cap 74.4, after the fix 93.
    assert_eq!(gain(&tallies, &caps, &[Dimension::Seo], "noindex"), 63.0);
    assert_eq!(gain(&tallies, &caps, &[Dimension::Seo], "b"), 0.0);
}

#[test]
fn a_second_cap_stays() {
    let mut tallies = pages(&[vec![]]);
    tallies.checks.push(of_site("a", Minor, 1, 1));
    tallies.checks.push(of_site("b", Minor, 1, 1));
    let caps = [cap(30, "a"), cap(50, "b")];
    assert_eq!(gain(&tallies, &caps, &[Dimension::Seo], "a"), 20.0);
}

#[test]
fn reports_of_the_first_version_keep_their_gains() {
    let check = |check_id: &str, cost: u8| CheckScore {
        check_id: check_id.to_owned(),
        subject: SubjectKind::Page,
        severity: Serious,
        penalty: Share::from_hundredths(50),
        judged: 10,
        failed: 1,
        reach: Share::from_hundredths(10),
        cost: Share::from_hundredths(cost),
    };
    let seo = DimensionScore {
        subscore: 40,
        score: Share::from_hundredths(40),
        uncapped: 70,
        pages: PageTotal::default(),
        metrics: None,
        cap: Some(cap(40, "noindex")),
        checks: vec![check("noindex", 20), check("b", 10)],
    };
    let score = Score {
        version: 1,
        overall: 40,
        dimensions: [(Dimension::Seo, seo)].into(),
        weights: EQUAL,
    };
    // Without the cap 90.
    assert_eq!(score.gain_of_fixing("noindex"), 50.0);
    assert_eq!(score.gain_of_fixing("b"), 0.0);
}

#[test]
fn the_steps_lead_from_the_mean_of_the_pages_to_the_score() {
    let mut tallies = pages(&[vec![Serious], vec![]]);
    tallies.checks.push(of_site("a", Serious, 5, 10));
    tallies.checks.push(of_site("passes", Serious, 0, 10));
    tallies.checks.push(of_site("b", Minor, 1, 1));
    let seo = seo(&tallies, &[]);
    let steps = seo.steps();
    let ids: Vec<_> = steps
        .iter()
        .map(|step| step.check.check_id.as_str())
        .collect();
    assert_eq!(ids, ["a", "b"]);
    // (80 + 100) / 2 × 0.9 = 81, and × 0.98 = 79.38
    let results: Vec<_> = steps.iter().map(|step| step.result.to_points()).collect();
    assert_eq!(results, [81.0, 79.38]);
    assert_eq!(steps.last().map(|step| step.result), Some(seo.score));
}

#[test]
fn the_terms_of_the_overall_score_are_its_mean() {
    let mut tallies = pages(&[vec![]]);
    tallies.checks.push(of_site("a", Critical, 1, 1));
    let score = score(&tallies, &[], &EQUAL, &Dimension::ALL);
    let terms = score.overall_terms();
    let weights: f64 = terms.iter().map(|term| f64::from(term.weight)).sum();
    let quotients: f64 = terms.iter().map(|term| term.quotient).sum();
    let overall = score.unrounded_overall();
    assert!((weights / quotients - overall).abs() < 1e-9, "{overall}");
    assert!((overall - f64::from(score.overall)).abs() <= 0.5);
}
