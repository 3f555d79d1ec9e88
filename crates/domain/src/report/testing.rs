//! Results for tests.

use super::{AuditResult, Coverage, CrawlMode, Finding, FindingCause, Occurrence, SubjectKind};
use crate::page_key::PageKey;
use crate::score::CheckTally;
use crate::{Confidence, Dimension, Severity};

pub(crate) fn coverage(pages: u64) -> Coverage {
    Coverage {
        mode: CrawlMode::Static,
        complete: true,
        stopped_by: None,
        pages_discovered: pages,
        pages_fetched: pages,
        pages_audited: pages,
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
        causes_total: 1,
        causes: vec![FindingCause {
            key: String::new(),
            title: format!("Finding of {check_id}"),
            affected: 1,
            sole_lost_hundredths: 100,
            occurrences_total: 1,
            occurrences: vec![Occurrence {
                url: "https://example.com/".to_owned(),
                selector: None,
                snippet: None,
                line: None,
                message: "This is wrong.".to_owned(),
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
            cause.sole_lost_hundredths = affected * 100;
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
                sole_lost_hundredths: if keys.len() == 1 {
                    only.sole_lost_hundredths
                } else {
                    0
                },
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

/// The tally that goes with a finding.
pub(crate) fn tally_of(finding: &Finding) -> CheckTally {
    CheckTally {
        check_id: finding.check_id.clone(),
        dimension: finding.dimension,
        weight: finding.severity.weight(),
        applicable: finding.applicable,
        affected: finding.affected,
        lost_hundredths: finding.affected * 100,
    }
}

/// A check of a dimension that found nothing on ten pages.
pub(crate) fn clean(check_id: &str, dimension: Dimension) -> CheckTally {
    CheckTally {
        check_id: check_id.to_owned(),
        dimension,
        weight: 7,
        applicable: 10,
        affected: 0,
        lost_hundredths: 0,
    }
}

/// Ten pages, one clean check in each dimension, and these findings.
pub(crate) fn result(findings: Vec<Finding>) -> AuditResult {
    let clean = Dimension::ALL.map(|dimension| clean(dimension.as_str(), dimension));
    AuditResult {
        requested_url: "https://example.com/".to_owned(),
        url: "https://example.com/".to_owned(),
        coverage: coverage(10),
        tallies: clean
            .into_iter()
            .chain(findings.iter().map(tally_of))
            .collect(),
        caps: Vec::new(),
        findings,
        unjudged: Vec::new(),
        pages: Vec::new(),
        catalogue: Vec::new(),
        engine_version: "0.1.0".to_owned(),
        catalogue_version: "1".to_owned(),
    }
}
