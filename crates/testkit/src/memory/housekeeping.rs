//! What is kept how long, and what of it is removed.

use chrono::{DateTime, Utc};
use domain::action::BriefStatus;
use domain::audit_log::Actor;
use domain::id::{OrgId, RunId};
use domain::ports::{Housekeeping, QueueDepth, Removed, StoreError};
use domain::retention::RetentionChoice;
use domain::run::Run;

use super::MemoryStores;
use super::state::State;

impl State {
    /// The oldest run that is kept no longer.
    fn old_run(&self, org: &OrgId, ended_before: DateTime<Utc>) -> Option<RunId> {
        let of_org = self.runs.values().filter(|run| run.org_id == *org);
        let old = of_org
            .filter(|run| {
                run.state
                    .finished_at()
                    .is_some_and(|end| end < ended_before)
            })
            .filter(|run| !self.is_latest(run));
        old.min_by_key(|run| (run.created_at, &run.id))
            .map(|run| run.id.clone())
    }

    /// Whether a run is the one of its site that was started last, or has its latest report.
    fn is_latest(&self, run: &Run) -> bool {
        let of_site = || {
            self.runs
                .values()
                .filter(|other| other.site_id == run.site_id)
        };
        let newest = of_site().max_by_key(|other| (other.created_at, &other.id));
        let completed = of_site().filter(|other| other.report_id().is_some());
        let reported = completed.max_by_key(|other| (other.state.finished_at(), &other.id));
        [newest, reported]
            .into_iter()
            .flatten()
            .any(|latest| latest.id == run.id)
    }

    /// The bytes that a run takes: the texts of its occurrences and pages, and something for each row.
    fn bytes_of_run(&self, run: &RunId) -> u64 {
        const ROW: usize = 150;
        let Some((_, kept)) = self.reports.iter().find(|(_, kept)| kept.run == *run) else {
            return 0;
        };
        let occurrences = (self.occurrences.iter())
            .filter(|(key, _)| key.run == *run)
            .map(|(_, found)| ROW + found.url.len() + found.message.len());
        let pages = (self.pages.iter())
            .filter(|(key, _)| key.run == *run)
            .map(|(_, visit)| ROW + visit.url.len());
        let issues = ROW * (1 + kept.completed.reports.current.issues.len());
        let bytes = occurrences.chain(pages).sum::<usize>() + issues;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    /// The bytes that the runs of an organization take.
    pub(super) fn bytes_of(&self, org: &OrgId) -> u64 {
        let of_org = self.runs.values().filter(|run| run.org_id == *org);
        of_org.map(|run| self.bytes_of_run(&run.id)).sum()
    }

    fn remove_run(&mut self, run: &RunId) {
        self.forget_written(run, None);
        self.reports.retain(|_, kept| kept.run != *run);
        self.runs.remove(run);
        for schedule in self.schedules.values_mut() {
            if schedule.last_run_id.as_ref() == Some(run) {
                schedule.last_run_id = None;
            }
        }
    }

    fn queue_depth(&self) -> QueueDepth {
        let waiting = || self.jobs.values().filter(|job| !job.is_held());
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let briefs = self.actions.values().filter_map(|kept| kept.brief.as_ref());
        QueueDepth {
            waiting: count(waiting().count()),
            oldest_waiting: waiting().map(|job| job.queued_at()).min(),
            running: count(self.jobs.values().filter(|job| job.is_held()).count()),
            briefs_waiting: count(
                briefs
                    .filter(|kept| kept.brief.status == BriefStatus::Queued)
                    .count(),
            ),
        }
    }
}

/// Removes as often as allowed, and tells whether more would go.
fn repeated(rows: u32, mut remove: impl FnMut(bool) -> bool) -> Removed {
    let mut count = 0;
    while count < u64::from(rows.max(1)) && remove(true) {
        count += 1;
    }
    Removed {
        count,
        is_all: !remove(false),
    }
}

impl Housekeeping for MemoryStores {
    fn retention(&self, org: &OrgId) -> Result<RetentionChoice, StoreError> {
        Ok(self.open()?.retention.get(org).copied().unwrap_or_default())
    }

    fn set_retention(
        &self,
        org: &OrgId,
        choice: RetentionChoice,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        if state.org(org).is_none() {
            return Ok(false);
        }
        state.retention.insert(org.clone(), choice);
        let what = (org.as_str(), choice.to_string());
        state.note(org, at, by, "org.retention_changed", what);
        Ok(true)
    }

    fn remove_runs(
        &self,
        org: &OrgId,
        ended_before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        let mut state = self.open()?;
        Ok(repeated(rows, |for_good| {
            let old = state.old_run(org, ended_before);
            if let Some(run) = old.as_ref().filter(|_| for_good) {
                state.remove_run(run);
            }
            old.is_some()
        }))
    }

    fn remove_runs_beyond(
        &self,
        org: &OrgId,
        bytes: u64,
        now: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        let mut state = self.open()?;
        let before = state.bytes_of(org);
        let removed = repeated(rows, |for_good| {
            if state.bytes_of(org) <= bytes {
                return false;
            }
            let of_org = state.runs.values().filter(|run| run.org_id == *org);
            let oldest = of_org
                .filter(|run| run.report_id().is_some() && !state.is_latest(run))
                .min_by_key(|run| (run.created_at, &run.id))
                .map(|run| run.id.clone());
            if let Some(run) = oldest.as_ref().filter(|_| for_good) {
                state.remove_run(run);
            }
            oldest.is_some()
        });
        let freed = before.saturating_sub(state.bytes_of(org));
        if freed > 0 {
            let detail = format!("{freed} of {before} bytes, as the plan allows {bytes}");
            let what = (org.as_str(), detail);
            state.note(org, now, &Actor::System, "runs.removed_for_storage", what);
        }
        Ok(removed)
    }

    fn remove_audit_lines(
        &self,
        org: &OrgId,
        before: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        let mut state = self.open()?;
        Ok(repeated(rows, |for_good| {
            let first = state.audit_log.iter().position(|(of, _)| of == org);
            let first = first.filter(|at| {
                let line = state.audit_log.get(*at);
                line.is_some_and(|(_, entry)| entry.at < before)
            });
            if let Some(at) = first.filter(|_| for_good) {
                state.audit_log.remove(at);
            }
            first.is_some()
        }))
    }

    fn remove_answers(
        &self,
        org: &OrgId,
        now: DateTime<Utc>,
        rows: u32,
    ) -> Result<Removed, StoreError> {
        let mut state = self.open()?;
        Ok(repeated(rows, |for_good| {
            let mut calls = state.calls.iter();
            let found = calls.find(|((of, ..), kept)| of == org && kept.is_forgotten(now));
            let found = found.map(|(name, _)| name.clone());
            if let Some(name) = found.as_ref().filter(|_| for_good) {
                state.calls.remove(name);
            }
            found.is_some()
        }))
    }

    fn queue_depth(&self) -> Result<QueueDepth, StoreError> {
        Ok(self.open()?.queue_depth())
    }
}
