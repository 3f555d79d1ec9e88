//! Reports.

use domain::id::{IssueId, OrgId, ReportId};
use domain::ports::{IssueIdentity, ReportStore, StoreError, StoredReport};
use domain::report::{INLINE_OCCURRENCES, Issue, Occurrence, Variant};

use super::MemoryStores;
use super::state::{KeptReport, OccurrenceKey, State};

impl KeptReport {
    /// The place of an issue of either variant in the current one, and its id.
    fn place(&self, issue: &Issue) -> Option<(u32, &IssueId)> {
        let issues = &self.completed.reports.current.issues;
        (0_u32..)
            .zip(issues)
            .zip(&self.completed.issue_ids)
            .find(|((_, known), _)| known.fingerprint == issue.fingerprint)
            .map(|((place, _), id)| (place, id))
    }
}

impl State {
    /// The first occurrences of an issue.
    fn first_occurrences(&self, kept: &KeptReport, issue: u32) -> Vec<Occurrence> {
        let at = |ordinal| OccurrenceKey {
            run: kept.run.clone(),
            epoch: kept.epoch,
            issue,
            ordinal,
        };
        self.occurrences
            .range(at(0)..=at(u32::MAX))
            .take(INLINE_OCCURRENCES)
            .map(|(_, occurrence)| occurrence.clone())
            .collect()
    }
}

impl ReportStore for MemoryStores {
    fn report(
        &self,
        org: &OrgId,
        report: &ReportId,
        variant: Variant,
    ) -> Result<Option<StoredReport>, StoreError> {
        let state = self.open()?;
        let Some(kept) = state.reports.get(report) else {
            return Ok(None);
        };
        let Some(run) = state.run(org, &kept.run) else {
            return Ok(None);
        };
        let mut content = match variant {
            Variant::Current => kept.completed.reports.current.clone(),
            Variant::Legacy => kept.completed.reports.legacy.clone(),
        };
        let mut issues = Vec::new();
        for issue in &mut content.issues {
            let (place, id) = kept
                .place(issue)
                .ok_or_else(|| StoreError::Failed(format!("{} has no id", issue.fingerprint)))?;
            issue.occurrences = state.first_occurrences(kept, place);
            issues.push(IssueIdentity {
                issue_id: id.clone(),
                action_id: None,
            });
        }
        Ok(Some(StoredReport {
            id: report.clone(),
            run_id: run.id.clone(),
            site_id: run.site_id.clone(),
            created_at: kept.created_at,
            report: content,
            issues,
        }))
    }
}
