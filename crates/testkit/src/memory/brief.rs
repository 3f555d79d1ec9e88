//! Briefs of action items.

use chrono::{DateTime, TimeDelta, Utc};
use domain::action::{ActionBrief, BRIEF_GIVEN_UP, BriefRequest, BriefStatus, MAX_BRIEF_ATTEMPTS};
use domain::audit_log::Actor;
use domain::id::{ActionId, OrgId};
use domain::ports::{BriefClaim, ChangeActionError, Held, WorkerId};

use super::action::KeptAction;
use super::state::State;

/// A brief that somebody asked for.
#[derive(Debug)]
pub(super) struct KeptBrief {
    pub(super) brief: ActionBrief,
    queued_at: DateTime<Utc>,
    attempts: u32,
    /// Who writes it, and until when nobody else may.
    lease: Option<(WorkerId, DateTime<Utc>)>,
}

impl KeptBrief {
    fn is_claimable(&self, now: DateTime<Utc>) -> bool {
        match self.brief.status {
            BriefStatus::Queued => true,
            BriefStatus::Generating => self.lease.as_ref().is_none_or(|(_, until)| *until <= now),
            BriefStatus::None | BriefStatus::Ready | BriefStatus::Failed => false,
        }
    }
}

impl KeptAction {
    /// Makes the item show where its brief stands.
    fn show_brief(&mut self) {
        let brief = self.brief.as_ref().map(|kept| kept.brief.status);
        self.item.brief_status = brief.unwrap_or_default();
    }
}

impl State {
    pub(super) fn queue_brief(
        &mut self,
        org: &OrgId,
        action: &ActionId,
        request: &BriefRequest,
        by: &Actor,
    ) -> Result<ActionBrief, ChangeActionError> {
        let kept = self.action_mut(org, action)?;
        let asked = kept.brief.get_or_insert_with(|| KeptBrief {
            brief: ActionBrief::none(action.clone()),
            queued_at: request.at,
            attempts: 0,
            lease: None,
        });
        let before = asked.brief.clone();
        if asked.brief.ask(request) {
            asked.queued_at = request.at;
            asked.attempts = 0;
            asked.lease = None;
        }
        let brief = asked.brief.clone();
        kept.show_brief();
        if brief != before {
            let detail = format!("generation {}", brief.generation);
            self.note(
                org,
                request.at,
                by,
                "brief.queued",
                (action.as_str(), detail),
            );
        }
        Ok(brief)
    }

    /// Ends the briefs whose writers all died over them.
    fn give_up_briefs(&mut self, now: DateTime<Utc>) {
        for kept in self.actions.values_mut() {
            let Some(brief) = &mut kept.brief else {
                continue;
            };
            if brief.is_claimable(now) && brief.attempts >= MAX_BRIEF_ATTEMPTS {
                brief.brief.status = BriefStatus::Failed;
                brief.brief.error = Some(BRIEF_GIVEN_UP.to_owned());
                brief.lease = None;
                kept.show_brief();
            }
        }
    }

    pub(super) fn claim_brief(
        &mut self,
        worker: &WorkerId,
        lease: TimeDelta,
        now: DateTime<Utc>,
    ) -> Option<BriefClaim> {
        self.give_up_briefs(now);
        let kept = self
            .actions
            .values_mut()
            .filter(|kept| {
                let brief = kept.brief.as_ref();
                brief.is_some_and(|brief| brief.is_claimable(now))
            })
            .min_by_key(|kept| kept.brief.as_ref().map(|brief| brief.queued_at))?;
        let brief = kept.brief.as_mut()?;
        brief.attempts += 1;
        brief.brief.status = BriefStatus::Generating;
        brief.lease = Some((worker.clone(), now + lease));
        let generation = brief.brief.generation;
        kept.show_brief();
        Some(BriefClaim {
            org_id: kept.item.org_id.clone(),
            action_id: kept.item.id.clone(),
            generation,
            worker: worker.clone(),
        })
    }

    pub(super) fn finish_brief(
        &mut self,
        claim: &BriefClaim,
        written: &Result<String, String>,
        now: DateTime<Utc>,
    ) -> Held {
        let Ok(kept) = self.action_mut(&claim.org_id, &claim.action_id) else {
            return Held::Lost;
        };
        let is_its = |brief: &&mut KeptBrief| {
            let owner = brief.lease.as_ref().map(|(worker, _)| worker);
            owner == Some(&claim.worker)
        };
        let Some(brief) = kept.brief.as_mut().filter(is_its) else {
            return Held::Lost;
        };
        if !brief.brief.finish(claim.generation, written.clone(), now) {
            return Held::Lost;
        }
        brief.lease = None;
        kept.show_brief();
        Held::Yes
    }
}
