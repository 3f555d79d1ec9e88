//! The limits hold in every form.

use domain::report::Issue;

use super::{csv, html, junit, markdown, sarif};
use crate::limits::*;
use crate::sample::{bad, report};

/// Issues with so many causes, each with so many places.
fn issues(shapes: &[(usize, usize)]) -> Vec<Issue> {
    let report = report(&bad());
    let issue = report.issues.first().unwrap();
    let with = |&(causes, places): &(usize, usize)| {
        let mut issue = issue.clone();
        let cause = issue.causes.first_mut().unwrap();
        let place = cause.occurrences.first().unwrap().clone();
        cause.occurrences = vec![place; places];
        issue.causes = vec![cause.clone(); causes];
        issue
    };
    shapes.iter().map(with).collect()
}

#[test]
fn each_issue_shows_what_it_has_up_to_the_measure_of_the_form() {
    let found = issues(&[(1, 500), (30, 30), (1, 0)]);
    let html = html::EVIDENCE.shares(&found);
    assert_eq!(html, [vec![20], vec![5; 20], vec![0]]);
    let csv = csv::EVIDENCE.shares(&found);
    assert_eq!(csv, [vec![500], vec![30; 30], vec![0]]);
    let sarif = sarif::EVIDENCE.shares(&found);
    assert_eq!(sarif, [vec![100], vec![30; 30], vec![0]]);
}

#[test]
fn all_together_are_bounded_and_no_issue_is_left_without_a_place() {
    let found = issues(&[(100, 10); 300]);
    for (limits, most) in [
        (csv::EVIDENCE, CSV_ROWS),
        (sarif::EVIDENCE, SARIF_PLACES_IN_ALL),
        (html::EVIDENCE, PLACES_IN_ALL),
        (markdown::EVIDENCE, PLACES_IN_ALL),
        (junit::EVIDENCE, PLACES_IN_ALL),
    ] {
        let shown = limits.shares(&found);
        assert_eq!(shown.len(), 300);
        let is_whole = |issue: &Vec<usize>| issue.iter().all(|&number| number >= 1);
        assert!(
            shown
                .iter()
                .all(|issue| !issue.is_empty() && is_whole(issue))
        );
        let in_all: usize = shown.iter().flatten().sum();
        // The issue at which there are enough shows all of its causes, then each one.
        let causes = limits.causes_in_all;
        let most = if limits.is_of_rows {
            most
        } else {
            most + causes
        };
        assert!(in_all <= most + 100 + 300, "{limits:?}: {in_all}");
    }
    let results: usize = sarif::EVIDENCE.shares(&found).iter().map(Vec::len).sum();
    assert!(results <= SARIF_RESULTS + 300 + 100, "{results}");
}
