//! A clean site with a page of every kind and no findings, and single changes to it: each change
//! fails exactly the expected checks, and many fail none. So checks report no false positives on the
//! clean site, and one cause is not reported twice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

mod accessibility;
mod ai_readiness;
mod content;
mod laws;
mod performance;
mod security;
mod seo;
mod waivers;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::check::{Check, Need};
use audit_engine::checks::catalogue;
use audit_engine::gather::{RECORDING_BASE, Recording};
use audit_engine::{AuditOptions, Auditor};
use domain::Dimension;
use domain::report::AuditResult;
use domain::waiver::AuditWaivers;
use rstest::rstest;
use testkit::golden::GoldenSite;

/// The place of a replacement, the old text, and the new text.
///
/// The place is a section of the site, or `*` for every page. An empty old text means the whole
/// section, which is added if the site has none.
type Edit = (&'static str, &'static str, &'static str);

/// A change to the clean site, and the checks that fail because of it.
#[derive(Debug, Clone, Copy)]
struct Change {
    edit: Edit,
    more: &'static [Edit],
    raises: &'static [&'static str],
}

/// A change in one place.
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
    /// The same change with further edits that its cause requires.
    const fn with(mut self, more: &'static [Edit]) -> Self {
        self.more = more;
        self
    }

    fn edits(&self) -> impl Iterator<Item = &Edit> {
        std::iter::once(&self.edit).chain(self.more)
    }

    /// Makes the change, or says which of its texts the site has not.
    fn apply(&self, site: &mut GoldenSite) -> Result<(), String> {
        self.edits()
            .try_for_each(|(place, from, to)| site.edit(place, from, to))
    }
}

/// The changes of a dimension.
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

/// Checks that no change to a recorded site can make fail, with the reason.
const NOT_RAISED: &[(&str, &str)] = &[
    ("https-missing", "the clean site is on https"),
    (
        "tls-cert-invalid",
        "a site on https with such a certificate cannot be audited at all",
    ),
];

/// The result of an audit with these checks, or with the whole catalogue.
fn audit(site: &str, only: Option<Vec<&'static Check>>) -> Result<AuditResult, String> {
    audit_with_waivers(site, only, AuditWaivers::default())
}

/// The same with waivers.
fn audit_with_waivers(
    site: &str,
    only: Option<Vec<&'static Check>>,
    waivers: AuditWaivers,
) -> Result<AuditResult, String> {
    let options = AuditOptions {
        waivers,
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        only,
        ..AuditOptions::default()
    };
    let recording = Recording::parse(site).unwrap();
    let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let audit = runtime.unwrap().block_on(auditor.audit(RECORDING_BASE));
    audit
        .map(|audit| audit.result)
        .map_err(|error| error.to_string())
}

/// The failed checks, with the first message of each.
fn found(result: &Result<AuditResult, String>) -> Vec<(&'static str, String)> {
    let result = match result {
        Ok(result) => result,
        Err(error) => return vec![("audit", error.clone())],
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

/// Describes how the failed checks differ from the expected ones; `None` if they agree.
fn describe_difference(clean: &GoldenSite, change: &Change) -> Option<String> {
    let mut site = clean.clone();
    if let Err(wrong) = change.apply(&mut site) {
        return Some(format!("\n{:?}\n  {wrong}", change.edit));
    }
    let result = audit(&site.to_string(), None);
    let found = found(&result);
    let ids: BTreeSet<&str> = found.iter().map(|(id, _)| *id).collect();
    let expected: BTreeSet<&str> = change.raises.iter().copied().collect();
    let prices = result
        .as_ref()
        .map(|result| laws::wrong_prices(change, result))
        .unwrap_or_default();
    if ids == expected && prices.is_empty() {
        return None;
    }
    let mut text = format!("\n{:?}{prices}", change.edit);
    for missing in expected.difference(&ids) {
        text.push_str(&format!("\n  not raised: {missing}"));
    }
    for (id, places) in found.iter().filter(|(id, _)| !expected.contains(id)) {
        text.push_str(&format!("\n  raised: {id}: {places}"));
    }
    Some(text)
}

#[test]
fn the_clean_site_has_no_findings() {
    let result = audit(&GoldenSite::clean().to_string(), None);
    assert_eq!(found(&result), []);
}

#[rstest]
fn a_change_fails_exactly_the_expected_checks(
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
    let clean = GoldenSite::clean();
    let wrong: Vec<String> = table(dimension)
        .iter()
        .skip(part)
        .step_by(PARTS)
        .filter_map(|change| describe_difference(&clean, change))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} changes:{}",
        wrong.len(),
        wrong.concat()
    );
}

#[test]
fn every_check_fails_for_a_change_or_is_excused() {
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
    // The golden sites are audited without a browser. Checks that need one have their examples tested in Chromium.
    let missing: Vec<&str> = catalogue()
        .into_iter()
        .filter(|check| !check.needs(Need::Browser))
        .map(|check| check.id)
        .filter(|id| raised.contains(id) == excused.contains(id))
        .collect();
    assert_eq!(missing, [""; 0]);
}
