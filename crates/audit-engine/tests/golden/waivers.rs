//! What waivers do to scores.

use domain::Dimension;
use domain::id::WaiverId;
use domain::report::{AuditResult, Issue, Report, Variant, fingerprint};
use domain::score::DimensionWeights;
use domain::waiver::{
    AppliedWaiver, AuditWaivers, Waiver, WaiverAuthor, WaiverAuthorKind, WaiverState, WaiverTerms,
};
use rstest::rstest;
use testkit::golden::GoldenSite;

use crate::{Change, audit, audit_with_waivers, table};

/// Of this many changes one is tried.
const STEP: usize = 4;

fn waiver(check_id: &str, path: Option<&str>, cause: Option<&str>) -> AppliedWaiver {
    AppliedWaiver {
        waiver: Waiver {
            id: WaiverId::parse(&format!("wvr_{:026}", 0)).unwrap(),
            terms: WaiverTerms {
                check_id: check_id.to_owned(),
                path: path.map(str::to_owned),
                cause: cause.map(|key| fingerprint(check_id, key)),
                reason: "Accepted.".to_owned(),
                expires_at: None,
            },
            author: WaiverAuthor {
                kind: WaiverAuthorKind::File,
                id: None,
                name: "the file".to_owned(),
            },
            created_at: None,
        },
        state: WaiverState::Active,
        occurrences: 0,
    }
}

fn report(result: &AuditResult) -> Report {
    Report::assemble(result, Variant::Current, &DimensionWeights::default())
}

fn waived(site: &GoldenSite, waivers: Vec<AppliedWaiver>) -> AuditResult {
    let waivers = AuditWaivers::from_iter(waivers);
    audit_with_waivers(&site.to_string(), None, waivers).unwrap()
}

/// The overall score before it is rounded to whole points.
fn overall(report: &Report) -> f64 {
    let scores = report.score.dimensions.values();
    let parts: f64 = scores
        .map(|score| 1.0 / score.score.to_points().max(1.0))
        .sum();
    6.0 / parts
}

fn issue<'a>(report: &'a Report, check_id: &str) -> &'a Issue {
    let mut issues = report.issues.iter();
    issues.find(|issue| issue.check_id == check_id).unwrap()
}

/// Waiving everything that a check found gives the score as if it passed, and lowers none. Waiving everything gives all
/// points.
#[rstest]
fn a_waived_check_costs_nothing(#[values(0, 1, 2, 3, 4, 5)] dimension: usize) {
    let changes: Vec<&Change> = table(Dimension::ALL[dimension])
        .iter()
        .filter(|change| !change.raises.is_empty())
        .step_by(STEP)
        .collect();
    assert!(!changes.is_empty());
    for change in changes {
        let mut site = GoldenSite::clean();
        change.apply(&mut site).unwrap();
        let Ok(result) = audit(&site.to_string(), None) else {
            continue;
        };
        let before = report(&result);
        for check_id in change.raises {
            let after = report(&waived(&site, vec![waiver(check_id, None, None)]));
            for (dimension, score) in &after.score.dimensions {
                let before = before.score.dimensions[dimension].score;
                assert!(score.score >= before, "{:?} {check_id}", change.edit);
            }
            let found = issue(&after, check_id);
            assert!(found.is_waived(), "{:?} {check_id}: {found:?}", change.edit);
            assert_eq!(found.score_impact, 0.0, "{:?} {check_id}", change.edit);
            let gain = issue(&before, check_id).score_impact;
            let gained = overall(&after) - overall(&before);
            assert!(gained < gain + 0.006, "{:?} {check_id}", change.edit);
        }
        let all = result.findings.iter();
        let all = all.map(|finding| waiver(&finding.check_id, None, None));
        let after = report(&waived(&site, all.collect()));
        assert_eq!(overall(&after).round(), 100.0, "{:?}", change.edit);
        let mut dimensions = after.score.dimensions.values();
        assert!(
            dimensions.all(|score| score.subscore == 100 && score.binding_cap().is_none()),
            "{:?}",
            change.edit
        );
    }
}

/// Ten pages; images without text on three of them.
fn with_images() -> GoldenSite {
    let mut site = GoldenSite::of_pages(10);
    let pages: Vec<_> = site.pages().iter().take(3).cloned().collect();
    for page in &pages {
        site.edit(page, "</main>", "<img src=\"/logo.svg\"></main>")
            .unwrap();
    }
    site
}

#[test]
fn a_path_accepts_some_pages_and_the_others_count() {
    let site = with_images();
    let before = report(&audit(&site.to_string(), None).unwrap());
    let found = issue(&before, "image-alt");
    let url = url::Url::parse(&found.causes[0].occurrences[0].url).unwrap();
    let path = format!("{}$", url.path());
    let result = waived(&site, vec![waiver("image-alt", Some(&path), None)]);
    let after = report(&result);
    let partly = issue(&after, "image-alt");
    assert_eq!((found.waived, partly.waived), (0, 1));
    assert_eq!(partly.occurrences_total, found.occurrences_total);
    assert_eq!(partly.affected + 1, found.affected);
    assert!(overall(&after) > overall(&before) && overall(&after) < 100.0);
    assert!(
        partly
            .description
            .contains("One more occurrence is waived.")
    );
    let marked = partly.causes.iter().flat_map(|cause| &cause.occurrences);
    let marked: Vec<_> = marked.filter(|place| place.waiver.is_some()).collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0].url, url.as_str());
    assert_eq!(after.waivers[0].occurrences, 1);
    let gains: f64 = partly.causes.iter().map(|cause| cause.score_impact).sum();
    assert!((gains - partly.score_impact).abs() < 1e-9);
}

#[test]
fn an_expired_waiver_accepts_nothing() {
    let site = with_images();
    let mut expired = waiver("image-alt", None, None);
    expired.state = WaiverState::Expired;
    let result = waived(&site, vec![expired]);
    let plain = audit(&site.to_string(), None).unwrap();
    assert_eq!(result.tallies, plain.tallies);
    assert_eq!(result.findings, plain.findings);
    assert_eq!(result.waivers[0].occurrences, 0);
}

/// A page that is gone is lost unless every link to it is accepted.
#[test]
fn a_lost_page_comes_back_with_the_cause_that_lost_it() {
    let mut site = GoldenSite::of_pages(10);
    let pages: Vec<_> = site.pages().iter().take(2).cloned().collect();
    for page in &pages {
        site.edit(
            page,
            "</main>",
            "<a href=\"/gone-for-good\">The old plan</a></main>",
        )
        .unwrap();
    }
    let before = report(&audit(&site.to_string(), None).unwrap());
    let found = issue(&before, "link-broken-internal");
    let key = found.causes[0].key.clone();
    let seo = |report: &Report| report.score.dimensions[&Dimension::Seo].score;
    let result = waived(
        &site,
        vec![waiver("link-broken-internal", None, Some(&key))],
    );
    let cause = report(&result);
    assert!(issue(&cause, "link-broken-internal").is_waived());
    assert_eq!(seo(&cause).to_score(), 100);
    let first = url::Url::parse(&found.causes[0].occurrences[0].url).unwrap();
    let path = format!("{}$", first.path());
    let one_page = report(&waived(
        &site,
        vec![waiver("link-broken-internal", Some(&path), None)],
    ));
    assert!(seo(&one_page) > seo(&before) && seo(&one_page).to_score() < 100);
}
