//! Action items: tasks on a site that persist across audits.
//!
//! An item is created by an audit or by a person. An item of an audit belongs to a site and a check, and
//! there is one per pair: [`reconcile`] creates it, updates its evidence, closes it when an audit verifies
//! the fix, and reopens it when the issue returns. The fields that a person can change (title, description,
//! status, priority, assignee, due date) belong to people: an audit changes only the status, and never that
//! of a dismissed item.

mod brief;
mod comment;
mod coverage;
mod cursor;
mod dossier;
mod evidence;
mod fields;
mod filter;
mod handoff;
mod invalid;
mod patch;
mod priority;
mod reconcile;
mod status;
mod verification;

use chrono::{DateTime, Utc};

pub use crate::page_key::PageKey;
pub use brief::{
    ActionBrief, BRIEF_FORMAT, BRIEF_GIVEN_UP, BriefRequest, BriefStatus, Instructions,
    MAX_BRIEF_ATTEMPTS, MAX_INSTRUCTIONS_CHARS,
};
pub use comment::{ActionComment, Author, CommentBody, MAX_COMMENT_CHARS, NewComment};
pub use coverage::{PageSeen, RunCoverage};
pub use cursor::{ActionCursor, CommentCursor};
pub use dossier::{DOSSIER_CAUSES, DOSSIER_OCCURRENCES, Dossier};
pub use evidence::{Evidence, MAX_EVIDENCE_PAGES, ObservationMode};
pub use fields::{Description, DueDate, MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS, Title};
pub use filter::ActionFilter;
pub use handoff::{HandoffFormat, HandoffIds, MAX_HANDOFF_ITEMS};
pub use invalid::{FieldProblem, InvalidAction};
pub use patch::{ActionPatch, FieldPatch};
pub use priority::{Priority, Reach};
pub use reconcile::{
    Change, NewAction, Reconciliation, Reopened, RunFacts, TrackedItem, reconcile,
};
pub use status::ActionStatus;
pub use verification::Verification;

use crate::id::{ActionId, MemberId, OrgId, ReportId, SiteId};
use crate::report::Variant;
use crate::{Dimension, Severity};

/// An action item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionItem {
    /// Its id.
    pub id: ActionId,
    /// The organization of the item.
    pub org_id: OrgId,
    /// The title: what to do, in one line.
    pub title: Title,
    /// The description: what to do, in detail.
    pub description: Description,
    /// The status.
    pub status: ActionStatus,
    /// The priority.
    pub priority: Priority,
    /// The assignee.
    pub assignee: Option<MemberId>,
    /// The due date.
    pub due_date: Option<DueDate>,
    /// The site of the item.
    pub site_id: Option<SiteId>,
    /// The data of the audit; `None` for an item that a person created. An item with it has a site.
    pub audit: Option<AuditFacts>,
    /// The number of comments.
    pub comment_count: u64,
    /// The status of its brief.
    pub brief_status: BriefStatus,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When a person last changed it, or an audit changed its status. New evidence, comments and briefs do
    /// not count, so that the time is meaningful on a site that is audited every night.
    pub updated_at: DateTime<Utc>,
    /// When it became done or dismissed; `None` while it is neither.
    pub resolved_at: Option<DateTime<Utc>>,
    /// When an audit verified the fix; set only on items that are done.
    pub verified_at: Option<DateTime<Utc>>,
}

/// The data of the latest audit that found an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFacts {
    /// The check.
    pub check_id: String,
    /// The dimension the check counts in.
    pub dimension: Dimension,
    /// The severity.
    pub severity: Severity,
    /// The latest report with the issue.
    pub report_id: ReportId,
    /// The pages it was found on: exact where that is known, else at least so many.
    pub affected_pages: u64,
}

impl ActionItem {
    /// Whether a variant shows the item. In the legacy variant, items of AI readiness checks are stored but
    /// not shown, counted or listed, so that changing the variant loses no data.
    #[must_use]
    pub fn is_shown_in(&self, variant: Variant) -> bool {
        self.audit
            .as_ref()
            .is_none_or(|audit| variant.dimensions().contains(&audit.dimension))
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
