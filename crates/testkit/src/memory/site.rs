//! Sites and their history.

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::plan::PlanLimits;
use domain::ports::{
    CreateSiteError, HistoryEntry, NewRun, NewSite, SiteOverview, SiteRef, SiteStore, StoreError,
};
use domain::report::{Scores, Variant};
use domain::run::{AskedOptions, Run};
use domain::schedule::Schedule;
use domain::site::{Site, SitePatch};

use super::MemoryStores;
use super::state::State;

impl State {
    /// Adds the site that a run brings along.
    pub(super) fn add_site(&mut self, org: &OrgId, run: &NewRun) -> SiteId {
        let new = &run.new_site;
        self.sites.push(Site {
            id: new.id.clone(),
            org_id: org.clone(),
            host: new.host.clone(),
            url: new.url.clone(),
            name: new.name.clone(),
            created_at: run.now,
        });
        new.id.clone()
    }

    /// The runs of a site, newest first.
    fn runs_of(&self, site: &SiteId) -> Vec<&Run> {
        let mut runs: Vec<_> = self.runs.values().collect();
        runs.retain(|run| run.site_id == *site);
        runs.sort_by_key(|run| Reverse((run.created_at, &run.id)));
        runs
    }

    fn scores_of(&self, run: &Run) -> Option<Scores> {
        let report = self.reports.get(run.report_id()?)?;
        Some(report.completed.reports.scores())
    }

    fn overview(&self, site: &Site, variant: Variant) -> SiteOverview {
        let runs = self.runs_of(&site.id);
        let completed = runs.iter().filter(|run| run.report_id().is_some());
        let last_completed = completed.max_by_key(|run| (run.state.finished_at(), &run.id));
        SiteOverview {
            site: site.clone(),
            latest_run: runs.first().copied().cloned(),
            latest_scores: last_completed.and_then(|run| self.scores_of(run)),
            open_actions: self.open_actions_of(&site.id, variant),
        }
    }
}

impl SiteStore for MemoryStores {
    fn sites(&self, org: &OrgId, variant: Variant) -> Result<Vec<SiteOverview>, StoreError> {
        let state = self.open()?;
        let mut sites: Vec<_> = state.sites.iter().collect();
        sites.retain(|site| site.org_id == *org);
        sites.sort_by_key(|site| (site.created_at, &site.id));
        let overviews = sites.into_iter().map(|site| state.overview(site, variant));
        Ok(overviews.collect())
    }

    fn site(
        &self,
        _org: &OrgId,
        _site: &SiteId,
        _variant: Variant,
    ) -> Result<Option<SiteOverview>, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn create_site(
        &self,
        _org: &OrgId,
        _site: &NewSite,
        _limits: PlanLimits,
        _now: DateTime<Utc>,
        _by: &Actor,
    ) -> Result<(), CreateSiteError> {
        Err(StoreError::Failed("not built".to_owned()).into())
    }

    fn patch_site(
        &self,
        _org: &OrgId,
        _site: &SiteId,
        _patch: &SitePatch,
        _now: DateTime<Utc>,
        _by: &Actor,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn delete_site(
        &self,
        _org: &OrgId,
        _site: &SiteId,
        _now: DateTime<Utc>,
        _by: &Actor,
    ) -> Result<bool, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn site_defaults(
        &self,
        _org: &OrgId,
        _site: &SiteRef<'_>,
    ) -> Result<Option<AskedOptions>, StoreError> {
        Ok(None)
    }

    fn history(
        &self,
        org: &OrgId,
        site: &SiteId,
        limit: u32,
    ) -> Result<Option<Vec<HistoryEntry>>, StoreError> {
        let state = self.open()?;
        if state.site(org, site).is_none() {
            return Ok(None);
        }
        let runs = state.runs_of(site).into_iter();
        let entries = runs.map(|run| HistoryEntry {
            run: run.clone(),
            scores: state.scores_of(run),
        });
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(Some(entries.take(limit).collect()))
    }

    fn schedule(&self, org: &OrgId, site: &SiteId) -> Result<Option<Schedule>, StoreError> {
        let state = self.open()?;
        let Some(site) = state.site(org, site) else {
            return Ok(None);
        };
        let schedule = state.schedules.get(&site.id).cloned();
        Ok(Some(
            schedule.unwrap_or_else(|| Schedule::none(site.id.clone())),
        ))
    }
}
