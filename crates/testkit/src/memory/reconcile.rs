//! What an audit changes of a site's action items.

use domain::action::{
    ActionStatus, AuditFacts, Change, Evidence, NewAction, RunFacts, TrackedItem, reconcile,
};
use domain::event::EventFacts;
use domain::id::{ActionId, OrgId, SiteId};
use domain::ports::IdSource;
use domain::report::Issue;

use super::action::KeptAction;
use super::state::State;

impl KeptAction {
    fn opened(org: &OrgId, new: &NewAction) -> Self {
        Self {
            evidence: Some(new.evidence.clone()),
            ..Self::by_hand(new.item(org))
        }
    }

    fn tracked(&self) -> Option<TrackedItem> {
        Some(TrackedItem {
            id: self.item.id.clone(),
            check_id: self.item.audit.as_ref()?.check_id.clone(),
            status: self.item.status,
            resolved_at: self.item.resolved_at,
            verified_at: self.item.verified_at,
            evidence: self.evidence.clone()?,
        })
    }

    fn refresh(&mut self, audit: AuditFacts, evidence: Evidence) {
        self.item.audit = Some(audit);
        self.evidence = Some(evidence);
    }
}

impl State {
    /// Brings the items of a site in line with a report, and answers the item of each of its issues.
    pub(super) fn reconcile(
        &mut self,
        org: &OrgId,
        issues: &[Issue],
        run: &RunFacts<'_>,
        ids: &dyn IdSource,
    ) -> Vec<Option<ActionId>> {
        let items = self.tracked(org, run.site_id);
        let reconciled = reconcile(&items, issues, run, ids);
        for change in reconciled.changes {
            for facts in EventFacts::of_change(&change, run) {
                self.tell(org, run.now, facts);
            }
            self.apply(org, change);
        }
        reconciled.action_ids
    }

    fn tracked(&self, org: &OrgId, site: &SiteId) -> Vec<TrackedItem> {
        let of_site = self
            .actions
            .values()
            .filter(|kept| kept.item.org_id == *org && kept.item.site_id.as_ref() == Some(site));
        of_site.filter_map(KeptAction::tracked).collect()
    }

    fn apply(&mut self, org: &OrgId, change: Change) {
        match change {
            Change::Open(new) => {
                let kept = KeptAction::opened(org, &new);
                self.actions.insert(kept.item.id.clone(), kept);
            }
            Change::Refresh {
                id,
                audit,
                evidence,
            } => self.change(&id, |kept| kept.refresh(audit, evidence)),
            Change::Verify {
                id,
                resolved_at,
                verified_at,
                comment,
            } => self.change(&id, |kept| {
                kept.item.status = ActionStatus::Done;
                kept.item.resolved_at = Some(resolved_at);
                kept.item.verified_at = Some(verified_at);
                kept.item.updated_at = verified_at;
                kept.add_comment(&comment);
            }),
            Change::Reopen {
                id,
                audit,
                evidence,
                at,
                comment,
            } => self.change(&id, |kept| {
                kept.item.status = ActionStatus::Open;
                kept.item.resolved_at = None;
                kept.item.verified_at = None;
                kept.item.updated_at = at;
                kept.refresh(audit, evidence);
                kept.add_comment(&comment);
            }),
        }
    }

    fn change(&mut self, id: &ActionId, change: impl FnOnce(&mut KeptAction)) {
        if let Some(kept) = self.actions.get_mut(id) {
            change(kept);
        }
    }
}
