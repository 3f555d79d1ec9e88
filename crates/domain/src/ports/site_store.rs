//! Where sites are kept. They are created here and by [`RunStore::start_run`].
//!
//! [`RunStore::start_run`]: super::RunStore::start_run

use chrono::{DateTime, Utc};

use super::{NewSite, StoreError};
use crate::audit_log::Actor;
use crate::id::{OrgId, SiteId};
use crate::idempotency::{Idempotent, IdempotentWrite, KeyReused};
use crate::plan::{LimitHit, PlanLimits};
use crate::report::{PageMeasurement, Scores, Variant};
use crate::run::{Run, RunCursor};
use crate::schedule::Schedule;
use crate::site::{Site, SiteDefaults, SiteHost, SitePatch};

/// A site with what a list shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteOverview {
    /// The site.
    pub site: Site,
    /// The run that was started last, whatever its state.
    pub latest_run: Option<Run>,
    /// The scores of the run that completed last.
    pub latest_scores: Option<Scores>,
    /// How many action items that the variant shows are open or in progress.
    pub open_actions: u64,
}

/// A site by its name, for menus and lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSite {
    /// Its id.
    pub id: SiteId,
    /// Its name.
    pub name: String,
}

/// Which site is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteRef<'a> {
    /// The one of that id.
    Id(&'a SiteId),
    /// The one of that host.
    Host(&'a SiteHost),
}

/// Why a site was not created. The order is that in which it is judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateSiteError {
    /// The organization has a site of that host.
    #[error("the organization already has a site with this host")]
    Exists(SiteId),
    /// The cap of the plan is reached.
    #[error(transparent)]
    LimitHit(#[from] LimitHit),
    /// The Idempotency-Key was used for another call.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A run in a site's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The run.
    pub run: Run,
    /// Its scores, where it completed.
    pub scores: Option<Scores>,
    /// What a browser measured of the start page, where it did.
    pub lab: Option<PageMeasurement>,
}

/// A page of a site's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPage {
    /// The runs, newest first.
    pub entries: Vec<HistoryEntry>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<RunCursor>,
}

/// Where sites are kept.
pub trait SiteStore: Send + Sync {
    /// All sites of an organization, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    fn sites(&self, org: &OrgId, variant: Variant) -> Result<Vec<SiteOverview>, StoreError>;

    /// The names of these sites of an organization, in no order.
    ///
    /// # Errors
    /// When the database fails.
    fn names_of_sites(&self, org: &OrgId, sites: &[SiteId]) -> Result<Vec<NamedSite>, StoreError>;

    /// The sites of an organization whose name or host contains a text, oldest first, at most `limit`. The case of
    /// ASCII letters does not matter; the empty text is in all.
    ///
    /// # Errors
    /// When the database fails.
    fn find_sites(&self, org: &OrgId, text: &str, limit: u32)
    -> Result<Vec<NamedSite>, StoreError>;

    /// One site.
    ///
    /// # Errors
    /// When the database fails.
    fn site(
        &self,
        org: &OrgId,
        site: &SiteId,
        variant: Variant,
    ) -> Result<Option<SiteOverview>, StoreError>;

    /// Creates a site in one transaction, with a line in the audit log. The cap of sites is judged by
    /// [`PlanLimits::judge_site`].
    ///
    /// # Errors
    /// [`CreateSiteError`] says why not; nothing is changed then.
    fn create_site(
        &self,
        org: &OrgId,
        site: &NewSite,
        limits: PlanLimits,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<(), CreateSiteError>;

    /// Creates a site as [`SiteStore::create_site`] does, unless the same call did so before. The answer is stored in
    /// the transaction; a call that is refused stores none.
    ///
    /// # Errors
    /// As [`SiteStore::create_site`], and [`CreateSiteError::KeyReused`].
    fn create_site_once(
        &self,
        org: &OrgId,
        site: &NewSite,
        limits: PlanLimits,
        now: DateTime<Utc>,
        by: &Actor,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, CreateSiteError>;

    /// Changes a site, with a line in the audit log. False where there is no such site. The values
    /// of headers among the options are stored encrypted.
    ///
    /// # Errors
    /// When the database fails.
    fn patch_site(
        &self,
        org: &OrgId,
        site: &SiteId,
        patch: &SitePatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// Removes a site with its runs, reports, schedule and action items, with a line in the audit log.
    /// Workers lose its runs with their next write. The usage of the month stays as it is. False where
    /// there is no such site.
    ///
    /// Runs that have ended go first, in several transactions; the site and the rest go in the last.
    ///
    /// # Errors
    /// When the database fails. Some of the runs that had ended may be gone then; asking again removes
    /// the rest.
    fn delete_site(
        &self,
        org: &OrgId,
        site: &SiteId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// The options that runs of a site begin with, header values and all; empty where none were ever
    /// set. None where there is no such site.
    ///
    /// # Errors
    /// When the database fails.
    fn site_defaults(
        &self,
        org: &OrgId,
        site: &SiteRef<'_>,
    ) -> Result<Option<SiteDefaults>, StoreError>;

    /// The runs of a site, newest first, at most `limit`. None where there is no such site.
    ///
    /// # Errors
    /// When the database fails.
    fn history(
        &self,
        org: &OrgId,
        site: &SiteId,
        limit: u32,
    ) -> Result<Option<Vec<HistoryEntry>>, StoreError>;

    /// The runs of a site, newest first, at most `limit`, from behind a cursor on. None where there is no such site.
    ///
    /// # Errors
    /// When the database fails.
    fn history_page(
        &self,
        org: &OrgId,
        site: &SiteId,
        after: Option<&RunCursor>,
        limit: u32,
    ) -> Result<Option<HistoryPage>, StoreError>;

    /// The schedule of a site, [`Schedule::none`] where it was never given one. None where there is
    /// no such site.
    ///
    /// # Errors
    /// When the database fails.
    fn schedule(&self, org: &OrgId, site: &SiteId) -> Result<Option<Schedule>, StoreError>;
}
