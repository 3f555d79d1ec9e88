//! What an audit changes of a site's action items.

mod found;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod world;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use self::found::Found;
use super::{
    ActionItem, ActionStatus, AuditFacts, Author, BriefStatus, CommentBody, Description, Evidence,
    NewComment, Priority, RunCoverage, Title,
};
use crate::SubjectKind;
use crate::id::{ActionId, CommentId, OrgId, ReportId, RunId, SiteId};
use crate::report::Issue;
use crate::sources::IdSource;

/// What must be known of an item that an earlier audit made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedItem {
    /// Its id.
    pub id: ActionId,
    /// Its check.
    pub check_id: String,
    /// The status.
    pub status: ActionStatus,
    /// When it became done or dismissed.
    pub resolved_at: Option<DateTime<Utc>>,
    /// When an audit showed that nothing is left of it.
    pub verified_at: Option<DateTime<Utc>>,
    /// When an audit last dismissed it because waivers accepted everything that was found.
    pub waived_at: Option<DateTime<Utc>>,
    /// The last time it was found.
    pub evidence: Evidence,
}

impl TrackedItem {
    /// Whether it is dismissed because of waivers, and no person has changed its status since.
    #[must_use]
    pub fn is_dismissed_by_waivers(&self) -> bool {
        // Every later change of the status changes `resolved_at`.
        self.status == ActionStatus::Dismissed
            && self.waived_at.is_some()
            && self.waived_at == self.resolved_at
    }
}

/// The run that ends with the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts<'a> {
    /// The run.
    pub run_id: &'a RunId,
    /// The report.
    pub report_id: &'a ReportId,
    /// The site.
    pub site_id: &'a SiteId,
    /// When the run was first claimed.
    pub started_at: DateTime<Utc>,
    /// When it completes.
    pub now: DateTime<Utc>,
    /// What it looked at.
    pub coverage: &'a RunCoverage,
}

/// An item that an audit makes: open, with no assignee, due date or comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAction {
    /// Its id.
    pub id: ActionId,
    /// Its site.
    pub site_id: SiteId,
    /// The title: what to do, in one line.
    pub title: Title,
    /// The description: what to do, in detail.
    pub description: Description,
    /// How much it matters, by severity and reach.
    pub priority: Priority,
    /// What the audit says of it.
    pub audit: AuditFacts,
    /// Where it was found.
    pub evidence: Evidence,
    /// When it is made; also when it was updated last.
    pub created_at: DateTime<Utc>,
}

impl NewAction {
    /// The item of an organization that it becomes.
    #[must_use]
    pub fn item(&self, org: &OrgId) -> ActionItem {
        ActionItem {
            id: self.id.clone(),
            org_id: org.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            status: ActionStatus::Open,
            priority: self.priority,
            assignee: None,
            due_date: None,
            site_id: Some(self.site_id.clone()),
            audit: Some(self.audit.clone()),
            comment_count: 0,
            brief_status: BriefStatus::None,
            created_at: self.created_at,
            updated_at: self.created_at,
            resolved_at: None,
            verified_at: None,
        }
    }
}

/// A change to one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A new item.
    Open(Box<NewAction>),
    /// It was found again: what the audit says and the evidence are replaced, all else stays, also
    /// `updated_at`.
    Refresh {
        /// The item.
        id: ActionId,
        /// What the audit says of it.
        audit: AuditFacts,
        /// Where it was found.
        evidence: Evidence,
    },
    /// It was not found where it was found before: it becomes, or stays, `done`, and is verified.
    Verify {
        /// The item.
        id: ActionId,
        /// When it became done: now, or when a person said so.
        resolved_at: DateTime<Utc>,
        /// Now; also when it was updated last.
        verified_at: DateTime<Utc>,
        /// Says which run showed it.
        comment: NewComment,
    },
    /// It was found, and waivers accept everything that was found: it becomes `dismissed`, what the audit says and
    /// the evidence are replaced.
    Dismiss {
        /// The item.
        id: ActionId,
        /// What the audit says of it.
        audit: AuditFacts,
        /// Where it was found.
        evidence: Evidence,
        /// When; also when it was updated last.
        at: DateTime<Utc>,
        /// Says which run found only what waivers accept.
        comment: NewComment,
    },
    /// It is found again. It becomes `open`, `resolved_at` and `verified_at` are cleared, what the audit says and
    /// the evidence are replaced.
    Reopen {
        /// The item.
        id: ActionId,
        /// Why it is open again.
        why: Reopened,
        /// What the audit says of it.
        audit: AuditFacts,
        /// Where it was found.
        evidence: Evidence,
        /// When; also when it was updated last.
        at: DateTime<Utc>,
        /// Says which run found it.
        comment: NewComment,
    },
}

/// Why an audit opens an item again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reopened {
    /// It was done: a regression.
    Regression,
    /// Waivers accepted everything that was found, and no longer do.
    NoLongerWaived,
}

impl Change {
    /// What the audit log says of the change, and of which item. Nothing of newer evidence, by which
    /// nothing changes for anybody.
    #[must_use]
    pub fn event(&self) -> Option<(&'static str, &ActionId)> {
        match self {
            Self::Open(new) => Some(("action.opened", &new.id)),
            Self::Refresh { .. } => None,
            Self::Verify { id, .. } => Some(("action.verified", id)),
            Self::Dismiss { id, .. } => Some(("action.dismissed", id)),
            Self::Reopen { id, .. } => Some(("action.reopened", id)),
        }
    }
}

/// What an audit changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reconciliation {
    /// The changes, at most one for each item.
    pub changes: Vec<Change>,
    /// For each issue of the report, in its order, the item it belongs to.
    pub action_ids: Vec<Option<ActionId>>,
}

/// Compares a report with the items that earlier audits of the site made.
///
/// `items` are all items of the organization's site that have a check, with their evidence, whatever
/// their status; `issues` are those of the report in the current variant.
///
/// - Found, and no item yet: one is opened for the check, unless the issue is `info` or waivers accept all of it.
/// - Found, and `open` or `in_progress`: the evidence is refreshed. Pages that it was found on before and that this
///   run did not look at stay part of it. Without such pages it is dismissed if waivers accept all of the issue.
/// - Found, and `dismissed`: the evidence is refreshed. If an audit dismissed it because of waivers, before the run
///   began, and they no longer accept all of the issue, it is reopened.
/// - Found, and `done`: reopened, unless it was done after the run began, whose pages may be older
///   than the repair; or the issue is `info` or accepted by waivers, which is no work to be done.
/// - Not found, in a run that [covers](RunCoverage::covers) the evidence and began after it was
///   found: `open` and `in_progress` become `done` and verified; what a person said to be done is
///   verified. `dismissed` stays as it is.
/// - Not found otherwise: nothing is known, nothing changes.
///
/// The same report again changes nothing but evidence.
#[must_use]
pub fn reconcile(
    items: &[TrackedItem],
    issues: &[Issue],
    run: &RunFacts<'_>,
    ids: &dyn IdSource,
) -> Reconciliation {
    let found: BTreeMap<_, _> = issues
        .iter()
        .map(|issue| (issue.check_id.as_str(), Found(issue)))
        .collect();
    let mut known: BTreeMap<&str, ActionId> = BTreeMap::new();
    let mut changes = Vec::new();
    for item in items {
        // One item for each check; were there two, the first is kept up.
        if known.contains_key(item.check_id.as_str()) {
            continue;
        }
        known.insert(&item.check_id, item.id.clone());
        changes.extend(match found.get(item.check_id.as_str()) {
            Some(found) => Some(found_again(item, *found, run, ids)),
            None => not_found(item, run, ids),
        });
    }
    let mut action_ids = Vec::with_capacity(issues.len());
    for issue in issues {
        let check_id = issue.check_id.as_str();
        // The ids of new items rise in the order of the report.
        if !known.contains_key(check_id)
            && let Some(action) = found.get(check_id).and_then(|found| found.open(run, ids))
        {
            known.insert(check_id, action.id.clone());
            changes.push(Change::Open(Box::new(action)));
        }
        action_ids.push(known.get(check_id).cloned());
    }
    Reconciliation {
        changes,
        action_ids,
    }
}

fn found_again(
    item: &TrackedItem,
    found: Found<'_>,
    run: &RunFacts<'_>,
    ids: &dyn IdSource,
) -> Change {
    let id = item.id.clone();
    let fresh = found.evidence(run);
    // A run that looked at some of the pages alone says nothing of the others, unless these were verified.
    let mut unseen = run.coverage.unseen(&item.check_id, &item.evidence);
    unseen.retain(|page| item.verified_at.is_none() && !fresh.pages.contains(page));
    let mut audit = found.facts(run);
    let carried = u64::try_from(unseen.len()).unwrap_or(u64::MAX);
    audit.affected_pages = audit.affected_pages.saturating_add(carried);
    let seen = fresh.pages.clone();
    let evidence = fresh.with_unseen(&item.evidence, unseen, run.coverage);
    let is_all_seen = evidence.pages.is_subset(&seen);
    let is_to_do = matches!(item.status, ActionStatus::Open | ActionStatus::InProgress);
    if is_to_do && found.is_waived() && is_all_seen {
        let body = format!(
            "Dismissed: waivers accept everything that run {} found of it.",
            run.run_id
        );
        return Change::Dismiss {
            id,
            audit,
            evidence,
            at: run.now,
            comment: comment(body, run, ids),
        };
    }
    let Some(why) = reopened(item, found, run) else {
        return Change::Refresh {
            id,
            audit,
            evidence,
        };
    };
    let run_id = run.run_id;
    let body = match why {
        Reopened::Regression => format!("Found again by run {run_id}: reopened as a regression."),
        Reopened::NoLongerWaived => {
            format!("Reopened: waivers no longer accept everything that run {run_id} found of it.")
        }
    };
    Change::Reopen {
        id,
        why,
        audit,
        evidence,
        at: run.now,
        comment: comment(body, run, ids),
    }
}

/// Why an item that was found is open again; none where it stays as it is.
fn reopened(item: &TrackedItem, found: Found<'_>, run: &RunFacts<'_>) -> Option<Reopened> {
    // The pages of a run that began earlier may be older than the repair, and its waivers others.
    let is_resolved_before = item.resolved_at.is_none_or(|at| at < run.started_at);
    if !is_resolved_before || !found.is_work() {
        return None;
    }
    match item.status {
        ActionStatus::Done => Some(Reopened::Regression),
        ActionStatus::Dismissed if item.is_dismissed_by_waivers() => Some(Reopened::NoLongerWaived),
        ActionStatus::Open | ActionStatus::InProgress | ActionStatus::Dismissed => None,
    }
}

fn not_found(item: &TrackedItem, run: &RunFacts<'_>, ids: &dyn IdSource) -> Option<Change> {
    let resolved_at = match item.status {
        ActionStatus::Open | ActionStatus::InProgress => run.now,
        ActionStatus::Done if item.verified_at.is_none() => item.resolved_at.unwrap_or(run.now),
        ActionStatus::Done | ActionStatus::Dismissed => return None,
    };
    let evidence = &item.evidence;
    if evidence.found_at > run.started_at || !run.coverage.covers(&item.check_id, evidence) {
        return None;
    }
    let body = format!("Verified: run {} {}", run.run_id, looked(evidence));
    Some(Change::Verify {
        id: item.id.clone(),
        resolved_at,
        verified_at: run.now,
        comment: comment(body, run, ids),
    })
}

/// Where a run looked that found nothing any more.
const fn looked(evidence: &Evidence) -> &'static str {
    match evidence.subject {
        SubjectKind::Page if evidence.all_pages => {
            "audited every affected page and no longer found the issue."
        }
        SubjectKind::Page | SubjectKind::Resource | SubjectKind::Site => {
            "audited the whole site and no longer found the issue."
        }
        SubjectKind::Origin => "checked the server again and no longer found the issue.",
    }
}

fn comment(body: String, run: &RunFacts<'_>, ids: &dyn IdSource) -> NewComment {
    NewComment {
        id: CommentId::make(ids),
        body: CommentBody::ours(body),
        author: Author::System,
        created_at: run.now,
    }
}
