//! Rules for every check of the catalog, and the two examples of each check as tests.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test panics on unexpected results"
)]

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::check::{Check, Example, Need};
use audit_engine::checks::catalogue;
use audit_engine::gather::{RECORDING_BASE, Recording};
use audit_engine::{AuditOptions, Auditor};
use domain::report::AuditResult;
use domain::text::first_sentence;
use domain::{Dimension, Severity};
use rstest::rstest;

fn audit(check: &'static Check, example: &Example) -> AuditResult {
    let recording = Recording::parse(&example.recording()).unwrap();
    let options = AuditOptions {
        only: Some(vec![check]),
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    runtime
        .unwrap()
        .block_on(auditor.audit(RECORDING_BASE))
        .unwrap()
        .result
}

#[rstest]
#[case(Dimension::Performance)]
#[case(Dimension::Accessibility)]
#[case(Dimension::Seo)]
#[case(Dimension::Security)]
#[case(Dimension::Content)]
#[case(Dimension::AiReadiness)]
fn the_first_example_of_every_check_fails_and_the_second_passes(#[case] dimension: Dimension) {
    let mut wrong = Vec::new();
    for check in catalogue()
        .into_iter()
        .filter(|check| check.dimension == dimension && !check.needs(Need::Browser))
    {
        let docs = check.documentation();
        let (Some(failing), Some(passing)) = (docs.failing, docs.passing) else {
            wrong.push(format!("{}: two examples are needed", check.id));
            continue;
        };
        let failed = audit(check, &failing);
        if failed.findings.is_empty() {
            wrong.push(format!(
                "{}: the first example must fail: {failed:#?}",
                check.id
            ));
        }
        let passed = audit(check, &passing);
        let counted = passed.tallies.checks.iter().any(|tally| tally.judged > 0);
        if !passed.findings.is_empty() || !counted {
            wrong.push(format!(
                "{}: the second example must pass: {passed:#?}",
                check.id
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_check_of_the_response_says_why() {
    for check in catalogue() {
        let limits = check.documentation().limits.replace('\n', " ");
        assert_eq!(
            limits.contains("In rendered mode, too, the check judges"),
            check.needs(Need::AsServed),
            "{}: {limits}",
            check.id
        );
    }
}

#[test]
fn every_check_is_documented() {
    let mut wrong = Vec::new();
    for check in catalogue() {
        let docs = check.documentation();
        let sections = [
            ("What it checks", &docs.what),
            ("Why it matters", &docs.why),
            ("How to fix it", &docs.fix),
            ("Limits", &docs.limits),
        ];
        for (name, text) in sections {
            if !text.ends_with('.') {
                wrong.push(format!("{}: `{name}` is missing or no sentence", check.id));
            }
        }
        if !names_itself(&docs.known_as) {
            wrong.push(format!(
                "{}: `Also known as` is missing, or an item is not `Source: name`",
                check.id
            ));
        }
        for alias in &docs.known_as {
            if !helps_search(alias, check.title) {
                wrong.push(format!("{}: alias {alias:?}", check.id));
            }
        }
        if docs.references.is_empty() {
            wrong.push(format!("{}: no references", check.id));
        }
        if check.title.ends_with('.') || check.title.len() > 70 {
            wrong.push(format!(
                "{}: the title is a headline of at most 70 bytes",
                check.id
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether there is a name from somewhere else, or one reason why there is none.
fn names_itself(known_as: &[String]) -> bool {
    let has_source = |item: &String| {
        let parts = item.split_once(": ");
        parts.is_some_and(|(source, name)| !source.is_empty() && !name.is_empty())
    };
    let reasons = known_as.iter().filter(|item| item.starts_with("None:"));
    let reasons = reasons.count();
    known_as.iter().all(has_source) && !known_as.is_empty() && (reasons == 0 || known_as.len() == 1)
}

/// Whether a common name is not the title again, and a name of Screaming Frog has its tab and filter.
fn helps_search(alias: &str, title: &str) -> bool {
    let words = |text: &str| {
        let words = text.to_lowercase();
        let words = words.split(|c: char| !c.is_alphanumeric());
        let mut words: Vec<_> = words
            .map(|word| word.trim_end_matches('s').to_owned())
            .collect();
        words.retain(|word| !word.is_empty());
        words.sort_unstable();
        words
    };
    match alias.split_once(": ") {
        Some(("Common name", name)) => words(name) != words(title),
        Some(("Screaming Frog", name)) => name.contains(": "),
        _ => true,
    }
}

#[test]
fn aliases_that_repeat_the_title_are_found() {
    assert!(!helps_search(
        "Common name: Redirect chain",
        "Redirect chains"
    ));
    assert!(!helps_search(
        "Screaming Frog: Missing H1",
        "Empty headings"
    ));
    assert!(helps_search("Common name: Spider trap", "Crawl trap"));
}

/// People act on the first sentence, which summaries quote alone.
#[test]
fn the_first_sentence_of_every_advice_says_what_to_do_on_its_own() {
    const REFERS: [&str; 5] = ["finding", "reported", "given", "named above", "this issue"];
    let unclear: Vec<_> = catalogue()
        .iter()
        .filter(|check| check.severity != Severity::Info)
        .map(|check| (check.id, first_sentence(&check.documentation().fix)))
        .filter(|(_, first)| {
            let mut refers = REFERS.iter();
            refers.any(|words| first.contains(words)) || first.split(' ').count() < 3
        })
        .collect();
    assert!(unclear.is_empty(), "{unclear:#?}");
}

#[test]
fn no_two_pieces_of_advice_begin_alike() {
    let mut seen = std::collections::HashMap::new();
    let mut alike = Vec::new();
    for check in catalogue() {
        let fix = check.documentation().fix;
        let beginning: Vec<_> = fix.split_whitespace().take(3).collect();
        if let Some(other) = seen.insert(beginning.join(" "), check.id) {
            alike.push(format!("{other} and {}: {}", check.id, beginning.join(" ")));
        }
    }
    assert!(alike.is_empty(), "{alike:#?}");
}

#[test]
fn titles_are_unique() {
    let mut seen = HashSet::new();
    for check in catalogue() {
        assert!(seen.insert(check.title), "{} occurs twice", check.title);
    }
}

#[test]
fn ids_are_unique_nouns_in_kebab_case() {
    let mut seen = HashSet::new();
    for check in catalogue() {
        assert!(seen.insert(check.id), "{} occurs twice", check.id);
        assert!(!check.id.starts_with("no-"), "{}", check.id);
        assert!(
            check
                .id
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{}",
            check.id
        );
    }
}

#[test]
fn every_dimension_has_a_check_that_applies_to_every_page() {
    let page = "<!doctype html><html lang=en><head><title>A page</title></head><body><p>Text.</p>";
    let recording = Recording::parse(&format!("=== /\n{page}")).unwrap();
    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let result = runtime
        .unwrap()
        .block_on(auditor.audit(RECORDING_BASE))
        .unwrap()
        .result;
    for dimension in Dimension::ALL {
        let scored = result.tallies.checks.iter().any(|tally| {
            tally.dimension == dimension && tally.severity != Severity::Info && tally.judged > 0
        });
        assert!(scored, "{dimension}");
    }
}

#[test]
fn there_are_at_least_forty_checks_and_five_in_every_dimension() {
    assert!(catalogue().len() >= 40, "{}", catalogue().len());
    for dimension in Dimension::ALL {
        let count = catalogue()
            .iter()
            .filter(|check| check.dimension == dimension)
            .count();
        assert!(count >= 5, "{dimension}: {count}");
    }
}
