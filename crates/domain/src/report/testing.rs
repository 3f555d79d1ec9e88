//! Results for tests.

use super::{AuditResult, Coverage, CrawlMode, Finding, FindingCause, Occurrence};
use crate::SubjectKind;
use crate::page_key::PageKey;
use crate::score::Tallies;
use crate::{Confidence, Dimension, Severity};

pub(crate) fn coverage(pages: u64) -> Coverage {
    Coverage {
        mode: CrawlMode::Static,
        complete: true,
        stopped_by: None,
        pages_discovered: pages,
        pages_fetched: pages,
        pages_audited: pages,
        pages_rendered: 0,
        measured: Vec::new(),
        requests: pages + 2,
        skipped: Vec::new(),
    }
}

/// A serious finding of accessibility on one of ten pages.
pub(crate) fn finding(check_id: &str) -> Finding {
    Finding {
        check_id: check_id.to_owned(),
        dimension: Dimension::Accessibility,
        severity: Severity::Serious,
        confidence: Confidence::High,
        effort: "small".to_owned(),
        title: format!("Finding of {check_id}"),
        why: "People are hindered.".to_owned(),
        fix: format!("Repair {check_id}. Then look again."),
        references: Vec::new(),
        affected: 1,
        applicable: 10,
        subject: SubjectKind::Page,
        pages: [PageKey::from_url("https://example.com/")].into(),
        occurrences_total: 1,
        waived: 0,
        causes_total: 1,
        causes: vec![FindingCause {
            key: String::new(),
            title: format!("Finding of {check_id}"),
            affected: 1,
            occurrences_total: 1,
            waived: 0,
            occurrences: vec![Occurrence {
                url: "https://example.com/".to_owned(),
                selector: None,
                snippet: None,
                line: None,
                message: "This is wrong.".to_owned(),
                waiver: None,
                artifact: None,
            }],
        }],
    }
}

impl Finding {
    /// The finding on so many subjects, all by its only cause.
    pub(crate) fn on(mut self, affected: u64) -> Self {
        self.affected = affected;
        for cause in &mut self.causes {
            cause.affected = affected;
        }
        self
    }

    /// The finding with all its occurrences accepted by a waiver.
    pub(crate) fn waived(mut self) -> Self {
        self.waived = self.occurrences_total;
        for cause in &mut self.causes {
            cause.waived = cause.occurrences_total;
        }
        self
    }

    /// The finding with these causes instead of its only one, all on the same subjects, so that no
    /// one of them regains anything alone.
    pub(crate) fn with_causes(mut self, keys: &[&str]) -> Self {
        let only = self.causes[0].clone();
        self.causes = keys
            .iter()
            .map(|key| FindingCause {
                key: (*key).to_owned(),
                title: format!("{}: {key}", self.title),
                ..only.clone()
            })
            .collect();
        self.causes_total = u64::try_from(keys.len()).unwrap();
        self.occurrences_total = self
            .causes
            .iter()
            .map(|cause| cause.occurrences_total)
            .sum();
        self
    }
}

/// Ten pages, one clean check in each dimension, and these findings.
pub(crate) fn result(findings: Vec<Finding>) -> AuditResult {
    let tallies = Dimension::ALL
        .into_iter()
        .rev()
        .fold(Tallies::of_findings(10, &findings), |tallies, dimension| {
            tallies.with_passed(dimension.as_str(), dimension, 10)
        });
    AuditResult {
        requested_url: "https://example.com/".to_owned(),
        url: "https://example.com/".to_owned(),
        coverage: coverage(10),
        tallies,
        caps: Vec::new(),
        findings,
        waivers: Vec::new(),
        unjudged: Vec::new(),
        pages: Vec::new(),
        links: crate::report::SiteLinks::default(),
        catalogue: Vec::new(),
        engine_version: "0.1.0".to_owned(),
        catalogue_version: "1".to_owned(),
        artifacts: Vec::new(),
    }
}
