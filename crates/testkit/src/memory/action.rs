//! Action items, their comments and their briefs.

use chrono::{DateTime, TimeDelta, Utc};
use domain::action::{
    ActionBrief, ActionComment, ActionCursor, ActionFilter, ActionItem, ActionPatch, Author,
    BriefRequest, CommentCursor, Dossier, Evidence, FieldPatch, NewComment,
};
use domain::audit_log::Actor;
use domain::event::EventFacts;
use domain::id::{ActionId, MemberId, OrgId, SiteId};
use domain::idempotency::{Once, Told};
use domain::ports::{
    ActionPage, ActionStore, BriefClaim, ChangeActionError, CommentPage, Held, ListActionsError,
    ReportDetail, StoreError, WorkerId,
};
use domain::report::{Issue, Variant};

use super::MemoryStores;
use super::brief::KeptBrief;
use super::state::State;

/// An item with all that goes when it goes.
#[derive(Debug)]
pub(super) struct KeptAction {
    pub(super) item: ActionItem,
    /// Of an item that an audit made.
    pub(super) evidence: Option<Evidence>,
    pub(super) comments: Vec<ActionComment>,
    /// None where nobody asked for one.
    pub(super) brief: Option<KeptBrief>,
}

impl KeptAction {
    /// An item that a person made.
    pub(super) const fn by_hand(item: ActionItem) -> Self {
        Self {
            item,
            evidence: None,
            comments: Vec::new(),
            brief: None,
        }
    }

    pub(super) fn add_comment(&mut self, new: &NewComment) -> ActionComment {
        let comment = ActionComment {
            id: new.id.clone(),
            action_id: self.item.id.clone(),
            body: new.body.clone(),
            author: new.author.clone(),
            created_at: new.created_at,
        };
        self.comments.push(comment.clone());
        self.item.comment_count += 1;
        comment
    }

    fn page_of_comments(&self, after: Option<&CommentCursor>, limit: u32) -> CommentPage {
        let mut comments = self.comments.clone();
        comments.retain(|known| after.is_none_or(|cursor| CommentCursor::of(known) > *cursor));
        comments.sort_by_key(CommentCursor::of);
        let goes_on = cut(&mut comments, limit);
        let last = comments.last().filter(|_| goes_on);
        CommentPage {
            next: last.map(CommentCursor::of),
            comments,
        }
    }
}

/// Cuts a list to its limit, and tells whether it goes on.
fn cut<T>(list: &mut Vec<T>, limit: u32) -> bool {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = list.len() > limit;
    list.truncate(limit);
    goes_on
}

impl State {
    fn kept_action(&self, org: &OrgId, action: &ActionId) -> Option<&KeptAction> {
        let kept = self.actions.get(action);
        kept.filter(|kept| kept.item.org_id == *org)
    }

    pub(super) fn action_mut(
        &mut self,
        org: &OrgId,
        action: &ActionId,
    ) -> Result<&mut KeptAction, ChangeActionError> {
        let kept = self.actions.get_mut(action);
        kept.filter(|kept| kept.item.org_id == *org)
            .ok_or(ChangeActionError::NotFound)
    }

    /// How many items of a site are open or in progress.
    pub(super) fn open_actions_of(&self, site: &SiteId, variant: Variant) -> u64 {
        let open = self.actions.values().map(|kept| &kept.item).filter(|item| {
            item.site_id.as_ref() == Some(site)
                && !item.status.is_resolved()
                && item.is_shown_in(variant)
        });
        u64::try_from(open.count()).unwrap_or(u64::MAX)
    }

    /// Leaves the items of a member who is gone to nobody.
    pub(super) fn unassign(&mut self, member: &MemberId) {
        for kept in self.actions.values_mut() {
            kept.item.assignee.take_if(|assignee| assignee == member);
        }
    }

    fn page_of_actions(
        &self,
        org: &OrgId,
        filter: &ActionFilter,
        after: Option<&ActionCursor>,
        limit: u32,
    ) -> ActionPage {
        let is_behind =
            |item: &ActionItem| after.is_none_or(|cursor| ActionCursor::of(item) > *cursor);
        let items = self.actions.values().map(|kept| kept.item.clone());
        let mut items: Vec<_> = items.collect();
        items.retain(|item| item.org_id == *org && filter.shows(item) && is_behind(item));
        items.sort_by_key(ActionCursor::of);
        let goes_on = cut(&mut items, limit);
        let last = items.last().filter(|_| goes_on);
        ActionPage {
            next: last.map(ActionCursor::of),
            items,
        }
    }

    fn has_member(&self, org: &OrgId, member: &MemberId) -> bool {
        let mut members = self.members.iter();
        members.any(|(of, known)| of == org && known.id == *member)
    }

    fn create_action(
        &mut self,
        org: &OrgId,
        item: &ActionItem,
        by: &Actor,
    ) -> Result<(), ChangeActionError> {
        if self.org(org).is_none() || item.org_id != *org || item.audit.is_some() {
            let text = format!("{} is no item that a person of {org} made", item.id);
            return Err(StoreError::Failed(text).into());
        }
        if self.actions.contains_key(&item.id) {
            return Err(StoreError::Failed(format!("{} is there", item.id)).into());
        }
        let is_missing = |site| self.site(org, site).is_none();
        if item.site_id.as_ref().is_some_and(is_missing) {
            return Err(ChangeActionError::SiteNotFound);
        }
        let is_stranger = |member| !self.has_member(org, member);
        if item.assignee.as_ref().is_some_and(is_stranger) {
            return Err(ChangeActionError::NoMember);
        }
        let kept = KeptAction::by_hand(item.clone());
        self.actions.insert(item.id.clone(), kept);
        let what = (item.id.as_str(), item.priority.to_string());
        self.note(org, item.created_at, by, "action.created", what);
        Ok(())
    }

    fn patch_action(
        &mut self,
        org: &OrgId,
        action: &ActionId,
        patch: &ActionPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<ActionItem, ChangeActionError> {
        let known = self.action_mut(org, action)?.item.assignee.clone();
        if let FieldPatch::Set(member) = &patch.assignee
            && known.as_ref() != Some(member)
            && !self.has_member(org, member)
        {
            return Err(ChangeActionError::NoMember);
        }
        let item = &mut self.action_mut(org, action)?.item;
        let changed = patch.apply(item, now);
        let item = item.clone();
        if !changed.is_empty() {
            let what = (action.as_str(), changed.join(", "));
            self.note(org, now, by, "action.updated", what);
            self.tell(org, now, EventFacts::of_patch(&item, &changed));
        }
        Ok(item)
    }

    fn dossier(&self, org: &OrgId, action: &ActionId, variant: Variant) -> Option<Dossier> {
        let item = &self.kept_action(org, action)?.item;
        let site = item.site_id.as_ref().and_then(|site| self.site(org, site));
        item.is_shown_in(variant).then(|| Dossier {
            item: item.clone(),
            site_url: site.map(|site| site.url.clone()),
            issue: self.issue_of_item(item, variant),
        })
    }

    fn issue_of_item(&self, item: &ActionItem, variant: Variant) -> Option<Issue> {
        let audit = item.audit.as_ref()?;
        let kept = self.reports.get(&audit.report_id)?;
        let issues = self
            .issues_of(kept, variant, ReportDetail::Inline)
            .into_iter();
        let mut issues = issues.map(|(issue, _)| issue);
        issues.find(|issue| issue.check_id == audit.check_id)
    }
}

impl ActionStore for MemoryStores {
    fn actions(
        &self,
        org: &OrgId,
        filter: &ActionFilter,
        after: Option<&ActionCursor>,
        limit: u32,
    ) -> Result<ActionPage, ListActionsError> {
        let state = self.open()?;
        let is_missing = |site| state.site(org, site).is_none();
        if filter.site.as_ref().is_some_and(is_missing) {
            return Err(ListActionsError::SiteNotFound);
        }
        Ok(state.page_of_actions(org, filter, after, limit))
    }

    fn action(
        &self,
        org: &OrgId,
        action: &ActionId,
        variant: Variant,
    ) -> Result<Option<ActionItem>, StoreError> {
        let state = self.open()?;
        let item = state.kept_action(org, action).map(|kept| &kept.item);
        Ok(item.filter(|item| item.is_shown_in(variant)).cloned())
    }

    fn create_action(
        &self,
        org: &OrgId,
        item: &ActionItem,
        by: &Actor,
    ) -> Result<(), ChangeActionError> {
        self.open()?.create_action(org, item, by)
    }

    fn patch_action(
        &self,
        org: &OrgId,
        action: &ActionId,
        patch: &ActionPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<ActionItem, ChangeActionError> {
        self.open()?.patch_action(org, action, patch, now, by)
    }

    fn add_comment(
        &self,
        org: &OrgId,
        action: &ActionId,
        comment: &NewComment,
        once: Option<&Once<'_, ActionComment>>,
    ) -> Result<Told<ActionComment>, ChangeActionError> {
        self.open()?.once(org, once, |state| {
            let added = state.action_mut(org, action)?.add_comment(comment);
            // What the service says goes with a change that has a line of its own.
            if comment.author != Author::System {
                let what = (action.as_str(), comment.id.to_string());
                let by = comment.author.actor();
                state.note(org, comment.created_at, &by, "comment.added", what);
            }
            Ok(added)
        })
    }

    fn comments(
        &self,
        org: &OrgId,
        action: &ActionId,
        after: Option<&CommentCursor>,
        limit: u32,
    ) -> Result<Option<CommentPage>, StoreError> {
        let state = self.open()?;
        let kept = state.kept_action(org, action);
        Ok(kept.map(|kept| kept.page_of_comments(after, limit)))
    }

    fn brief(&self, org: &OrgId, action: &ActionId) -> Result<Option<ActionBrief>, StoreError> {
        let state = self.open()?;
        let kept = state.kept_action(org, action);
        Ok(kept.map(|kept| match &kept.brief {
            Some(asked) => asked.brief.clone(),
            None => ActionBrief::none(action.clone()),
        }))
    }

    fn queue_brief(
        &self,
        org: &OrgId,
        action: &ActionId,
        request: &BriefRequest,
        by: &Actor,
        once: Option<&Once<'_, ActionBrief>>,
    ) -> Result<Told<ActionBrief>, ChangeActionError> {
        self.open()?.once(org, once, |state| {
            state.queue_brief(org, action, request, by)
        })
    }

    fn claim_brief(
        &self,
        worker: &WorkerId,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Result<Option<BriefClaim>, StoreError> {
        Ok(self.open()?.claim_brief(worker, lease, now))
    }

    fn finish_brief(
        &self,
        claim: &BriefClaim,
        written: &Result<String, String>,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        Ok(self.open()?.finish_brief(claim, written, now))
    }

    fn dossier(
        &self,
        org: &OrgId,
        action: &ActionId,
        variant: Variant,
    ) -> Result<Option<Dossier>, StoreError> {
        Ok(self.open()?.dossier(org, action, variant))
    }
}
