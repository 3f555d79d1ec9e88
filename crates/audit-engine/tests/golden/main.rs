//! A clean site with a page of every kind, of which nothing at all is found, and one change at a time
//! to it: each raises exactly the checks that it should, and many raise none. So a check is silent
//! where nothing is wrong, and no cause is told twice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where something is not as expected"
)]

mod accessibility;
mod ai_readiness;
mod content;
mod performance;
mod security;
mod seo;
mod site;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::checks::catalogue;
use audit_engine::gather::{RECORDING_BASE, Recording};
use audit_engine::{AuditOptions, Auditor};
use domain::Dimension;
use rstest::rstest;

use site::Site;

/// Where something is replaced, what, and by what.
///
/// The place is a section of the site, or `*` for every page. Nothing replaced stands for the whole
/// section, which is new where the site has none.
type Edit = (&'static str, &'static str, &'static str);

/// A change to the clean site, and the checks that it raises.
#[derive(Debug, Clone, Copy)]
struct Change {
    edit: Edit,
    more: &'static [Edit],
    raises: &'static [&'static str],
}

/// A change at one place.
const fn change(
    place: &'static str,
    from: &'static str,
    to: &'static str,
    raises: &'static [&'static str],
) -> Change {
    Change {
        edit: (place, from, to),
        more: &[],
        raises,
    }
}

impl Change {
    /// The same with further edits, which one cause needs to be written down.
    const fn with(mut self, more: &'static [Edit]) -> Self {
        self.more = more;
        self
    }
}

/// The tables, each cut into as many parts as run side by side.
fn table(dimension: Dimension) -> &'static [Change] {
    match dimension {
        Dimension::Accessibility => accessibility::CHANGES,
        Dimension::AiReadiness => ai_readiness::CHANGES,
        Dimension::Content => content::CHANGES,
        Dimension::Performance => performance::CHANGES,
        Dimension::Security => security::CHANGES,
        Dimension::Seo => seo::CHANGES,
    }
}

const PARTS: usize = 4;

/// Checks that no change to a recorded site can raise, with the reason.
const NOT_RAISED: &[(&str, &str)] = &[
    ("https-missing", "the clean site is on https"),
    (
        "tls-cert-invalid",
        "a site on https with such a certificate cannot be audited at all",
    ),
];

/// What is found, check by check, with the first message of each.
fn found(site: &str) -> Vec<(&'static str, String)> {
    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    };
    let recording = Recording::parse(site).unwrap();
    let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let audit = runtime.unwrap().block_on(auditor.audit(RECORDING_BASE));
    let result = match audit {
        Ok(audit) => audit.result,
        Err(error) => return vec![("audit", error.to_string())],
    };
    catalogue()
        .into_iter()
        .filter_map(|check| {
            let finding = result.findings.iter().find(|f| f.check_id == check.id)?;
            let places: Vec<String> = finding
                .occurrences()
                .take(2)
                .map(|place| format!("{}: {}", place.url, place.message))
                .collect();
            Some((check.id, places.join(" | ")))
        })
        .collect()
}

/// Says in words what a change raised against what it should, or nothing where they agree.
fn disagreement(clean: &Site, change: &Change) -> Option<String> {
    let mut site = clean.clone();
    for (place, from, to) in std::iter::once(&change.edit).chain(change.more) {
        if let Err(wrong) = site.edit(place, from, to) {
            return Some(format!("\n{:?}\n  {wrong}", change.edit));
        }
    }
    let found = found(&site.to_string());
    let ids: BTreeSet<&str> = found.iter().map(|(id, _)| *id).collect();
    let expected: BTreeSet<&str> = change.raises.iter().copied().collect();
    if ids == expected {
        return None;
    }
    let mut text = format!("\n{:?}", change.edit);
    for missing in expected.difference(&ids) {
        text.push_str(&format!("\n  not raised: {missing}"));
    }
    for (id, places) in found.iter().filter(|(id, _)| !expected.contains(id)) {
        text.push_str(&format!("\n  raised: {id}: {places}"));
    }
    Some(text)
}

#[test]
fn nothing_is_found_on_the_clean_site() {
    assert_eq!(found(&Site::clean().to_string()), []);
}

#[rstest]
fn a_change_raises_exactly_what_it_should(
    #[values(
        Dimension::Accessibility,
        Dimension::AiReadiness,
        Dimension::Content,
        Dimension::Performance,
        Dimension::Security,
        Dimension::Seo
    )]
    dimension: Dimension,
    #[values(0, 1, 2, 3)] part: usize,
) {
    let clean = Site::clean();
    let wrong: Vec<String> = table(dimension)
        .iter()
        .skip(part)
        .step_by(PARTS)
        .filter_map(|change| disagreement(&clean, change))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} changes:{}",
        wrong.len(),
        wrong.concat()
    );
}

#[test]
fn every_check_is_raised_by_a_change_or_said_not_to_be() {
    let changes: Vec<&Change> = Dimension::ALL
        .iter()
        .flat_map(|dimension| table(*dimension))
        .collect();
    assert!(changes.len() >= 300, "{} changes", changes.len());
    let raised: BTreeSet<&str> = changes
        .iter()
        .flat_map(|change| change.raises)
        .copied()
        .collect();
    let excused: BTreeSet<&str> = NOT_RAISED.iter().map(|(id, _)| *id).collect();
    let missing: Vec<&str> = catalogue()
        .into_iter()
        .map(|check| check.id)
        .filter(|id| raised.contains(id) == excused.contains(id))
        .collect();
    assert_eq!(missing, [""; 0]);
}
