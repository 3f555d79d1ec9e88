//! Runs: audits that are queued, under way, or done.

mod crash;
mod headers;
mod list;
mod options;
mod progress;
mod state;

use chrono::{DateTime, Utc};

pub use crash::{
    CRASHES_ALONE, Crash, CrashVerdict, INTERRUPTIONS, INTERRUPTIONS_SPAN,
    has_been_interrupted_enough,
};
pub use headers::{
    HIDDEN, MAX_HEADER_NAME_CHARS, MAX_HEADER_VALUE_CHARS, MAX_HEADERS, RequestHeaders,
};
pub use list::{RunCursor, RunFilter};
pub use options::{
    AskedOptions, Device, InvalidOption, MAX_PATTERN_CHARS, MAX_PATTERNS, MAX_USER_AGENT_CHARS,
    Mode, OptionBounds, RunOptions,
};
pub use progress::{RunPhase, RunProgress};
pub use state::{RunError, RunState, RunStatus};

use crate::id::{OrgId, ReportId, RunId, SiteId};
use crate::named_enum::named_enum;

/// One audit of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// Whose run it is.
    pub org_id: OrgId,
    /// Its site.
    pub site_id: SiteId,
    /// The start URL as it was asked for, in its normal form and without a fragment.
    pub url: String,
    /// What started it.
    pub trigger: Trigger,
    /// How it audits.
    pub options: RunOptions,
    /// How far it has come.
    pub progress: RunProgress,
    /// The status.
    pub state: RunState,
    /// When it was started.
    pub created_at: DateTime<Utc>,
}

impl Run {
    /// Its report, exactly when it is completed.
    #[must_use]
    pub const fn report_id(&self) -> Option<&ReportId> {
        match &self.state {
            RunState::Completed { report_id, .. } => Some(report_id),
            _ => None,
        }
    }
}

named_enum! {
    /// What starts a run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Trigger {
        /// A call of the HTTP interface.
        Api = "api",
        /// The schedule of its site.
        Schedule = "schedule",
        /// A person at the dashboard.
        Dashboard = "dashboard",
    }
}
