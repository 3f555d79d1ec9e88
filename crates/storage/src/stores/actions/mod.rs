//! Action items, their comments and their briefs.

mod briefs;
mod change;
mod comments;
mod evidence;
mod list;
pub(crate) mod reconcile;
mod rows;
mod sightings;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::action::{
    ActionBrief, ActionComment, ActionCursor, ActionFilter, ActionItem, ActionPatch, BriefRequest,
    CommentCursor, Dossier, NewComment,
};
use domain::audit_log::Actor;
use domain::id::{ActionId, OrgId, SiteId};
use domain::idempotency::{Idempotent, IdempotentWrite};
use domain::ports::{
    ActionPage, ActionStore, ChangeActionError, CommentPage, JobClaim, LatestIssue, LeaseStatus,
    ListActionsError, Sighting, StoreError,
};
use domain::report::Variant;

pub(crate) use list::{open_by_site, open_critical, open_critical_by_site};

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::sites;
use crate::stores::idempotency;
use crate::stores::reports;

impl ActionStore for Database {
    fn actions(
        &self,
        org: &OrgId,
        filter: &ActionFilter,
        after: Option<&ActionCursor>,
        limit: u32,
    ) -> Result<ActionPage, ListActionsError> {
        self.read(|connection| {
            if let Some(site) = &filter.site
                && !crate::stores::site_rows::is_there(connection, org, site)?
            {
                return Ok(Err(ListActionsError::SiteNotFound));
            }
            list::page(connection, org, filter, after, limit).map(Ok)
        })?
    }

    fn action(
        &self,
        org: &OrgId,
        action: &ActionId,
        variant: Variant,
    ) -> Result<Option<ActionItem>, StoreError> {
        Ok(self.read(|connection| shown(connection, org, action, variant))?)
    }

    fn create_action(
        &self,
        org: &OrgId,
        item: &ActionItem,
        by: &Actor,
    ) -> Result<(), ChangeActionError> {
        self.write(|connection| change::create(connection, org, item, by))?
    }

    fn create_action_once(
        &self,
        org: &OrgId,
        item: &ActionItem,
        by: &Actor,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, ChangeActionError> {
        self.write(|connection| {
            idempotency::once(connection, org, Some(once), |connection| {
                change::create(connection, org, item, by)
            })
        })?
    }

    fn patch_action(
        &self,
        org: &OrgId,
        action: &ActionId,
        patch: &ActionPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<ActionItem, ChangeActionError> {
        self.write(|connection| change::patch(connection, org, action, patch, now, by))?
    }

    fn add_comment(
        &self,
        org: &OrgId,
        action: &ActionId,
        comment: &NewComment,
        once: Option<&IdempotentWrite<'_, ActionComment>>,
    ) -> Result<Idempotent<ActionComment>, ChangeActionError> {
        self.write(|connection| {
            idempotency::once(connection, org, once, |connection| {
                if !rows::lock(connection, org, action)? {
                    return Ok(Err(ChangeActionError::NotFound));
                }
                comments::add(connection, org, action, comment).map(Ok)
            })
        })?
    }

    fn comments(
        &self,
        org: &OrgId,
        action: &ActionId,
        after: Option<&CommentCursor>,
        limit: u32,
    ) -> Result<Option<CommentPage>, StoreError> {
        Ok(self.read(|connection| {
            if !rows::is_there(connection, org, action)? {
                return Ok(None);
            }
            comments::page(connection, org, action, after, limit).map(Some)
        })?)
    }

    fn brief(&self, org: &OrgId, action: &ActionId) -> Result<Option<ActionBrief>, StoreError> {
        Ok(self.read(|connection| {
            if !rows::is_there(connection, org, action)? {
                return Ok(None);
            }
            let asked = briefs::find(connection, org, action)?;
            Ok(Some(
                asked.unwrap_or_else(|| ActionBrief::none(action.clone())),
            ))
        })?)
    }

    fn queue_brief(
        &self,
        org: &OrgId,
        action: &ActionId,
        request: &BriefRequest,
        by: &Actor,
        once: Option<&IdempotentWrite<'_, ActionBrief>>,
    ) -> Result<Idempotent<ActionBrief>, ChangeActionError> {
        self.write(|connection| {
            idempotency::once(connection, org, once, |connection| {
                if !rows::lock(connection, org, action)? {
                    return Ok(Err(ChangeActionError::NotFound));
                }
                briefs::queue(connection, org, action, request, by).map(Ok)
            })
        })?
    }

    fn begin_brief(&self, claim: &JobClaim) -> Result<Option<ActionBrief>, StoreError> {
        Ok(self.write(|connection| briefs::begin(connection, claim))?)
    }

    fn finish_brief(
        &self,
        claim: &JobClaim,
        written: &Result<String, String>,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| briefs::finish(connection, claim, written, now))?)
    }

    fn dossier(
        &self,
        org: &OrgId,
        action: &ActionId,
        variant: Variant,
    ) -> Result<Option<Dossier>, StoreError> {
        Ok(self.read(|connection| dossier(connection, org, action, variant))?)
    }

    fn latest_issues(
        &self,
        org: &OrgId,
        actions: &[ActionId],
    ) -> Result<Vec<LatestIssue>, StoreError> {
        Ok(self.read(|connection| sightings::latest_issues(connection, org, actions))?)
    }

    fn sightings(
        &self,
        org: &OrgId,
        action: &ActionId,
        limit: u32,
    ) -> Result<Vec<Sighting>, StoreError> {
        Ok(self.read(|connection| sightings::sightings(connection, org, action, limit))?)
    }
}

/// Returns an item if the variant shows it.
fn shown(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    variant: Variant,
) -> Result<Option<ActionItem>, StorageError> {
    let found = rows::find(connection, org, action)?;
    Ok(found.filter(|item| item.is_shown_in(variant)))
}

fn dossier(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    variant: Variant,
) -> Result<Option<Dossier>, StorageError> {
    let Some(item) = shown(connection, org, action, variant)? else {
        return Ok(None);
    };
    let found = match &item.audit {
        Some(audit) => {
            reports::issue_of_check(connection, org, &audit.report_id, &audit.check_id, variant)?
        }
        None => None,
    };
    let site_url = match &item.site_id {
        Some(site) => site_url(connection, org, site)?,
        None => None,
    };
    let mode = found.as_ref().map(|found| found.mode);
    let (issue, issue_id) = found.map(|found| (found.issue, found.id)).unzip();
    Ok(Some(Dossier {
        found: evidence::mode_of(connection, action)?,
        item,
        site_url,
        issue,
        issue_id,
        mode,
    }))
}

fn site_url(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
) -> Result<Option<String>, StorageError> {
    Ok(sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq(site.as_str()))
        .select(sites::url)
        .get_result(connection)
        .optional()?)
}
