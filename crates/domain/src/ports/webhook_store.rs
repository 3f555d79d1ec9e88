//! Where webhooks are kept, the events they are sent, and how far that has come.
//!
//! Events are stored by the methods whose changes they tell of, in the same transaction, together with a
//! delivery for each enabled webhook of the organization that wants them:
//!
//! | event | stored by |
//! |---|---|
//! | `run.completed`, `issue.regressed`, `action.updated` | [`JobQueue::complete`](super::JobQueue::complete) |
//! | `run.failed` | whatever ends a run as failed |
//! | `action.updated` | [`ActionStore::patch_action`](super::ActionStore::patch_action) |
//! | `schedule.skipped` | [`ScheduleStore::start_scheduled`](super::ScheduleStore::start_scheduled) |
//!
//! A delivery that waits has a job ([`JobKind::Delivery`](super::JobKind::Delivery)): a worker claims it until
//! the lease has run out, and every write matches the epoch. A process that dies while it sends leaves the
//! delivery to be sent again, with the same event id: at least once, and receivers recognize by the id what
//! they have already.

use chrono::{DateTime, TimeDelta, Utc};

use super::{LeaseStatus, StoreError, WorkerId};
use crate::audit_log::Actor;
use crate::event::{Event, EventKind};
use crate::id::{DeliveryId, EventId, OrgId, WebhookId};
use crate::idempotency::{Idempotent, IdempotentWrite, KeyReused};
use crate::webhook::{
    Delivery, DeliveryAttempt, DeliveryCursor, Verdict, Webhook, WebhookPatch, WebhookSecret,
};

/// A webhook to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    /// The webhook.
    pub webhook: Webhook,
    /// What its deliveries are signed with; stored encrypted.
    pub secret: WebhookSecret,
}

/// Why a webhook is not stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateWebhookError {
    /// The organization has as many as it may have.
    #[error("the organization has reached the limit of {0} webhooks")]
    TooMany(u32),
    /// The Idempotency-Key was used for another call.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why no test event was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TestWebhookError {
    /// The organization has no such webhook.
    #[error("the organization has no such webhook")]
    NotFound,
    /// The Idempotency-Key was used for another call.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A page of a list of deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryPage {
    /// The deliveries, newest first.
    pub deliveries: Vec<Delivery>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<DeliveryCursor>,
}

/// A delivery that may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryClaim {
    /// The delivery.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook_id: WebhookId,
    /// Where to.
    pub url: String,
    /// What to sign it with.
    pub secret: WebhookSecret,
    /// What is sent.
    pub event: Event,
    /// The attempts made before.
    pub attempts: usize,
    /// The number of this claim; every write must match it.
    pub epoch: u32,
}

/// Whose turn it is among those that deliveries wait for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryFairness {
    /// The organization that had the last turn: the next is the one behind it in the order of ids, and after
    /// the last of them the first.
    pub last: Option<OrgId>,
    /// Organizations that have no turn, because the caller is at work on enough of theirs already.
    pub busy_orgs: Vec<OrgId>,
    /// Webhooks that have no turn, for the same reason or because their hosts are not to be asked yet.
    pub busy_webhooks: Vec<WebhookId>,
}

/// Where webhooks are kept, the events they are sent, and how far that has come.
pub trait WebhookStore: Send + Sync {
    /// Stores a webhook, with a line in the audit log. The count is judged in the transaction.
    ///
    /// # Errors
    /// When the organization has as many as it may have, or the database fails.
    fn create_webhook(
        &self,
        org: &OrgId,
        new: &NewWebhook,
        by: &Actor,
    ) -> Result<(), CreateWebhookError>;

    /// Stores a webhook as [`WebhookStore::create_webhook`] does, unless the same call was made before. The response
    /// that `once` makes contains the secret, so it is stored encrypted.
    ///
    /// # Errors
    /// As [`WebhookStore::create_webhook`], and when the key was used for another call.
    fn create_webhook_once(
        &self,
        org: &OrgId,
        new: &NewWebhook,
        by: &Actor,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, CreateWebhookError>;

    /// All webhooks of an organization, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    fn webhooks(&self, org: &OrgId) -> Result<Vec<Webhook>, StoreError>;

    /// One webhook.
    ///
    /// # Errors
    /// When the database fails.
    fn webhook(&self, org: &OrgId, webhook: &WebhookId) -> Result<Option<Webhook>, StoreError>;

    /// Changes a webhook as [`WebhookPatch::apply`] has it, with a line in the audit log, and answers it as
    /// it is then. What waits to be delivered is cancelled when it is turned off. None where there is no
    /// such webhook.
    ///
    /// # Errors
    /// When the database fails.
    fn patch_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        patch: &WebhookPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Removes a webhook with its deliveries, with a line in the audit log. False where there is no such
    /// webhook.
    ///
    /// # Errors
    /// When the database fails.
    fn delete_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// Stores a test event of that id for one webhook alone, also for one that is disabled, and answers
    /// its delivery. It leaves a line in the audit log. None where there is no such webhook.
    ///
    /// # Errors
    /// When the database fails.
    fn test_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        event: &EventId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Delivery>, StoreError>;

    /// Stores a test event as [`WebhookStore::test_webhook`] does, unless the same call was made before. `once` makes
    /// the response to store.
    ///
    /// # Errors
    /// When there is no such webhook, the key was used for another call, or the database fails.
    fn test_webhook_once(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        event: &EventId,
        now: DateTime<Utc>,
        by: &Actor,
        once: &IdempotentWrite<'_, Delivery>,
    ) -> Result<Idempotent<Delivery>, TestWebhookError>;

    /// The deliveries of a webhook that are of events of these kinds, newest first, at most `limit`, from
    /// behind a cursor on. None where there is no such webhook.
    ///
    /// # Errors
    /// When the database fails.
    fn deliveries(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        kinds: &[EventKind],
        after: Option<&DeliveryCursor>,
        limit: u32,
    ) -> Result<Option<DeliveryPage>, StoreError>;

    /// The events of an organization, oldest first.
    ///
    /// # Errors
    /// When the database fails.
    fn events(&self, org: &OrgId) -> Result<Vec<Event>, StoreError>;

    /// Claims a delivery that is due: of the organization whose turn it is, the one that has been due longest.
    /// However much waits for one organization, another waits for as many claims at most as there are
    /// organizations. No delivery is claimed twice at once, however many ask.
    ///
    /// # Errors
    /// When the database fails.
    fn claim_delivery(
        &self,
        worker: &WorkerId,
        lease: TimeDelta,
        turns: &DeliveryFairness,
        now: DateTime<Utc>,
    ) -> Result<Option<DeliveryClaim>, StoreError>;

    /// Keeps an attempt under a claim, and what becomes of the delivery. [`Verdict::Gone`] disables the
    /// webhook, cancels what else waits for it, and leaves a line in the audit log.
    ///
    /// # Errors
    /// When the database fails; the delivery is then as before.
    fn finish_delivery(
        &self,
        claim: &DeliveryClaim,
        attempt: &DeliveryAttempt,
        verdict: Verdict,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Gives a delivery back that was not attempted, to be claimed by anyone at once, or not before
    /// `not_before`. It counts as no attempt.
    ///
    /// # Errors
    /// When the database fails.
    fn hand_back_delivery(
        &self,
        claim: &DeliveryClaim,
        not_before: Option<DateTime<Utc>>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Gives up a delivery that must not be sent, without an attempt: it is cancelled.
    ///
    /// # Errors
    /// When the database fails; the delivery is then as before.
    fn cancel_delivery(
        &self,
        claim: &DeliveryClaim,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError>;

    /// Makes deliveries due at `now` that wait for later than `latest`, as a clock that was far ahead left
    /// them. Returns how many there were.
    ///
    /// # Errors
    /// When the database fails.
    fn bring_deliveries_forward(
        &self,
        latest: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError>;
}
