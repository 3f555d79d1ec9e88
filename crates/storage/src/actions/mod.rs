//! Action items, their comments and their briefs.

use chrono::{DateTime, TimeDelta, Utc};
use domain::action::{
    ActionBrief, ActionComment, ActionCursor, ActionFilter, ActionItem, ActionPatch, BriefRequest,
    CommentCursor, Dossier, NewComment,
};
use domain::audit_log::Actor;
use domain::id::{ActionId, OrgId};
use domain::idempotency::{Once, Told};
use domain::ports::{
    ActionPage, ActionStore, BriefClaim, ChangeActionError, CommentPage, Held, ListActionsError,
    StoreError, WorkerId,
};
use domain::report::Variant;

use crate::database::Database;

impl ActionStore for Database {
    fn actions(
        &self,
        _org: &OrgId,
        _filter: &ActionFilter,
        _after: Option<&ActionCursor>,
        _limit: u32,
    ) -> Result<ActionPage, ListActionsError> {
        Err(StoreError::Failed("not built".to_owned()).into())
    }

    fn action(
        &self,
        _org: &OrgId,
        _action: &ActionId,
        _variant: Variant,
    ) -> Result<Option<ActionItem>, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn create_action(
        &self,
        _org: &OrgId,
        _item: &ActionItem,
        _by: &Actor,
    ) -> Result<(), ChangeActionError> {
        Err(StoreError::Failed("not built".to_owned()).into())
    }

    fn patch_action(
        &self,
        _org: &OrgId,
        _action: &ActionId,
        _patch: &ActionPatch,
        _now: DateTime<Utc>,
        _by: &Actor,
    ) -> Result<ActionItem, ChangeActionError> {
        Err(StoreError::Failed("not built".to_owned()).into())
    }

    fn add_comment(
        &self,
        _org: &OrgId,
        _action: &ActionId,
        _comment: &NewComment,
        _once: Option<&Once<'_, ActionComment>>,
    ) -> Result<Told<ActionComment>, ChangeActionError> {
        Err(StoreError::Failed("not built".to_owned()).into())
    }

    fn comments(
        &self,
        _org: &OrgId,
        _action: &ActionId,
        _after: Option<&CommentCursor>,
        _limit: u32,
    ) -> Result<Option<CommentPage>, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn brief(&self, _org: &OrgId, _action: &ActionId) -> Result<Option<ActionBrief>, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn queue_brief(
        &self,
        _org: &OrgId,
        _action: &ActionId,
        _request: &BriefRequest,
        _by: &Actor,
        _once: Option<&Once<'_, ActionBrief>>,
    ) -> Result<Told<ActionBrief>, ChangeActionError> {
        Err(StoreError::Failed("not built".to_owned()).into())
    }

    fn claim_brief(
        &self,
        _worker: &WorkerId,
        _lease: TimeDelta,
        _now: DateTime<Utc>,
    ) -> Result<Option<BriefClaim>, StoreError> {
        Ok(None)
    }

    fn finish_brief(
        &self,
        _claim: &BriefClaim,
        _written: &Result<String, String>,
        _now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }

    fn dossier(
        &self,
        _org: &OrgId,
        _action: &ActionId,
        _variant: Variant,
    ) -> Result<Option<Dossier>, StoreError> {
        Err(StoreError::Failed("not built".to_owned()))
    }
}
