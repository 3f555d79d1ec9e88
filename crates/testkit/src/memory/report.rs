//! Reports.

use domain::id::{ActionId, IssueId, OrgId, ReportId};
use domain::ports::{
    IssueIdentity, OccurrencePage, ReportStore, StoreError, StoredReport, VisitPage,
};
use domain::report::{
    INLINE_OCCURRENCES, Issue, Occurrence, OccurrenceCursor, PageCursor, Variant,
};

use super::MemoryStores;
use super::state::{KeptReport, OccurrenceKey, PageKey, State};

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

    /// The item of the issue at a place.
    fn action_at(&self, place: u32) -> Option<ActionId> {
        let place = usize::try_from(place).ok()?;
        self.action_ids.get(place).cloned().flatten()
    }
}

impl State {
    /// The occurrences of an issue that are kept, with their ordinals.
    fn occurrences_of(
        &self,
        kept: &KeptReport,
        issue: u32,
    ) -> impl Iterator<Item = (u32, &Occurrence)> {
        let at = |ordinal| OccurrenceKey {
            run: kept.run.clone(),
            epoch: kept.epoch,
            issue,
            ordinal,
        };
        let range = self.occurrences.range(at(0)..=at(u32::MAX));
        range.map(|(key, occurrence)| (key.ordinal, occurrence))
    }

    /// The issues of a report in the shape of a variant, with their first occurrences.
    pub(super) fn issues_of(
        &self,
        kept: &KeptReport,
        variant: Variant,
    ) -> Vec<(Issue, IssueIdentity)> {
        let shown = match variant {
            Variant::Current => &kept.completed.reports.current,
            Variant::Legacy => &kept.completed.reports.legacy,
        };
        let issues = shown.issues.iter().filter_map(|issue| {
            let (place, id) = kept.place(issue)?;
            let mut issue = issue.clone();
            issue.occurrences = self.first_occurrences(kept, place);
            let identity = IssueIdentity {
                issue_id: id.clone(),
                action_id: kept.action_at(place),
            };
            Some((issue, identity))
        });
        issues.collect()
    }

    /// The first occurrences of an issue.
    fn first_occurrences(&self, kept: &KeptReport, issue: u32) -> Vec<Occurrence> {
        let all = self.occurrences_of(kept, issue);
        all.take(INLINE_OCCURRENCES)
            .map(|(_, occurrence)| occurrence.clone())
            .collect()
    }

    fn page_of_occurrences(
        &self,
        kept: &KeptReport,
        (place, issue): (u32, &Issue),
        after: Option<OccurrenceCursor>,
        limit: u32,
    ) -> OccurrencePage {
        let all = self.occurrences_of(kept, place);
        let stored = self.occurrences_of(kept, place).count();
        let mut rest: Vec<_> = all
            .filter(|(ordinal, _)| after.is_none_or(|cursor| *ordinal > cursor.ordinal))
            .collect();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let goes_on = rest.len() > limit;
        rest.truncate(limit);
        let last = rest.last().filter(|_| goes_on);
        OccurrencePage {
            next: last.map(|&(ordinal, _)| OccurrenceCursor { ordinal }),
            occurrences: rest.into_iter().map(|(_, known)| known.clone()).collect(),
            total: issue.occurrences_total,
            stored: u64::try_from(stored).unwrap_or(u64::MAX),
        }
    }

    fn page_of_visits(
        &self,
        kept: &KeptReport,
        after: Option<PageCursor>,
        limit: u32,
    ) -> VisitPage {
        let at = |position| PageKey {
            run: kept.run.clone(),
            epoch: kept.epoch,
            position,
        };
        let all = self.pages.range(at(0)..=at(u32::MAX));
        let mut rest: Vec<_> = all
            .filter(|(key, _)| after.is_none_or(|cursor| key.position > cursor.position))
            .collect();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let goes_on = rest.len() > limit;
        rest.truncate(limit);
        let last = rest.last().filter(|_| goes_on);
        VisitPage {
            next: last.map(|(key, _)| PageCursor {
                position: key.position,
            }),
            visits: rest.into_iter().map(|(_, visit)| visit.clone()).collect(),
        }
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
        let issues;
        (content.issues, issues) = state.issues_of(kept, variant).into_iter().unzip();
        Ok(Some(StoredReport {
            id: report.clone(),
            run_id: run.id.clone(),
            site_id: run.site_id.clone(),
            created_at: kept.created_at,
            report: content,
            issues,
        }))
    }

    fn occurrences(
        &self,
        org: &OrgId,
        (report, issue): (&ReportId, &IssueId),
        variant: Variant,
        after: Option<OccurrenceCursor>,
        limit: u32,
    ) -> Result<Option<OccurrencePage>, StoreError> {
        let state = self.open()?;
        let kept = state.reports.get(report);
        let Some(kept) = kept.filter(|kept| state.run(org, &kept.run).is_some()) else {
            return Ok(None);
        };
        let completed = &kept.completed;
        let shown = match variant {
            Variant::Current => &completed.reports.current,
            Variant::Legacy => &completed.reports.legacy,
        };
        let mut issues = shown.issues.iter().filter_map(|content| {
            let (place, id) = kept.place(content)?;
            (id == issue).then_some((place, content))
        });
        let found = issues.next();
        Ok(found.map(|place| state.page_of_occurrences(kept, place, after, limit)))
    }

    fn pages(
        &self,
        org: &OrgId,
        report: &ReportId,
        after: Option<PageCursor>,
        limit: u32,
    ) -> Result<Option<VisitPage>, StoreError> {
        let state = self.open()?;
        let kept = state.reports.get(report);
        let kept = kept.filter(|kept| state.run(org, &kept.run).is_some());
        Ok(kept.map(|kept| state.page_of_visits(kept, after, limit)))
    }

    fn org_of_report(&self, report: &ReportId) -> Result<Option<OrgId>, StoreError> {
        let state = self.open()?;
        let run = state.reports.get(report).map(|kept| &kept.run);
        let run = run.and_then(|run| state.runs.get(run));
        Ok(run.map(|run| run.org_id.clone()))
    }
}
