//! A site that is audited again and again.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::action::testing::{ULID, at};
use crate::action::{MAX_EVIDENCE_PAGES, ObservationMode, PageKey, PageSeen};
use crate::report::testing::{finding, result};
use crate::report::{CrawlMode, Finding, Occurrence, Report, Unjudged, UnjudgedCheck, Variant};
use crate::run::Device;
use crate::score::DimensionWeights;

/// The checks that runs have.
pub(super) const CATALOGUE: [&str; 4] = ["image-alt", "broken-link", "hsts-missing", "orphan-page"];

/// Ids that count up. Those of the testkit implement the trait of another build of this crate.
#[derive(Default)]
struct Ids(AtomicU64);

impl IdSource for Ids {
    fn ulid(&self) -> String {
        format!("01KXZZ9Q80{:016}", self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn base62(&self, _: usize) -> String {
        String::new()
    }
}

/// One audit: what it found and what it saw.
#[derive(Debug, Clone)]
pub(super) struct Audit {
    pub(super) findings: Vec<Finding>,
    pub(super) audited: Vec<String>,
    pub(super) gone: Vec<String>,
    pub(super) complete: bool,
    pub(super) mode: CrawlMode,
    pub(super) unjudged: Vec<&'static str>,
    /// Checks that reached a limit and judged a part only.
    pub(super) limited: Vec<&'static str>,
    pub(super) catalogue: Vec<&'static str>,
    pub(super) started_at: i64,
    pub(super) now: i64,
}

impl Audit {
    /// A complete audit of these pages that begins at a time, takes ten seconds and finds nothing.
    pub(super) fn new(pages: &[&str], started_at: i64) -> Self {
        Self {
            findings: Vec::new(),
            audited: pages.iter().map(|page| url(page)).collect(),
            gone: Vec::new(),
            complete: true,
            mode: CrawlMode::Static,
            unjudged: Vec::new(),
            limited: Vec::new(),
            catalogue: CATALOGUE.to_vec(),
            started_at,
            now: started_at + 10,
        }
    }

    pub(super) fn found(mut self, finding: Finding) -> Self {
        self.findings.push(finding);
        self
    }

    pub(super) fn incomplete(mut self) -> Self {
        self.complete = false;
        self
    }

    fn report(&self) -> Report {
        let mut result = result(self.findings.clone());
        result.coverage.complete = self.complete;
        result.coverage.mode = self.mode;
        let unjudged = |checks: &[&str], why: Unjudged| {
            let checks = checks.iter().map(|check| UnjudgedCheck {
                check_id: (*check).to_owned(),
                dimension: crate::Dimension::Seo,
                why: why.clone(),
                count: 1,
            });
            checks.collect::<Vec<_>>()
        };
        let dark = Unjudged::CannotTell("it was dark".to_owned());
        let limited = Unjudged::Limited("there was too much".to_owned());
        result.unjudged = unjudged(&self.unjudged, dark);
        (result.unjudged).extend(unjudged(&self.limited, limited));
        Report::assemble(&result, Variant::Current, &DimensionWeights::default())
    }

    fn coverage(&self, report: &Report) -> RunCoverage {
        let seen = PageSeen::Audited(ObservationMode::new(self.mode, Device::Mobile));
        let audited = self.audited.iter().map(|url| (url.as_str(), seen));
        let gone = self.gone.iter().map(|url| (url.as_str(), PageSeen::Gone));
        RunCoverage::new(
            report,
            Device::Mobile,
            audited.chain(gone),
            self.catalogue.iter().copied(),
        )
    }
}

pub(super) fn url(page: &str) -> String {
    format!("https://example.com/{page}")
}

/// A serious finding of a check of pages on these pages.
pub(super) fn on(check_id: &str, pages: &[&str]) -> Finding {
    let affected = u64::try_from(pages.len()).unwrap();
    let mut finding = Finding {
        applicable: affected.max(10),
        occurrences_total: affected,
        pages: pages
            .iter()
            .map(|page| PageKey::from_url(&url(page)))
            .take(MAX_EVIDENCE_PAGES)
            .collect(),
        ..finding(check_id)
    }
    .on(affected);
    for cause in &mut finding.causes {
        let place = cause.occurrences[0].clone();
        cause.occurrences_total = affected;
        cause.occurrences = pages
            .iter()
            .map(|page| Occurrence {
                url: url(page),
                ..place.clone()
            })
            .collect();
    }
    finding
}

/// A site with its items.
#[derive(Default)]
pub(super) struct Scenario {
    pub(super) items: Vec<TrackedItem>,
    pub(super) comments: Vec<String>,
    ids: Ids,
}

impl Scenario {
    /// Audits the site, and applies what that changes, as a store does.
    pub(super) fn audit(&mut self, audit: &Audit) -> Reconciliation {
        let report = audit.report();
        let coverage = audit.coverage(&report);
        let facts = RunFacts {
            run_id: &RunId::parse(&format!("run_{ULID}")).unwrap(),
            report_id: &ReportId::parse(&format!("rep_{ULID}")).unwrap(),
            site_id: &SiteId::parse(&format!("site_{ULID}")).unwrap(),
            started_at: at(audit.started_at),
            now: at(audit.now),
            coverage: &coverage,
        };
        let reconciled = reconcile(&self.items, &report.issues, &facts, &self.ids);
        assert_eq!(reconciled.action_ids.len(), report.issues.len());
        for change in reconciled.changes.clone() {
            self.apply(change);
        }
        reconciled
    }

    fn item_mut(&mut self, id: &ActionId) -> &mut TrackedItem {
        self.items.iter_mut().find(|item| item.id == *id).unwrap()
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Open(new) => self.items.push(TrackedItem {
                id: new.id,
                check_id: new.audit.check_id,
                status: ActionStatus::Open,
                resolved_at: None,
                verified_at: None,
                waived_at: None,
                evidence: new.evidence,
            }),
            Change::Refresh { id, evidence, .. } => self.item_mut(&id).evidence = evidence,
            Change::Verify {
                id,
                resolved_at,
                verified_at,
                comment,
            } => {
                let item = self.item_mut(&id);
                item.status = ActionStatus::Done;
                item.resolved_at = Some(resolved_at);
                item.verified_at = Some(verified_at);
                self.comments.push(comment.body.as_str().to_owned());
            }
            Change::Dismiss {
                id,
                evidence,
                at,
                comment,
                ..
            } => {
                let item = self.item_mut(&id);
                item.status = ActionStatus::Dismissed;
                item.resolved_at = Some(at);
                item.waived_at = Some(at);
                item.evidence = evidence;
                self.comments.push(comment.body.as_str().to_owned());
            }
            Change::Reopen {
                id,
                evidence,
                comment,
                ..
            } => {
                let item = self.item_mut(&id);
                item.status = ActionStatus::Open;
                item.resolved_at = None;
                item.verified_at = None;
                item.evidence = evidence;
                self.comments.push(comment.body.as_str().to_owned());
            }
        }
    }

    /// A person sets the status of the first item. The status that it has is no change.
    pub(super) fn set(&mut self, status: ActionStatus, seconds: i64) {
        if self.items[0].status == status {
            return;
        }
        self.items[0].status = status;
        self.items[0].resolved_at = status.is_resolved().then(|| at(seconds));
        self.items[0].verified_at = None;
    }

    /// The status of the only item.
    pub(super) fn status(&self) -> ActionStatus {
        assert_eq!(self.items.len(), 1);
        self.items[0].status
    }
}
