//! A report with its ids.

use chrono::{DateTime, Utc};

use super::Report;
use crate::id::{ActionId, IssueId, ReportId, RunId, SiteId};

/// What an issue of a stored report has beside its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueIdentity {
    /// Its id.
    pub issue_id: IssueId,
    /// The action item it belongs to.
    pub action_id: Option<ActionId>,
}

/// A report as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredReport {
    /// Its id.
    pub id: ReportId,
    /// The run that made it.
    pub run_id: RunId,
    /// The site it is about.
    pub site_id: SiteId,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// What it says. What its issues carry depends on the [`ReportDetail`] asked for.
    ///
    /// [`ReportDetail`]: crate::ports::ReportDetail
    pub report: Report,
    /// One for each issue of the report, in its order.
    pub issues: Vec<IssueIdentity>,
}
