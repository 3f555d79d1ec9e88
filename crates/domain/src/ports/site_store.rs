//! Where sites are looked up. They are created by [`RunStore::start_run`].
//!
//! [`RunStore::start_run`]: super::RunStore::start_run

use super::StoreError;
use crate::id::{OrgId, SiteId};
use crate::report::Scores;
use crate::run::Run;
use crate::schedule::Schedule;
use crate::site::Site;

/// A site with what a list shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteOverview {
    /// The site.
    pub site: Site,
    /// The run that was started last, whatever its state.
    pub latest_run: Option<Run>,
    /// The scores of the run that completed last.
    pub latest_scores: Option<Scores>,
    /// How many action items are open or in progress.
    pub open_actions: u64,
}

/// A run in a site's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The run.
    pub run: Run,
    /// Its scores, where it completed.
    pub scores: Option<Scores>,
}

/// Where sites are looked up.
pub trait SiteStore: Send + Sync {
    /// All sites of an organization, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    fn sites(&self, org: &OrgId) -> Result<Vec<SiteOverview>, StoreError>;

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

    /// The schedule of a site, [`Schedule::none`] where it was never given one. None where there is
    /// no such site.
    ///
    /// # Errors
    /// When the database fails.
    fn schedule(&self, org: &OrgId, site: &SiteId) -> Result<Option<Schedule>, StoreError>;
}
