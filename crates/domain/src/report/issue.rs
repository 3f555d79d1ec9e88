//! A finding as its report shows it.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::{Coverage, Finding, Occurrence, SubjectKind};
use crate::score::Ledger;
use crate::{Confidence, Dimension, Severity};

mod description;

/// One thing to fix.
#[derive(Debug, Clone, PartialEq)]
pub struct Issue {
    /// The check that found it.
    pub check_id: String,
    /// What is the same for this check and cause in every run: 32 hexadecimal digits.
    pub fingerprint: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// How much it hurts.
    pub severity: Severity,
    /// How sure the check is.
    pub confidence: Confidence,
    /// How much work a fix usually is: `small`, `medium` or `large`.
    pub effort: String,
    /// What tells this cause from the check's others; empty where it has only one.
    pub cause: String,
    /// What was found, as a headline without a full stop.
    pub title: String,
    /// Where and how often it was found, and why it matters.
    pub description: String,
    /// Why it matters, by itself.
    pub why: String,
    /// How to fix it.
    pub recommendation: String,
    /// Standards and sources.
    pub references: Vec<String>,
    /// Subjects with this cause.
    pub affected: u64,
    /// Subjects the check was applied to.
    pub applicable: u64,
    /// What the subjects are.
    pub subject: SubjectKind,
    /// The pages it was found on: exact for page checks, else the different URLs among the
    /// occurrences kept.
    pub affected_pages: u64,
    /// The points the overall score gains if this alone is fixed, to two decimals.
    pub score_impact: f64,
    /// How often it occurs, whatever the number kept.
    pub occurrences_total: u64,
    /// The places kept, in the order of the pages.
    pub occurrences: Vec<Occurrence>,
}

impl Issue {
    pub(super) fn of(finding: &Finding, ledger: &Ledger<'_>, coverage: &Coverage) -> Self {
        Self {
            check_id: finding.check_id.clone(),
            fingerprint: fingerprint(&finding.check_id, &finding.cause),
            dimension: finding.dimension,
            severity: finding.severity,
            confidence: finding.confidence,
            effort: finding.effort.clone(),
            cause: finding.cause.clone(),
            title: finding.title.clone(),
            description: description::describe(finding, coverage),
            why: finding.why.clone(),
            recommendation: finding.fix.clone(),
            references: finding.references.clone(),
            affected: finding.affected,
            applicable: finding.applicable,
            subject: finding.subject,
            affected_pages: affected_pages(finding),
            score_impact: ledger.gain(&finding.check_id, finding.sole_lost_hundredths),
            occurrences_total: finding.occurrences_total,
            occurrences: finding.occurrences.clone(),
        }
    }

    /// Where and how often it was found, as one sentence; empty for what is found once on the
    /// whole site.
    #[must_use]
    pub fn extent(&self, coverage: &Coverage) -> String {
        description::Extent {
            subject: self.subject,
            affected: self.affected,
            applicable: self.applicable,
            occurrences: self.occurrences_total,
        }
        .sentence(coverage)
    }

    /// The order of a report: severity, points to gain, reach, then names.
    #[must_use]
    pub fn worst_first(&self, other: &Self) -> Ordering {
        self.severity
            .cmp(&other.severity)
            .then_with(|| other.score_impact.total_cmp(&self.score_impact))
            .then_with(|| other.affected.cmp(&self.affected))
            .then_with(|| self.check_id.cmp(&other.check_id))
            .then_with(|| self.cause.cmp(&other.cause))
    }
}

fn affected_pages(finding: &Finding) -> u64 {
    if finding.subject == SubjectKind::Page {
        return finding.affected;
    }
    let urls: BTreeSet<_> = finding.occurrences.iter().map(|place| &place.url).collect();
    u64::try_from(urls.len()).unwrap_or(u64::MAX)
}

fn fingerprint(check_id: &str, cause: &str) -> String {
    Sha256::digest(format!("{check_id}\n{cause}"))
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_never_change() {
        // printf 'image-alt\n' | sha256sum | head -c 32
        assert_eq!(
            fingerprint("image-alt", ""),
            "6041cb075c50d2a98e5699444de82215"
        );
        assert_ne!(fingerprint("image-alt", "a"), fingerprint("image-alt", ""));
    }
}
