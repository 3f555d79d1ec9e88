use crate::report::testing::{finding, result};
use crate::report::{
    AuditResult, Finding, Occurrence, Report, Summaries, Unjudged, UnjudgedCheck, Variant,
};
use crate::score::{Cap, DimensionWeights, Metric, MetricGrades, MetricTally};
use crate::{Dimension, Severity};

fn summaries(result: &AuditResult) -> Summaries {
    Report::assemble(result, Variant::Current, &DimensionWeights::default()).summaries
}

fn overall(findings: Vec<Finding>) -> String {
    summaries(&result(findings)).overall
}

fn finding_of(severity: Severity, dimension: Dimension, check_id: &str, affected: u64) -> Finding {
    Finding {
        severity,
        dimension,
        ..finding(check_id).on(affected)
    }
}

#[test]
fn nothing_to_fix_is_said_in_one_sentence() {
    assert_eq!(
        overall(Vec::new()),
        "No issues were found on the 10 pages audited."
    );
    let mut one_page = result(Vec::new());
    one_page.coverage.pages_audited = 1;
    let summaries = summaries(&one_page);
    assert_eq!(
        summaries.overall,
        "No issues were found on the one page audited."
    );
    assert_eq!(
        summaries.dimensions[&Dimension::Seo],
        "SEO passed the only check that applies. The score comes from a single check."
    );
}

#[test]
fn waived_issues_are_counted_and_not_named() {
    let mut waived = vec![finding("x").waived()];
    let mut result_of_waived = result(Vec::new());
    result_of_waived.findings.clone_from(&waived);
    assert_eq!(
        summaries(&result_of_waived).overall,
        "No issues were found on the 10 pages audited. One occurrence is waived."
    );
    let dimension = waived[0].dimension;
    let of_dimension = &summaries(&result_of_waived).dimensions[&dimension];
    assert!(
        of_dimension.ends_with("One occurrence is waived."),
        "{of_dimension}"
    );
    waived.push(finding("y").with_causes(&["a", "b"]).waived());
    result_of_waived.findings = waived;
    let text = summaries(&result_of_waived).overall;
    assert!(
        text.ends_with("3 occurrences of two issues are waived."),
        "{text}"
    );
}

#[test]
fn notes_are_no_problems() {
    let note = finding_of(Severity::Info, Dimension::Seo, "x", 1);
    assert_eq!(
        overall(vec![note.clone()]),
        "No issue on the 10 pages audited lowers the score. There is one informational issue."
    );
    let summaries = summaries(&result(vec![
        note.clone(),
        Finding {
            check_id: "y".to_owned(),
            ..note
        },
    ]));
    assert_eq!(
        summaries.dimensions[&Dimension::Seo],
        "SEO loses no points. There are two informational issues. The score comes from only three checks."
    );
}

#[test]
fn the_most_expensive_issue_comes_first_and_the_next_two_follow() {
    let bad = Dimension::ALL.into_iter().flat_map(|dimension| {
        (0..3).map(move |number| {
            let check_id = format!("{dimension}-{number}");
            finding_of(Severity::Critical, dimension, &check_id, 10 - number)
        })
    });
    let summaries = summaries(&result(bad.collect()));
    assert_eq!(
        summaries.overall,
        "“Finding of accessibility-0” costs most: 1.8 points of the overall score, on every page. Next come \
         “Finding of aiReadiness-0” (AI readiness, 1.8 points) and “Finding of content-0” (content, 1.8 points). No \
         dimension scores 90 or more; the lowest subscore is 22. Start with “Finding of accessibility-0”: Repair \
         accessibility-0."
    );
    assert_eq!(
        summaries.dimensions[&Dimension::Seo],
        "Search engines are hindered most by “Finding of seo-0”: it costs SEO 17.9 points, on every page. Fixing it \
         would raise this score from 22 to 40 and the overall score by 1.8 points. Next, “Finding of seo-1” costs SEO \
         13.4 points and “Finding of seo-2” 10.9 points. The score comes from only four checks."
    );
}

#[test]
fn no_two_summaries_begin_alike() {
    let in_all = Dimension::ALL
        .map(|dimension| finding_of(Severity::Serious, dimension, dimension.as_str(), 4));
    let in_two = in_all
        .iter()
        .filter(|finding| [Dimension::Seo, Dimension::Content].contains(&finding.dimension));
    for findings in [Vec::new(), in_two.cloned().collect(), in_all.to_vec()] {
        let summaries = summaries(&result(findings));
        let mut beginnings: Vec<_> = summaries
            .dimensions
            .values()
            .chain([&summaries.overall])
            .map(|text| text.split(' ').take(2).collect::<Vec<_>>())
            .collect();
        beginnings.sort_unstable();
        beginnings.dedup();
        assert_eq!(beginnings.len(), 7, "{summaries:#?}");
    }
}

#[test]
fn the_folder_with_most_of_an_issue_is_named() {
    let mut shop = finding_of(Severity::Serious, Dimension::Seo, "x", 4);
    let place = shop.causes[0].occurrences[0].clone();
    shop.causes[0].occurrences = ["shop/a", "shop/b", "shop/c/d", "about"]
        .map(|path| Occurrence {
            url: format!("https://example.com/{path}"),
            ..place.clone()
        })
        .to_vec();
    let text = overall(vec![shop]);
    assert!(
        text.contains("on 4 of 10 pages, most of them below /shop/."),
        "{text}"
    );
}

#[test]
fn checks_without_a_result_are_counted() {
    let mut result = result(Vec::new());
    let unjudged = |check_id: &str| UnjudgedCheck {
        check_id: check_id.to_owned(),
        dimension: Dimension::Performance,
        why: Unjudged::NotRun("it needs a browser".to_owned()),
        count: 1,
    };
    result.unjudged = vec![unjudged("a"), unjudged("b"), unjudged("b")];
    assert_eq!(
        summaries(&result).dimensions[&Dimension::Performance],
        "Performance passed the only check that applies. The score comes from a single check; two checks could not \
         judge everything."
    );
}

#[test]
fn a_cap_is_named_and_what_sets_it_comes_first() {
    let links = finding_of(Severity::Serious, Dimension::Content, "broken-link", 5);
    let thin = finding_of(Severity::Moderate, Dimension::Content, "thin", 3);
    let mut result = result(vec![links.with_causes(&["/a", "/b", "/c"]), thin]);
    result.caps.push(Cap {
        dimension: Dimension::Content,
        maximum: 40,
        check_id: "thin".to_owned(),
        reason: "no page has text".to_owned(),
    });
    let summaries = summaries(&result);
    assert_eq!(
        summaries.overall,
        "“Finding of thin” costs most: 18.2 points of the overall score, on 3 of 10 pages. Content is capped at 40: no \
         page has text. All dimensions except content (40) score 90 or more. Start with “Finding of thin”: Repair thin."
    );
    assert_eq!(
        summaries.dimensions[&Dimension::Content],
        "Content is capped at 40: no page has text. Without the cap it would be 88. It loses most to “Finding of \
         thin”: 50 points, on 3 of 10 pages. Fixing it would raise this score from 40 to 90 and the overall score by 18.2 \
         points. The score comes from only three checks."
    );
}

#[test]
fn what_changes_no_score_is_still_to_be_fixed() {
    let mut result = result(vec![finding("x")]);
    result.tallies.checks.retain(|tally| tally.check_id != "x");
    assert_eq!(
        summaries(&result).overall,
        "One issue was found; fixing it alone does not change the score. All dimensions score \
         90 or more. Start with “Finding of x”: Repair x."
    );
}

#[test]
fn the_metrics_of_measured_pages_are_named() {
    let mut grades = MetricGrades::default();
    for metric in Metric::ALL {
        grades.set(metric, 95);
    }
    let mut result = result(Vec::new());
    result.tallies.metrics = Some(MetricTally::of_pages([grades, grades]));
    let summaries = summaries(&result);
    assert_eq!(
        summaries.dimensions[&Dimension::Performance],
        "Performance passed the only check that applies. Seven tenths of the score are the metrics of 2 measured pages: 95 \
         of 100. The score comes from a single check."
    );
    assert!(!summaries.dimensions[&Dimension::Seo].contains("measured"));
}
