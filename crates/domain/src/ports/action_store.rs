//! Where action items, their comments and their briefs are kept.

use chrono::{DateTime, Utc};

use super::{JobClaim, LeaseStatus, StoreError};
use crate::SubjectKind;
use crate::action::{
    ActionBrief, ActionComment, ActionCursor, ActionFilter, ActionItem, ActionPatch, BriefRequest,
    CommentCursor, Dossier, NewComment,
};
use crate::audit_log::Actor;
use crate::id::{ActionId, IssueId, OrgId, ReportId};
use crate::idempotency::{Idempotent, IdempotentWrite, KeyReused};
use crate::report::Variant;

/// A page of a list of action items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionPage {
    /// The items, by priority, newest first, and id.
    pub items: Vec<ActionItem>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<ActionCursor>,
}

/// A page of a list of comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentPage {
    /// The comments, oldest first.
    pub comments: Vec<ActionComment>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<CommentCursor>,
}

/// The issue of an item's check in the report that found it last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatestIssue {
    /// The item.
    pub action_id: ActionId,
    /// The issue.
    pub issue_id: IssueId,
    /// How often it occurs in that report, including occurrences that are not stored.
    pub occurrences_total: u64,
}

/// An audit of an item's site, with what it found of the item's check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// The report of the audit.
    pub report_id: ReportId,
    /// When the report was made.
    pub created_at: DateTime<Utc>,
    /// The issue of the item's check; none where the audit did not find it.
    pub found: Option<SightedIssue>,
}

/// An issue as the history of an item shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SightedIssue {
    /// The issue.
    pub issue_id: IssueId,
    /// What the check judges.
    pub subject: SubjectKind,
    /// How often it occurs, including occurrences that are not stored.
    pub occurrences_total: u64,
    /// The subjects it was found in.
    pub affected: u64,
    /// The pages it was found on.
    pub affected_pages: u64,
}

/// Why action items are not listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListActionsError {
    /// The organization has no site of the filter's id.
    #[error("the organization has no such site")]
    SiteNotFound,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an action item is not made or changed. The order is that in which it is judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeActionError {
    /// The Idempotency-Key was used for another call.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The organization has no such item.
    #[error("the organization has no such action item")]
    NotFound,
    /// The organization has no such site.
    #[error("the organization has no such site")]
    SiteNotFound,
    /// The assignee is not a member of the organization.
    #[error("the organization has no such member")]
    NoMember,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where action items, their comments and their briefs are kept. What a person changes of an item, and
/// that a brief is asked for, leaves a line in the audit log, in the same transaction.
///
/// # Reconciliation
///
/// Items of audits are made and closed by no method of this trait, but by [`JobQueue::complete`], in
/// the transaction that completes the run. A store does there, once the claim is known to be held:
///
/// 1. Lock the site's row (PostgreSQL: `SELECT … FOR NO KEY UPDATE`, which lets new runs of the site
///    begin), so that two runs of one site that complete at once do not both open an item.
/// 2. Lock the site's items that have a check, so that what a person changes at the same time is seen
///    or comes later, and load them as [`TrackedItem`]s, with their [`Evidence`].
/// 3. Call [`reconcile`] with them, the issues of the current report, and [`RunFacts`].
/// 4. Apply each [`Change`] as its documentation says; a comment of a change is inserted and counted.
/// 5. Insert the issues with `action_ids`, one for each in their order.
///
/// A unique index on organization, site and check backs the promise that there is one item for each.
/// Nothing of it is visible unless the transaction commits; a worker whose claim was lost changes
/// nothing.
///
/// [`JobQueue::complete`]: super::JobQueue::complete
/// [`TrackedItem`]: crate::action::TrackedItem
/// [`Evidence`]: crate::action::Evidence
/// [`reconcile`]: crate::action::reconcile
/// [`RunFacts`]: crate::action::RunFacts
/// [`Change`]: crate::action::Change
pub trait ActionStore: Send + Sync {
    /// The items that a filter shows, by priority, newest first, and id, at most `limit`, from
    /// behind a cursor on. An assignee who is no member is no error: nothing is assigned to them.
    ///
    /// # Errors
    /// When the organization has no site of the filter's id, or the database fails.
    fn actions(
        &self,
        org: &OrgId,
        filter: &ActionFilter,
        after: Option<&ActionCursor>,
        limit: u32,
    ) -> Result<ActionPage, ListActionsError>;

    /// One item, if the variant shows it.
    ///
    /// # Errors
    /// When the database fails.
    fn action(
        &self,
        org: &OrgId,
        action: &ActionId,
        variant: Variant,
    ) -> Result<Option<ActionItem>, StoreError>;

    /// Stores an item that a person made: its `audit` is none, its `org_id` is `org`. Site and
    /// assignee are judged in the transaction.
    ///
    /// # Errors
    /// When the organization has no such site or member, or the database fails.
    fn create_action(
        &self,
        org: &OrgId,
        item: &ActionItem,
        by: &Actor,
    ) -> Result<(), ChangeActionError>;

    /// Stores an item as [`ActionStore::create_action`] does, unless the same call did so before. The answer is stored
    /// in the transaction; a call that is refused stores none.
    ///
    /// # Errors
    /// As [`ActionStore::create_action`], and [`ChangeActionError::KeyReused`].
    fn create_action_once(
        &self,
        org: &OrgId,
        item: &ActionItem,
        by: &Actor,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, ChangeActionError>;

    /// Makes the change of a person, as [`ActionPatch::apply`] has it, in one transaction, and
    /// answers the item as it is then. The assignee is judged in the transaction; that of an item
    /// that keeps its assignee is not judged again.
    ///
    /// # Errors
    /// When the organization has no such item or member, or the database fails; nothing is changed
    /// then.
    fn patch_action(
        &self,
        org: &OrgId,
        action: &ActionId,
        patch: &ActionPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<ActionItem, ChangeActionError>;

    /// Adds a comment and counts it. With `once`, what was stored of an earlier call is judged first,
    /// and the answer is stored in the transaction; a call that is refused stores none.
    ///
    /// # Errors
    /// When the organization has no such item, the Idempotency-Key was used for another call, or the
    /// database fails.
    fn add_comment(
        &self,
        org: &OrgId,
        action: &ActionId,
        comment: &NewComment,
        once: Option<&IdempotentWrite<'_, ActionComment>>,
    ) -> Result<Idempotent<ActionComment>, ChangeActionError>;

    /// The comments on an item, oldest first, at most `limit`, from behind a cursor on. None where
    /// there is no such item.
    ///
    /// # Errors
    /// When the database fails.
    fn comments(
        &self,
        org: &OrgId,
        action: &ActionId,
        after: Option<&CommentCursor>,
        limit: u32,
    ) -> Result<Option<CommentPage>, StoreError>;

    /// The brief of an item, [`ActionBrief::none`] where nobody asked for one. None where there is
    /// no such item.
    ///
    /// # Errors
    /// When the database fails.
    fn brief(&self, org: &OrgId, action: &ActionId) -> Result<Option<ActionBrief>, StoreError>;

    /// Asks for a brief, as [`ActionBrief::ask`] has it, in one transaction: asking while one is
    /// queued queues nothing twice. Answers the brief as it is then. The item's `brief_status` is the
    /// brief's. `once` is as with [`ActionStore::add_comment`].
    ///
    /// # Errors
    /// When the organization has no such item, the Idempotency-Key was used for another call, or the
    /// database fails.
    fn queue_brief(
        &self,
        org: &OrgId,
        action: &ActionId,
        request: &BriefRequest,
        by: &Actor,
        once: Option<&IdempotentWrite<'_, ActionBrief>>,
    ) -> Result<Idempotent<ActionBrief>, ChangeActionError>;

    /// Marks a brief as `generating` under the claim on its job ([`JobKind::Brief`]), and returns it.
    /// None where the claim is lost, the item is gone, or the brief is written already.
    ///
    /// [`JobKind::Brief`]: super::JobKind::Brief
    ///
    /// # Errors
    /// When the database fails.
    fn begin_brief(&self, claim: &JobClaim) -> Result<Option<ActionBrief>, StoreError>;

    /// Stores what was written, or why nothing was, as [`ActionBrief::finish`] has it, and ends the job.
    /// Lost, and nothing is changed, where the brief was asked for again, another worker has the job, or
    /// the item is gone.
    ///
    /// # Errors
    /// When the database fails; the brief is then as before.
    fn finish_brief(
        &self,
        claim: &JobClaim,
        written: &Result<String, String>,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// What briefs and handoffs are written from: an item that the variant shows, with the issues of
    /// its check in the report that found it last. None where there is no such item.
    ///
    /// # Errors
    /// When the database fails.
    fn dossier(
        &self,
        org: &OrgId,
        action: &ActionId,
        variant: Variant,
    ) -> Result<Option<Dossier>, StoreError>;

    /// The issues of the checks of these items in the reports that found them last, in no order. There is none of an
    /// item that a person made, of one whose report is gone, and of one that the organization does not have.
    ///
    /// # Errors
    /// When the database fails.
    fn latest_issues(
        &self,
        org: &OrgId,
        actions: &[ActionId],
    ) -> Result<Vec<LatestIssue>, StoreError>;

    /// The latest audits of the site of an item that an audit made, newest first, at most `limit`, whether they found
    /// it or not. Empty for an item that a person made, and where there is no such item.
    ///
    /// # Errors
    /// When the database fails.
    fn sightings(
        &self,
        org: &OrgId,
        action: &ActionId,
        limit: u32,
    ) -> Result<Vec<Sighting>, StoreError>;
}
