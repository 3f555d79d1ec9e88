//! Sites and their history.

use std::cmp::Reverse;

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::plan::{Period, PlanLimits};
use domain::ports::{
    CreateSiteError, HistoryEntry, NewSite, SiteOverview, SiteRef, SiteStore, StoreError,
};
use domain::report::{Scores, Variant};
use domain::run::Run;
use domain::schedule::Schedule;
use domain::site::{Site, SiteDefaults, SitePatch};

use super::MemoryStores;
use super::action::KeptAction;
use super::run::shown;
use super::state::State;

impl State {
    /// The organization has to be there, without a site of that host.
    pub(super) fn add_site(
        &mut self,
        org: &OrgId,
        new: &NewSite,
        now: DateTime<Utc>,
    ) -> Result<SiteId, StoreError> {
        if self.sites.iter().any(|known| known.id == new.id) {
            return Err(StoreError::Failed(format!("{} is there", new.id)));
        }
        self.sites.push(Site {
            id: new.id.clone(),
            org_id: org.clone(),
            host: new.host.clone(),
            url: new.url.clone(),
            name: new.name.clone(),
            created_at: now,
        });
        Ok(new.id.clone())
    }

    fn create_site(
        &mut self,
        org: &OrgId,
        new: &NewSite,
        limits: PlanLimits,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<(), CreateSiteError> {
        if self.org(org).is_none() {
            return Err(StoreError::Failed(format!("there is no organization {org}")).into());
        }
        if let Some(site) = self.site_of(org, &SiteRef::Host(&new.host)) {
            return Err(CreateSiteError::Exists(site.id.clone()));
        }
        limits.judge_site(&self.usage_of(org, Period::of(now)))?;
        let id = self.add_site(org, new, now)?;
        let what = (id.as_str(), new.host.to_string());
        self.note(org, now, by, "site.created", what);
        Ok(())
    }

    fn patch_site(
        &mut self,
        org: &OrgId,
        id: &SiteId,
        patch: &SitePatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> bool {
        let mut sites = self.sites.iter_mut();
        let Some(site) = sites.find(|known| known.org_id == *org && known.id == *id) else {
            return false;
        };
        let mut changed = Vec::new();
        if let Some(name) = &patch.name {
            name.as_str().clone_into(&mut site.name);
            changed.push("name");
        }
        if let Some(options) = &patch.options {
            self.defaults.insert(id.clone(), options.clone());
            changed.push("options");
        }
        if !changed.is_empty() {
            let what = (id.as_str(), changed.join(", "));
            self.note(org, now, by, "site.changed", what);
        }
        true
    }

    fn delete_site(&mut self, org: &OrgId, id: &SiteId, now: DateTime<Utc>, by: &Actor) -> bool {
        let is_meant = |known: &mut Site| known.org_id == *org && known.id == *id;
        let Some(removed) = self.sites.extract_if(.., is_meant).next() else {
            return false;
        };
        let of_site = self.runs.values().filter(|run| run.site_id == *id);
        let runs: Vec<_> = of_site.map(|run| run.id.clone()).collect();
        for run in &runs {
            self.jobs.remove(run);
            self.forget_written(run, None);
            self.reports.retain(|_, kept| kept.run != *run);
            self.runs.remove(run);
        }
        let is_of_site = |kept: &KeptAction| kept.item.site_id.as_ref() == Some(id);
        self.actions.retain(|_, kept| !is_of_site(kept));
        self.schedules.remove(id);
        self.told_skips.remove(id);
        self.defaults.remove(id);
        let what = (id.as_str(), removed.host.to_string());
        self.note(org, now, by, "site.deleted", what);
        true
    }

    fn site_of(&self, org: &OrgId, wanted: &SiteRef<'_>) -> Option<&Site> {
        let mut sites = self.sites.iter().filter(|site| site.org_id == *org);
        sites.find(|site| match wanted {
            SiteRef::Id(id) => site.id == **id,
            SiteRef::Host(host) => site.host == **host,
        })
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
            latest_run: runs.first().copied().map(shown),
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
        org: &OrgId,
        site: &SiteId,
        variant: Variant,
    ) -> Result<Option<SiteOverview>, StoreError> {
        let state = self.open()?;
        Ok(state
            .site(org, site)
            .map(|site| state.overview(site, variant)))
    }

    fn create_site(
        &self,
        org: &OrgId,
        site: &NewSite,
        limits: PlanLimits,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<(), CreateSiteError> {
        self.open()?.create_site(org, site, limits, now, by)
    }

    fn patch_site(
        &self,
        org: &OrgId,
        site: &SiteId,
        patch: &SitePatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.open()?.patch_site(org, site, patch, now, by))
    }

    fn delete_site(
        &self,
        org: &OrgId,
        site: &SiteId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.open()?.delete_site(org, site, now, by))
    }

    fn site_defaults(
        &self,
        org: &OrgId,
        site: &SiteRef<'_>,
    ) -> Result<Option<SiteDefaults>, StoreError> {
        let state = self.open()?;
        let found = state.site_of(org, site);
        Ok(found.map(|site| SiteDefaults {
            url: site.url.clone(),
            options: state.defaults.get(&site.id).cloned().unwrap_or_default(),
        }))
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
            run: shown(run),
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
