//! Action items: tasks on a site that persist across audits.
//!
//! An item comes from an audit or from a person. One that comes from an audit belongs to a site and a
//! check, and there is one for each pair: [`reconcile`] opens it, keeps its evidence fresh, closes it
//! when an audit shows that nothing is left of it, and opens it again when it comes back. What a
//! person says of an item (title, description, status, priority, assignee, due date) is that person's:
//! an audit changes none of it but the status, and never that of an item that was dismissed.

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

use chrono::{DateTime, Utc};

pub use crate::page_key::PageKey;
pub use brief::{
    ActionBrief, BRIEF_FORMAT, BRIEF_GIVEN_UP, BriefRequest, BriefStatus, Instructions,
    MAX_BRIEF_ATTEMPTS, MAX_INSTRUCTIONS_CHARS,
};
pub use comment::{ActionComment, Author, CommentBody, MAX_COMMENT_CHARS, NewComment};
pub use coverage::{PageSeen, RunCoverage};
pub use cursor::{ActionCursor, CommentCursor};
pub use dossier::Dossier;
pub use evidence::{Evidence, MAX_EVIDENCE_PAGES, Sight};
pub use fields::{Description, DueDate, MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS, Title};
pub use filter::ActionFilter;
pub use handoff::{HandoffFormat, HandoffIds, MAX_HANDOFF_ITEMS};
pub use invalid::{FieldProblem, InvalidAction};
pub use patch::{ActionPatch, FieldPatch};
pub use priority::{Priority, Reach};
pub use reconcile::{Change, NewAction, Reconciliation, RunFacts, TrackedItem, reconcile};
pub use status::ActionStatus;

use crate::id::{ActionId, MemberId, OrgId, ReportId, SiteId};
use crate::report::Variant;
use crate::{Dimension, Severity};

/// Something to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionItem {
    /// Its id.
    pub id: ActionId,
    /// Whose item it is.
    pub org_id: OrgId,
    /// The title: what to do, in one line.
    pub title: Title,
    /// The description: what to do, in detail.
    pub description: Description,
    /// The status.
    pub status: ActionStatus,
    /// How much it matters to the organization.
    pub priority: Priority,
    /// Who is to do it.
    pub assignee: Option<MemberId>,
    /// Until when.
    pub due_date: Option<DueDate>,
    /// The site it is about.
    pub site_id: Option<SiteId>,
    /// What an audit says of it; none for an item that a person made. An item that has it has a site.
    pub audit: Option<AuditFacts>,
    /// How many comments it has.
    pub comment_count: u64,
    /// The status of its brief.
    pub brief_status: BriefStatus,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When a person changed it last, or an audit changed its status. Fresh evidence, comments and
    /// briefs do not count, so that it says something on a site that is audited every night.
    pub updated_at: DateTime<Utc>,
    /// When it became done or dismissed; none while it is neither.
    pub resolved_at: Option<DateTime<Utc>>,
    /// When an audit showed that nothing is left of it; set on items that are done alone.
    pub verified_at: Option<DateTime<Utc>>,
}

/// What the last audit that found an item says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFacts {
    /// The check.
    pub check_id: String,
    /// The dimension the check counts in.
    pub dimension: Dimension,
    /// The severity.
    pub severity: Severity,
    /// The report that found it last.
    pub report_id: ReportId,
    /// The pages it was found on: exact where that is known, else at least so many.
    pub affected_pages: u64,
}

impl ActionItem {
    /// Whether a variant shows the item. In the older one, items of checks of AI readiness are kept
    /// and not shown, counted or listed, so that a change of the variant loses nothing.
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
