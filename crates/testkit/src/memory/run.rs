//! Runs, and what of a plan they use.

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use domain::id::{OrgId, RunId};
use domain::idempotency::{Once, Told};
use domain::plan::{Period, Usage};
use domain::ports::{
    Cancellation, NewRun, RunPage, RunStore, StartRunError, StartedRun, StoreError,
};
use domain::run::{Run, RunCursor, RunFilter, RunProgress, RunState, RunStatus};
use domain::site::Site;

use super::MemoryStores;
use super::queue::Job;
use super::state::State;

impl State {
    pub(super) fn usage_of(&self, org: &OrgId, period: Period) -> Usage {
        let sites = self.sites.iter().filter(|site| site.org_id == *org).count();
        let runs = self.usage.get(&(org.clone(), period));
        Usage {
            sites: u64::try_from(sites).unwrap_or(u64::MAX),
            monthly_runs: runs.copied().unwrap_or_default(),
            storage_bytes: self.bytes_of(org),
        }
    }

    /// The site a run is attached to; none where it is to be created.
    fn site_for(&self, org: &OrgId, run: &NewRun) -> Result<Option<&Site>, StartRunError> {
        let host = &run.new_site.host;
        let Some(wanted) = &run.site_id else {
            let mut sites = self.sites.iter();
            return Ok(sites.find(|site| site.org_id == *org && site.host == *host));
        };
        match self.site(org, wanted) {
            None => Err(StartRunError::SiteNotFound),
            Some(site) if site.host != *host => Err(StartRunError::OtherHost {
                host: site.host.clone(),
            }),
            found => Ok(found),
        }
    }

    pub(super) fn start_run(
        &mut self,
        org: &OrgId,
        run: &NewRun,
    ) -> Result<StartedRun, StartRunError> {
        if self.org(org).is_none() {
            return Err(StoreError::Failed(format!("there is no organization {org}")).into());
        }
        if self.runs.contains_key(&run.id) {
            return Err(StoreError::Failed(format!("{} is there", run.id)).into());
        }
        let found = self.site_for(org, run)?.map(|site| site.id.clone());
        let month = Period::of(run.now);
        let usage = self.usage_of(org, month);
        run.limits.judge(&usage, found.is_none())?;
        let site_id = match found {
            Some(site_id) => site_id,
            None => self.add_site(org, &run.new_site, run.now)?,
        };
        *self.usage.entry((org.clone(), month)).or_default() += 1;
        self.jobs.insert(
            run.id.clone(),
            Job::new(run.now, run.new_site.host.as_str()),
        );
        let started = Run {
            id: run.id.clone(),
            org_id: org.clone(),
            site_id: site_id.clone(),
            url: run.url.clone(),
            trigger: run.trigger,
            options: run.options.clone(),
            progress: RunProgress::QUEUED,
            state: RunState::Queued,
            created_at: run.now,
        };
        self.runs.insert(run.id.clone(), started);
        Ok(StartedRun {
            run_id: run.id.clone(),
            site_id,
        })
    }
}

/// A run as it is looked up: of its headers the names alone. This is also what stays of one that
/// has ended.
pub(super) fn shown(run: &Run) -> Run {
    let mut run = run.clone();
    run.options.headers = run.options.headers.hidden();
    run
}

impl State {
    fn page_of_runs(
        &self,
        org: &OrgId,
        filter: &RunFilter,
        after: Option<&RunCursor>,
        limit: u32,
    ) -> RunPage {
        let is_behind = |run: &Run| after.is_none_or(|cursor| RunCursor::of(run) < *cursor);
        let mut runs: Vec<_> = self.runs.values().collect();
        runs.retain(|run| run.org_id == *org && filter.shows(run) && is_behind(run));
        runs.sort_by_key(|run| Reverse(RunCursor::of(run)));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let goes_on = runs.len() > limit;
        runs.truncate(limit);
        let last = runs.last().filter(|_| goes_on);
        RunPage {
            next: last.map(|run| RunCursor::of(run)),
            runs: runs.into_iter().map(shown).collect(),
        }
    }

    fn cancel_run(&mut self, org: &OrgId, id: &RunId, now: DateTime<Utc>) -> Option<Cancellation> {
        let mut run = shown(self.run(org, id)?);
        match run.state.status() {
            RunStatus::Queued | RunStatus::Running => {}
            RunStatus::Cancelled => return Some(Cancellation::Before(run)),
            ended @ (RunStatus::Completed | RunStatus::Failed) => {
                return Some(Cancellation::TooLate(ended));
            }
        }
        run.state = RunState::Cancelled {
            started_at: run.state.started_at(),
            finished_at: now,
        };
        self.jobs.remove(id);
        self.forget_written(id, None);
        self.runs.insert(id.clone(), run.clone());
        Some(Cancellation::Done(run))
    }
}

impl RunStore for MemoryStores {
    fn start_run(&self, org: &OrgId, run: &NewRun) -> Result<StartedRun, StartRunError> {
        self.open()?.start_run(org, run)
    }

    fn start_run_once(
        &self,
        org: &OrgId,
        run: &NewRun,
        once: &Once<'_, StartedRun>,
    ) -> Result<Told<StartedRun>, StartRunError> {
        let mut state = self.open()?;
        state.once(org, Some(once), |state| state.start_run(org, run))
    }

    fn run(&self, org: &OrgId, run: &RunId) -> Result<Option<Run>, StoreError> {
        Ok(self.open()?.run(org, run).map(shown))
    }

    fn runs(
        &self,
        org: &OrgId,
        filter: &RunFilter,
        after: Option<&RunCursor>,
        limit: u32,
    ) -> Result<Option<RunPage>, StoreError> {
        let state = self.open()?;
        let has = |site| state.site(org, site).is_some();
        Ok(filter
            .site_id
            .as_ref()
            .is_none_or(has)
            .then(|| state.page_of_runs(org, filter, after, limit)))
    }

    fn cancel_run(
        &self,
        org: &OrgId,
        run: &RunId,
        now: DateTime<Utc>,
    ) -> Result<Option<Cancellation>, StoreError> {
        Ok(self.open()?.cancel_run(org, run, now))
    }
}
