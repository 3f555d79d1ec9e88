//! What a check found, as its report shows it.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{Coverage, Finding, IssueCause, IssueState, advice_for, cause_gain, repeated};
use crate::SubjectKind;
use crate::page_key::PageKey;
use crate::score::Ledger;
use crate::{Confidence, Dimension, Severity};

mod description;

/// What a check found, with its causes: one thing to fix.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Issue {
    /// The check that found it.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// The severity.
    pub severity: Severity,
    /// How sure the check is.
    pub confidence: Confidence,
    /// How much work a fix usually is: `small`, `medium` or `large`.
    pub effort: String,
    /// The check's title: a headline without a full stop.
    pub title: String,
    /// Where and how often it was found, and why it matters.
    pub description: String,
    /// Why it matters, alone.
    pub why: String,
    /// How to fix it, with the address of the site in its examples.
    pub recommendation: String,
    /// Standards and sources.
    pub references: Vec<String>,
    /// Subjects that failed the check.
    pub affected: u64,
    /// Subjects the check was applied to.
    pub applicable: u64,
    /// What the subjects are.
    pub subject: SubjectKind,
    /// The pages it was found on: exact for page checks, else the different URLs among the
    /// occurrences kept.
    pub affected_pages: u64,
    /// The pages it was found on, for a check of pages, at most [`MAX_EVIDENCE_PAGES`]; else empty,
    /// and empty in a report that was stored.
    ///
    /// [`MAX_EVIDENCE_PAGES`]: crate::action::MAX_EVIDENCE_PAGES
    pub pages: BTreeSet<PageKey>,
    /// The points the overall score gains if this issue alone is fixed, to two decimals.
    pub score_impact: f64,
    /// Whether the site's report before had it; none before a report is stored, and on the first.
    pub state: Option<IssueState>,
    /// How many of its occurrences a waiver accepts.
    pub waived: u64,
    /// The total number of occurrences, including those that are not stored.
    pub occurrences_total: u64,
    /// The total number of causes, including those that are not stored.
    pub causes_total: u64,
    /// The causes at hand, largest first; never none.
    pub causes: Vec<IssueCause>,
}

impl Issue {
    pub(super) fn new(
        finding: &Finding,
        site: &str,
        ledger: &Ledger<'_>,
        coverage: &Coverage,
    ) -> Self {
        let mut causes: Vec<_> = finding
            .causes
            .iter()
            .map(|cause| IssueCause::new(finding.subject, cause, &finding.check_id))
            .collect();
        let score_impact = ledger.gain(&finding.check_id);
        let open = finding.occurrences_total.saturating_sub(finding.waived);
        cause_gain::divide(score_impact, open, &mut causes);
        causes.sort_by(IssueCause::largest_first);
        Self {
            check_id: finding.check_id.clone(),
            dimension: finding.dimension,
            severity: finding.severity,
            confidence: finding.confidence,
            effort: finding.effort.clone(),
            title: finding.title.clone(),
            description: description::describe(finding, coverage),
            why: finding.why.clone(),
            recommendation: advice_for(&finding.fix, site),
            references: finding.references.clone(),
            affected: finding.affected,
            applicable: finding.applicable,
            subject: finding.subject,
            affected_pages: affected_pages(finding),
            pages: finding.pages.clone(),
            score_impact,
            state: None,
            waived: finding.waived,
            occurrences_total: finding.occurrences_total,
            causes_total: finding.causes_total,
            causes,
        }
    }

    /// Whether waivers accept all of its occurrences, so that nothing is to be done.
    #[must_use]
    pub const fn is_waived(&self) -> bool {
        self.waived > 0 && self.waived >= self.occurrences_total
    }

    /// How many of its occurrences no waiver accepts.
    #[must_use]
    pub const fn open_occurrences(&self) -> u64 {
        self.occurrences_total.saturating_sub(self.waived)
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
            waived: self.waived,
        }
        .sentence(coverage)
    }

    /// The order of a report: points to gain, then severity, then the check's id.
    #[must_use]
    pub fn most_gain_first(&self, other: &Self) -> Ordering {
        (other.score_impact.total_cmp(&self.score_impact))
            .then_with(|| self.severity.cmp(&other.severity))
            .then_with(|| self.check_id.cmp(&other.check_id))
    }

    /// The checks whose findings it repeats, in the order of its causes; empty for an issue with findings of its own.
    pub fn repeated_checks(&self) -> impl Iterator<Item = &str> {
        self.causes
            .iter()
            .filter_map(|cause| repeated(&cause.message))
    }

    /// The message, where all occurrences at hand have the same.
    #[must_use]
    pub fn shared_message(&self) -> Option<&str> {
        let causes = self.causes.iter();
        shared(causes.flat_map(|cause| cause.occurrences.iter().map(|found| &*found.message)))
    }
}

/// The text, where all are the same.
fn shared<'a>(mut texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = texts.next()?;
    texts.all(|text| text == first).then_some(first)
}

fn affected_pages(finding: &Finding) -> u64 {
    if finding.subject == SubjectKind::Page {
        return finding.affected;
    }
    let is_waived = finding.waived >= finding.occurrences_total;
    let occurrences = finding.causes.iter().flat_map(|cause| &cause.occurrences);
    let shown = occurrences.filter(|found| is_waived || found.waiver.is_none());
    let urls: BTreeSet<_> = shown.map(|found| &found.url).collect();
    u64::try_from(urls.len()).unwrap_or(u64::MAX)
}
