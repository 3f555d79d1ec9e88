//! What is stored.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::audit_log::{Actor, AuditEntry};
use domain::event::Event;
use domain::id::{ActionId, OrgId, ReportId, RunId, SiteId};
use domain::key::{ApiKey, KeyHash};
use domain::link::SigningKey;
use domain::org::{Member, Organization};
use domain::plan::Period;
use domain::ports::{CompletedRun, NewWebhook};
use domain::report::{IssueCause, IssueState, Occurrence, PageVisit};
use domain::retention::RetentionChoice;
use domain::run::{AskedOptions, Run};
use domain::schedule::{Schedule, SkipReason};
use domain::site::Site;

use super::action::KeptAction;
use super::event::OwnIds;
use super::idempotency::{CallName, KeptCall};
use super::queue::Job;
use super::webhook::KeptDelivery;

/// Everything that is stored. Lists are in the order in which things were added.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) orgs: Vec<Organization>,
    pub(super) members: Vec<(OrgId, Member)>,
    pub(super) keys: Vec<(KeyHash, ApiKey)>,
    pub(super) audit_log: Vec<(OrgId, AuditEntry)>,
    pub(super) signing_keys: Vec<SigningKey>,
    pub(super) sites: Vec<Site>,
    /// The options that runs begin with, of sites that were given any.
    pub(super) defaults: BTreeMap<SiteId, AskedOptions>,
    pub(super) schedules: BTreeMap<SiteId, Schedule>,
    /// Why the last run of a schedule was skipped, where that was told and none was started since.
    pub(super) told_skips: BTreeMap<SiteId, SkipReason>,
    /// With the values of their headers until they end.
    pub(super) runs: BTreeMap<RunId, Run>,
    /// One for each run that has not ended.
    pub(super) jobs: BTreeMap<RunId, Job>,
    /// Whose runs were claimed, in the order of the claims.
    pub(super) claims: Vec<OrgId>,
    /// Runs started in a month.
    pub(super) usage: BTreeMap<(OrgId, Period), u64>,
    pub(super) reports: BTreeMap<ReportId, KeptReport>,
    pub(super) causes: BTreeMap<CauseKey, KeptCause>,
    pub(super) occurrences: BTreeMap<OccurrenceKey, Occurrence>,
    pub(super) pages: BTreeMap<PageKey, PageVisit>,
    pub(super) actions: BTreeMap<ActionId, KeptAction>,
    pub(super) calls: BTreeMap<CallName, KeptCall>,
    pub(super) webhooks: Vec<NewWebhook>,
    pub(super) events: Vec<Event>,
    pub(super) deliveries: Vec<KeptDelivery>,
    pub(super) own_ids: OwnIds,
    /// How long organizations chose to keep things.
    pub(super) retention: BTreeMap<OrgId, RetentionChoice>,
}

/// Where a cause belongs. They sort as they are shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CauseKey {
    pub(super) run: RunId,
    pub(super) epoch: u32,
    pub(super) position: u32,
}

/// A cause as it was written, and its state once the run is completed.
#[derive(Debug, Clone)]
pub(super) struct KeptCause {
    /// The place of its issue.
    pub(super) issue: u32,
    pub(super) cause: IssueCause,
    pub(super) score_impact_legacy: Option<f64>,
}

/// Where an occurrence belongs. They sort as they are shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OccurrenceKey {
    pub(super) run: RunId,
    pub(super) epoch: u32,
    pub(super) cause: u32,
    pub(super) ordinal: u32,
}

/// Where a page belongs. They sort as they are shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PageKey {
    pub(super) run: RunId,
    pub(super) epoch: u32,
    pub(super) position: u32,
}

/// A report, and the run and the epoch that made it.
#[derive(Debug)]
pub(super) struct KeptReport {
    pub(super) run: RunId,
    pub(super) epoch: u32,
    pub(super) created_at: DateTime<Utc>,
    pub(super) completed: CompletedRun,
    /// The item of each issue of the current report, in its order.
    pub(super) action_ids: Vec<Option<ActionId>>,
    /// The state of each issue of the current report, in its order.
    pub(super) states: Vec<Option<IssueState>>,
}

impl State {
    pub(super) fn org(&self, org: &OrgId) -> Option<&Organization> {
        self.orgs.iter().find(|known| known.id == *org)
    }

    pub(super) fn site(&self, org: &OrgId, site: &SiteId) -> Option<&Site> {
        self.sites
            .iter()
            .find(|known| known.org_id == *org && known.id == *site)
    }

    pub(super) fn run(&self, org: &OrgId, run: &RunId) -> Option<&Run> {
        self.runs.get(run).filter(|known| known.org_id == *org)
    }

    /// Removes the causes, the occurrences and the pages of a run but those of one epoch.
    pub(super) fn forget_written(&mut self, run: &RunId, but: Option<u32>) {
        let stays = |of: &RunId, epoch| of != run || Some(epoch) == but;
        self.causes.retain(|key, _| stays(&key.run, key.epoch));
        self.occurrences.retain(|key, _| stays(&key.run, key.epoch));
        self.pages.retain(|key, _| stays(&key.run, key.epoch));
    }

    /// Adds a line to an organization's audit log.
    pub(super) fn note(
        &mut self,
        org: &OrgId,
        at: DateTime<Utc>,
        by: &Actor,
        event: &str,
        (subject, detail): (&str, String),
    ) {
        let entry = AuditEntry {
            at,
            actor: by.as_str().to_owned(),
            event: event.to_owned(),
            subject: subject.to_owned(),
            detail,
        };
        self.audit_log.push((org.clone(), entry));
    }
}
