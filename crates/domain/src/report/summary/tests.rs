use crate::report::testing::{finding, result};
use crate::report::{AuditResult, Finding, Report, Summaries, Variant};
use crate::score::{Cap, DimensionWeights};
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
        "The only applicable check passed."
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
        "One of three checks passed. There are two informational issues."
    );
}

#[test]
fn minor_things_are_called_minor() {
    assert_eq!(
        overall(vec![finding_of(Severity::Minor, Dimension::Seo, "x", 1)]),
        "Only minor issues were found; together they cost less than one point. One issue lowers the \
         score: “Finding of x” (SEO, 0.2 points). All dimensions score 90 or more. Start with “Finding of x”: Repair x. This fix adds 0.2 points."
    );
}

#[test]
fn two_things_are_two() {
    assert_eq!(
        overall(vec![
            finding("x"),
            finding_of(Severity::Critical, Dimension::Seo, "y", 10)
        ]),
        "Two issues lower the score: “Finding of y” (SEO, 9.8 points) and “Finding of x” \
         (accessibility, 0.8 points). All dimensions except SEO (41) score 90 or more. Start with “Finding of y”: Repair y. This fix adds 9.8 points."
    );
}

#[test]
fn of_many_things_the_three_worst_are_named() {
    let bad = Dimension::ALL.into_iter().flat_map(|dimension| {
        (0..3).map(move |number| {
            finding_of(
                Severity::Critical,
                dimension,
                &format!("{dimension}-{number}"),
                10 - number,
            )
        })
    });
    let summaries = summaries(&result(bad.collect()));
    assert_eq!(
        summaries.overall,
        "Three issues lower the score most: “Finding of accessibility-0” (accessibility, 4.5 \
         points), “Finding of aiReadiness-0” (AI readiness, 4.5 points) and “Finding of content-0” \
         (content, 4.5 points). No dimension scores 90 or more; the lowest subscore is 27. Start with “Finding of accessibility-0”: Repair accessibility-0. This fix adds 4.5 points."
    );
    assert_eq!(
        summaries.dimensions[&Dimension::Seo],
        "Three issues lower this score: “Finding of seo-0” (27 points), “Finding of seo-1” (24.3 \
         points) and “Finding of seo-2” (21.6 points). One of four checks passed. Start with “Finding of seo-0”: Repair seo-0. This fix adds 4.5 points overall."
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
        "One issue lowers the score: “Finding of thin” (content, 6.6 points). Content is \
         capped at 40: no page has text. All dimensions except content (40) score 90 or more. Start with “Finding of thin”: Repair thin. This fix adds 6.6 points."
    );
    assert_eq!(
        summaries.dimensions[&Dimension::Content],
        "Capped at 40: no page has text. Without the cap, the score would be 74. Two issues lower this score: \
         “Finding of thin” (5.3 points) and “Finding of broken-link” with 3 causes (20.6 \
         points). One of three checks passed. Start with “Finding of thin”: Repair thin. This \
         fix adds 6.6 points overall."
    );
}

#[test]
fn what_changes_no_score_is_still_to_be_fixed() {
    let mut result = result(vec![finding("x")]);
    result.tallies.retain(|tally| tally.check_id != "x");
    assert_eq!(
        summaries(&result).overall,
        "One issue was found; fixing it alone does not change the score. All dimensions score \
         90 or more. Start with “Finding of x”: Repair x."
    );
}
