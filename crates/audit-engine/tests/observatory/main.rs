//! The MDN HTTP Observatory: every row of its scoring table as a site, with the Observatory's score
//! and the results of the engine's checks. If the engine differs on purpose, the row gives the
//! reason.
//!
//! Two rows have no site. The engine does not audit pages that are not HTML (`sri-no-html`), so only
//! the scorer is tested. HTML that cannot be parsed does not exist: the standard defines how to read
//! every byte sequence.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics on unexpected results"
)]

mod rows;
mod score;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::check::Check;
use audit_engine::checks;
use audit_engine::gather::Recording;
use audit_engine::{AuditOptions, Auditor};
use rows::{NEUTRAL, Row, checks_of, rows};
use score::{Observed, Results, TABLE, grade, modifier, score};

fn results(row: &Row) -> Results {
    let recording = Recording::parse(&row.recording()).unwrap();
    Observed {
        recording: &recording,
        host: "example.com",
        preloaded: &row.preloaded.iter().copied().collect(),
    }
    .results()
}

/// The ids of these checks that fail on the row's site.
fn failing(row: &Row, ids: &[&'static str]) -> BTreeSet<String> {
    let only: Vec<&'static Check> = ids
        .iter()
        .map(|id| checks::find(id).unwrap_or_else(|| panic!("there is no check {id}")))
        .collect();
    let options = AuditOptions {
        only: Some(only),
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    };
    let recording = Recording::parse(&row.recording()).unwrap();
    let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
    let start = if row.over_http {
        "http://example.com/"
    } else {
        "https://example.com/"
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let audit = runtime.unwrap().block_on(auditor.audit(start)).unwrap();
    let findings = audit.result.findings.into_iter();
    findings.map(|finding| finding.check_id).collect()
}

#[test]
fn every_row_has_the_result_and_score_of_the_table() {
    let neutral = results(&NEUTRAL);
    assert_eq!(score(&neutral), 100, "{neutral:?}");
    for row in rows() {
        let found = results(&row);
        assert_eq!(found[row.test], row.result, "{}", row.recording());
        let mut expected = neutral.clone();
        expected.insert(row.test, row.result);
        expected.extend(row.also.iter().copied());
        assert_eq!(found, expected, "{}", row.recording());
        let others: i32 = row.also.iter().map(|(_, result)| modifier(result)).sum();
        let points = (100 + modifier(row.result) + others).max(0);
        assert_eq!(score(&found), points, "{}", row.recording());
    }
}

#[test]
fn the_rows_cover_the_table() {
    let covered: BTreeSet<&str> = rows().iter().map(|row| row.result).collect();
    let missing: Vec<&str> = TABLE
        .iter()
        .map(|(result, _)| *result)
        .filter(|result| !covered.contains(result))
        .collect();
    assert_eq!(missing, ["sri-no-html"]);
}

#[test]
fn the_checks_fail_where_the_observatory_deducts_points_or_the_row_explains_why_not() {
    let mut wrong = Vec::new();
    for row in rows() {
        let ids = checks_of(row.test);
        let found = failing(&row, ids);
        let expected: BTreeSet<String> = row.fails.iter().map(|id| (*id).to_owned()).collect();
        let site = row.recording();
        if found != expected {
            wrong.push(format!("{found:?} and not {expected:?} in\n{site}"));
        }
        let agrees = (modifier(row.result) < 0) != row.fails.is_empty();
        if agrees == row.differs.is_some() {
            wrong.push(format!("agrees: {agrees}, {:?} in\n{site}", row.differs));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_response_that_is_not_a_page_loads_no_scripts() {
    let recording = Recording::parse(
        "=== https://example.com/\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\n<script src=http://a.example/></script>\n",
    )
    .unwrap();
    let observed = Observed {
        recording: &recording,
        host: "example.com",
        preloaded: &BTreeSet::new(),
    };
    assert_eq!(observed.results()["sri"], "sri-no-html");
}

#[test]
fn bonuses_count_from_ninety_points() {
    let with = |pairs: &[(&'static str, &'static str)]| {
        let mut all = results(&NEUTRAL);
        all.extend(pairs.iter().copied());
        score(&all)
    };
    assert_eq!(with(&[("csp", "csp-default-src-none")]), 110);
    assert_eq!(
        with(&[("hsts", "hsts-shorter"), ("csp", "csp-no-unsafe")]),
        95
    );
    assert_eq!(
        with(&[
            ("hsts", "hsts-shorter"),
            ("referrer-policy", "referrer-unsafe"),
            ("csp", "csp-no-unsafe"),
        ]),
        85
    );
    assert_eq!(
        with(&[
            ("cors", "cors-reflected-with-credentials"),
            ("sri", "sri-missing-not-https"),
            ("csp", "csp-missing"),
        ]),
        0
    );
}

#[test]
fn grades_change_every_five_points() {
    let grades = [
        (135, "A+"),
        (100, "A+"),
        (99, "A"),
        (90, "A"),
        (89, "A-"),
        (85, "A-"),
        (84, "B+"),
        (79, "B"),
        (70, "B"),
        (69, "B-"),
        (60, "C+"),
        (59, "C"),
        (50, "C"),
        (49, "C-"),
        (44, "D+"),
        (39, "D"),
        (30, "D"),
        (29, "D-"),
        (24, "F"),
        (0, "F"),
    ];
    for (points, expected) in grades {
        assert_eq!(grade(points), expected, "{points}");
    }
}
