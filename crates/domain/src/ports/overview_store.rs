//! What the overview of all sites shows.

use chrono::{DateTime, Utc};

use super::StoreError;
use crate::id::{OrgId, ReportId};
use crate::report::{Scores, Variant};
use crate::run::Run;
use crate::site::{Site, SiteCursor};

/// A report with its scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredReport {
    /// The report.
    pub report_id: ReportId,
    /// Its scores.
    pub scores: Scores,
}

/// A site with what the overview shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteCard {
    /// The site.
    pub site: Site,
    /// The run that was started last, whatever its state.
    pub latest_run: Option<Run>,
    /// The report that was made last.
    pub latest: Option<ScoredReport>,
    /// The report before it.
    pub previous: Option<ScoredReport>,
    /// Action items of priority `critical` that the variant shows and that are open or in progress.
    pub open_critical: u64,
    /// When the next scheduled run is due.
    pub next_run_at: Option<DateTime<Utc>>,
}

/// A page of the overview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteCardPage {
    /// The sites, oldest first.
    pub cards: Vec<SiteCard>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<SiteCursor>,
}

/// All sites of an organization in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SiteTotals {
    /// The sites.
    pub sites: u64,
    /// How many sites have which overall score in the report that was made last, lowest score first. Sites without a
    /// report are not among them.
    pub by_score: Vec<(u8, u64)>,
    /// Action items of priority `critical` that the variant shows and that are open or in progress, of any site.
    pub open_critical: u64,
}

/// What the overview of all sites shows.
pub trait OverviewStore: Send + Sync {
    /// The sites of an organization, oldest first, at most `limit`, from behind a cursor on.
    ///
    /// # Errors
    /// When the database fails.
    fn site_cards(
        &self,
        org: &OrgId,
        variant: Variant,
        after: Option<&SiteCursor>,
        limit: u32,
    ) -> Result<SiteCardPage, StoreError>;

    /// All sites of an organization in numbers.
    ///
    /// # Errors
    /// When the database fails.
    fn site_totals(&self, org: &OrgId, variant: Variant) -> Result<SiteTotals, StoreError>;
}
