//! Reports.

use std::collections::BTreeSet;

use domain::id::{ActionId, IssueId, OrgId, ReportId};
use domain::ports::{
    CausePage, IssueIdentity, OccurrencePage, ReportDetail, ReportStore, StoreError, StoredReport,
    VisitPage,
};
use domain::report::{
    CauseCursor, EvidenceBudget, INLINE_CAUSES, INLINE_OCCURRENCES, Issue, IssueCause, IssueState,
    MAX_CAUSES, Occurrence, OccurrenceCursor, PageCursor, Report, Variant,
};

use super::MemoryStores;
use super::state::{CauseKey, KeptCause, KeptReport, OccurrenceKey, PageKey, State};

impl KeptReport {
    fn shown(&self, variant: Variant) -> &Report {
        match variant {
            Variant::Current => &self.completed.reports.current,
            Variant::Legacy => &self.completed.reports.legacy,
        }
    }

    /// The place of an issue of either variant in the current one, and its id.
    fn place(&self, issue: &Issue) -> Option<(u32, &IssueId)> {
        let issues = &self.completed.reports.current.issues;
        (0_u32..)
            .zip(issues)
            .zip(&self.completed.issue_ids)
            .find(|((_, known), _)| known.check_id == issue.check_id)
            .map(|((place, _), id)| (place, id))
    }

    /// The item of the issue at a place.
    fn action_at(&self, place: u32) -> Option<ActionId> {
        let place = usize::try_from(place).ok()?;
        self.action_ids.get(place).cloned().flatten()
    }

    fn state_at(&self, place: u32) -> Option<IssueState> {
        let place = usize::try_from(place).ok()?;
        self.states.get(place).copied().flatten()
    }
}

/// How many there are, as counts have it.
fn counted(all: impl Iterator) -> u64 {
    u64::try_from(all.count()).unwrap_or(u64::MAX)
}

/// Cuts a list to its limit, and answers its last entry where it goes on.
fn cut<T>(rest: &mut Vec<T>, limit: u32) -> Option<&T> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rest.len() > limit;
    rest.truncate(limit);
    rest.last().filter(|_| goes_on)
}

impl KeptCause {
    fn in_variant(&self, variant: Variant, occurrences: Vec<Occurrence>) -> IssueCause {
        IssueCause {
            occurrences,
            score_impact: match variant {
                Variant::Current => self.cause.score_impact,
                Variant::Legacy => self.score_impact_legacy.unwrap_or_default(),
            },
            ..self.cause.clone()
        }
    }
}

impl State {
    /// The causes of a report that are kept, with their places.
    pub(super) fn causes_of(&self, kept: &KeptReport) -> impl Iterator<Item = (u32, &KeptCause)> {
        let at = |position| CauseKey {
            run: kept.run.clone(),
            epoch: kept.epoch,
            position,
        };
        let range = self.causes.range(at(0)..=at(u32::MAX));
        range.map(|(key, cause)| (key.position, cause))
    }

    /// The causes of the issue at a place that are kept, with their own places.
    pub(super) fn causes_of_issue(
        &self,
        kept: &KeptReport,
        issue: u32,
    ) -> impl Iterator<Item = (u32, &KeptCause)> {
        let all = self.causes_of(kept);
        all.filter(move |(_, cause)| cause.issue == issue)
    }

    /// The occurrences of the cause at a place that are kept, with their ordinals.
    fn occurrences_of(
        &self,
        kept: &KeptReport,
        cause: u32,
    ) -> impl Iterator<Item = (u32, &Occurrence)> {
        let at = |ordinal| OccurrenceKey {
            run: kept.run.clone(),
            epoch: kept.epoch,
            cause,
            ordinal,
        };
        let range = self.occurrences.range(at(0)..=at(u32::MAX));
        range.map(|(key, occurrence)| (key.ordinal, occurrence))
    }

    /// The issues of a report in the shape of a variant.
    pub(super) fn issues_of(
        &self,
        kept: &KeptReport,
        variant: Variant,
        detail: ReportDetail,
    ) -> Vec<(Issue, IssueIdentity)> {
        let mut budget = EvidenceBudget::of_report();
        let issues = kept.shown(variant).issues.iter().filter_map(|issue| {
            let (place, id) = kept.place(issue)?;
            let issue = Issue {
                state: kept.state_at(place),
                pages: BTreeSet::new(),
                causes: match detail {
                    ReportDetail::Inline => self.first_causes(kept, place, variant),
                    ReportDetail::Whole => self.all_causes(kept, place, variant, &mut budget),
                },
                ..issue.clone()
            };
            let identity = IssueIdentity {
                issue_id: id.clone(),
                action_id: kept.action_at(place),
            };
            Some((issue, identity))
        });
        issues.collect()
    }

    fn first_causes(&self, kept: &KeptReport, issue: u32, variant: Variant) -> Vec<IssueCause> {
        let causes = self.causes_of_issue(kept, issue).take(INLINE_CAUSES);
        causes
            .map(|(place, cause)| cause.in_variant(variant, self.first_occurrences(kept, place)))
            .collect()
    }

    /// The first occurrences of a cause.
    fn first_occurrences(&self, kept: &KeptReport, cause: u32) -> Vec<Occurrence> {
        let all = self.occurrences_of(kept, cause).take(INLINE_OCCURRENCES);
        all.map(|(_, occurrence)| occurrence.clone()).collect()
    }

    /// All causes of an issue that the budget leaves room for; at least one.
    fn all_causes(
        &self,
        kept: &KeptReport,
        issue: u32,
        variant: Variant,
        budget: &mut EvidenceBudget,
    ) -> Vec<IssueCause> {
        budget.begin_issue();
        let mut causes: Vec<IssueCause> = Vec::new();
        for (place, cause) in self.causes_of_issue(kept, issue).take(MAX_CAUSES) {
            let is_first = causes.is_empty();
            if !budget.take_cause(&cause.cause) && !is_first {
                break;
            }
            let all = self.occurrences_of(kept, place);
            let fitting = all.filter(|(ordinal, found)| {
                budget.take_occurrence(found) || (is_first && *ordinal == 0)
            });
            let occurrences = fitting.map(|(_, found)| found.clone()).collect();
            causes.push(cause.in_variant(variant, occurrences));
        }
        causes
    }

    /// The report of an organization, if it has it.
    fn kept_report(&self, org: &OrgId, report: &ReportId) -> Option<&KeptReport> {
        let kept = self.reports.get(report);
        kept.filter(|kept| self.run(org, &kept.run).is_some())
    }

    /// The report and the issue of an id, with its place, where the variant shows it.
    fn listed_issue(
        &self,
        org: &OrgId,
        (report, issue): (&ReportId, &IssueId),
        variant: Variant,
    ) -> Option<(&KeptReport, u32, &Issue)> {
        let kept = self.kept_report(org, report)?;
        let mut issues = kept.shown(variant).issues.iter();
        issues.find_map(|content| {
            let (place, id) = kept.place(content)?;
            (id == issue).then_some((kept, place, content))
        })
    }

    fn page_of_causes(
        &self,
        (kept, place, issue): (&KeptReport, u32, &Issue),
        variant: Variant,
        after: Option<CauseCursor>,
        limit: u32,
    ) -> CausePage {
        let all = || self.causes_of_issue(kept, place);
        let stored = all().flat_map(|(cause, _)| self.occurrences_of(kept, cause));
        let mut rest: Vec<_> = all()
            .filter(|(cause, _)| after.is_none_or(|cursor| *cause > cursor.position))
            .collect();
        let last = cut(&mut rest, limit).map(|(position, _)| *position);
        CausePage {
            next: last.map(|position| CauseCursor { position }),
            causes: (rest.into_iter())
                .map(|(at, cause)| cause.in_variant(variant, self.first_occurrences(kept, at)))
                .collect(),
            total: issue.causes_total,
            stored: counted(all()),
            occurrences_total: issue.occurrences_total,
            occurrences_stored: counted(stored),
        }
    }

    fn page_of_occurrences(
        &self,
        (kept, place, issue): (&KeptReport, u32, &Issue),
        fingerprint: Option<&str>,
        after: Option<OccurrenceCursor>,
        limit: u32,
    ) -> Option<OccurrencePage> {
        let mut total = issue.occurrences_total;
        let mut causes: Vec<_> = self.causes_of_issue(kept, place).collect();
        if let Some(fingerprint) = fingerprint {
            causes.retain(|(_, kept)| kept.cause.fingerprint == fingerprint);
            total = causes.first()?.1.cause.occurrences_total;
        }
        let all = || {
            causes.iter().flat_map(|&(cause, _)| {
                let found = self.occurrences_of(kept, cause);
                found.map(move |(ordinal, known)| (OccurrenceCursor { cause, ordinal }, known))
            })
        };
        let mut rest: Vec<_> = all()
            .filter(|(place, _)| after.is_none_or(|cursor| *place > cursor))
            .collect();
        let next = cut(&mut rest, limit).map(|(place, _)| *place);
        Some(OccurrencePage {
            next,
            occurrences: rest.into_iter().map(|(_, known)| known.clone()).collect(),
            total,
            stored: counted(all()),
        })
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
        detail: ReportDetail,
    ) -> Result<Option<StoredReport>, StoreError> {
        let state = self.open()?;
        let Some(kept) = state.reports.get(report) else {
            return Ok(None);
        };
        let Some(run) = state.run(org, &kept.run) else {
            return Ok(None);
        };
        let mut content = kept.shown(variant).clone();
        let issues;
        (content.issues, issues) = state.issues_of(kept, variant, detail).into_iter().unzip();
        Ok(Some(StoredReport {
            id: report.clone(),
            run_id: run.id.clone(),
            site_id: run.site_id.clone(),
            created_at: kept.created_at,
            report: content,
            issues,
        }))
    }

    fn causes(
        &self,
        org: &OrgId,
        issue: (&ReportId, &IssueId),
        variant: Variant,
        after: Option<CauseCursor>,
        limit: u32,
    ) -> Result<Option<CausePage>, StoreError> {
        let state = self.open()?;
        let found = state.listed_issue(org, issue, variant);
        Ok(found.map(|issue| state.page_of_causes(issue, variant, after, limit)))
    }

    fn occurrences(
        &self,
        org: &OrgId,
        issue: (&ReportId, &IssueId),
        variant: Variant,
        cause: Option<&str>,
        after: Option<OccurrenceCursor>,
        limit: u32,
    ) -> Result<Option<OccurrencePage>, StoreError> {
        let state = self.open()?;
        let found = state.listed_issue(org, issue, variant);
        Ok(found.and_then(|issue| state.page_of_occurrences(issue, cause, after, limit)))
    }

    fn pages(
        &self,
        org: &OrgId,
        report: &ReportId,
        after: Option<PageCursor>,
        limit: u32,
    ) -> Result<Option<VisitPage>, StoreError> {
        let state = self.open()?;
        let kept = state.kept_report(org, report);
        Ok(kept.map(|kept| state.page_of_visits(kept, after, limit)))
    }

    fn org_of_report(&self, report: &ReportId) -> Result<Option<OrgId>, StoreError> {
        let state = self.open()?;
        let run = state.reports.get(report).map(|kept| &kept.run);
        let run = run.and_then(|run| state.runs.get(run));
        Ok(run.map(|run| run.org_id.clone()))
    }
}
