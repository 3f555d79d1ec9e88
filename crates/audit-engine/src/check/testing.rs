//! Helpers for the tests in the files of checks.

use super::{Check, Failures, Outcome};
use crate::snapshot::Snapshot;
use crate::view::{Page, PageBuilder};

/// The outcome of a page check on a document at `https://example.com/`.
pub(crate) fn outcome(check: &Check, html: &str) -> Outcome {
    outcome_of(check, &Page::builder().html(html))
}

/// The outcome of a page check on a page from a builder.
pub(crate) fn outcome_of(check: &Check, page: &Page) -> Outcome {
    let Some(outcome) = check.evaluate_page(page) else {
        panic!("{} is a site check; use audit", check.id);
    };
    outcome
}

/// The page of a builder that has the first markup in its response and the second one after its scripts.
pub(crate) fn shown(builder: PageBuilder, served: &str, after: &str) -> Page {
    let snapshot = Snapshot::of_markup(after).unwrap();
    builder.html(served).rendered(&snapshot)
}

/// The outcome of a page check on a document that has the first markup in its response and the second one after its
/// scripts.
pub(crate) fn outcome_shown(check: &Check, served: &str, after: &str) -> Outcome {
    outcome_of(check, &shown(Page::builder(), served, after))
}

/// The message of the only occurrence of a check on a document.
#[track_caller]
pub(crate) fn message(check: &Check, html: &str) -> String {
    only_message(outcome(check, html))
}

/// The message of the only occurrence of a check on a document that scripts change.
#[track_caller]
pub(crate) fn message_shown(check: &Check, served: &str, after: &str) -> String {
    only_message(outcome_shown(check, served, after))
}

#[track_caller]
fn only_message(outcome: Outcome) -> String {
    match outcome {
        Outcome::Failed(failures) if failures.len() == 1 => failures[0].message.clone(),
        other => panic!("{other:?} is not one occurrence"),
    }
}

/// Asserts that a page check fails on the elements with `data-fails` and on no other, and returns its failures. Each of
/// these elements has an id.
#[track_caller]
pub(crate) fn assert_marked_fail(check: &Check, page: &Page) -> Failures {
    let Outcome::Failed(failures) = outcome_of(check, page) else {
        panic!("{} does not fail", check.id);
    };
    let marked = page
        .elements()
        .filter(|element| element.has_attr("data-fails"));
    let expected: Vec<String> = marked
        .map(|element| format!("#{}", element.attr("id").unwrap()))
        .collect();
    let found = failures.iter().map(|one| one.selector.clone().unwrap());
    assert_eq!(found.collect::<Vec<_>>(), expected);
    failures
}

/// A paragraph with `count` different words, numbered from `first`.
pub(crate) fn numbered_words(first: usize, count: usize) -> String {
    let words: Vec<String> = (first..first + count).map(|n| format!("word{n}")).collect();
    format!("<p>{}</p>", words.join(" "))
}

/// Asserts that the check passes on the document.
#[track_caller]
pub(crate) fn assert_passes(check: &Check, html: &str) {
    assert_eq!(outcome(check, html), Outcome::Passed, "{html}");
}

/// Asserts that the check is not applicable to the document.
#[track_caller]
pub(crate) fn assert_not_applicable(check: &Check, html: &str) {
    assert_eq!(outcome(check, html), Outcome::NotApplicable, "{html}");
}

/// Asserts that the check fails on the document with this number of occurrences.
#[track_caller]
pub(crate) fn assert_fails(check: &Check, html: &str, places: usize) {
    match outcome(check, html) {
        Outcome::Failed(evidence) => {
            assert_eq!(evidence.len(), places, "{html}: {evidence:#?}");
            assert!(
                evidence.iter().all(|evidence| !evidence.message.is_empty()),
                "{evidence:#?}"
            );
        }
        other => panic!("{html}: {other:?}"),
    }
}

/// The result of a check on a recorded site.
#[derive(Debug)]
pub(crate) struct Tallied {
    /// Subjects that it evaluated.
    pub(crate) applicable: u64,
    /// Subjects that failed or were graded below good.
    pub(crate) affected: u64,
    /// The share of its penalty that it costs.
    pub(crate) reach: domain::score::Share,
    /// Why it cannot tell or was not run.
    pub(crate) unjudged: Option<domain::report::Unjudged>,
    /// Its findings, one per cause.
    pub(crate) findings: Vec<Found>,
}

/// A cause of a finding.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) cause: String,
    pub(crate) title: String,
    pub(crate) occurrences_total: u64,
    pub(crate) occurrences: Vec<domain::report::Occurrence>,
}

impl Found {
    fn from_finding(finding: domain::report::Finding) -> impl Iterator<Item = Self> {
        finding.causes.into_iter().map(|cause| Self {
            cause: cause.key,
            title: cause.title,
            occurrences_total: cause.occurrences_total,
            occurrences: cause.occurrences,
        })
    }
}

/// Runs the whole engine with this one check over a [`Recording`](crate::gather::Recording) that
/// begins at `https://example.com/`. External links are requested.
#[track_caller]
pub(crate) fn audit(check: &'static Check, site: &str) -> Tallied {
    audit_from(check, "https://example.com/", site)
}

/// As [`audit`], from another start URL. `http://127.0.0.1` is allowed.
#[track_caller]
pub(crate) fn audit_from(check: &'static Check, start: &str, site: &str) -> Tallied {
    let recording = crate::gather::Recording::parse(site).unwrap();
    let options = crate::AuditOptions {
        only: Some(vec![check]),
        retry_pause: std::time::Duration::ZERO,
        max_rate: Some(1e6),
        ..crate::AuditOptions::default()
    };
    let allow = ["127.0.0.1".parse().unwrap()].into_iter().collect();
    let auditor = crate::Auditor::with_fetcher(std::sync::Arc::new(recording), allow, options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let result = runtime
        .unwrap()
        .block_on(auditor.audit(start))
        .unwrap()
        .result;
    let tally = result.tallies.checks.first();
    Tallied {
        applicable: tally.map_or(0, |tally| tally.judged),
        affected: tally.map_or(0, |tally| tally.failed),
        reach: tally.map_or(domain::score::Share::ZERO, |tally| tally.reach),
        unjudged: result.unjudged.into_iter().next().map(|check| check.why),
        findings: result
            .findings
            .into_iter()
            .flat_map(Found::from_finding)
            .collect(),
    }
}
