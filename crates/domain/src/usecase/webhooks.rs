//! Making and changing webhooks.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::check_target::{TargetRejected, check_url};
use crate::audit_log::Actor;
use crate::event::EventKind;
use crate::id::{OrgId, WebhookId};
use crate::idempotency::{Idempotent, IdempotentWrite};
use crate::ports::{
    Clock, CreateWebhookError, IdSource, NewWebhook, OrgStore, StoreError, WebhookStore,
};
use crate::target::{AllowTargets, TargetError};
use crate::webhook::{Webhook, WebhookPatch, WebhookSecret, WebhookState, host_of};

/// The request of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateWebhook {
    /// Where events are to be sent.
    pub url: String,
    /// Which events.
    pub events: BTreeSet<EventKind>,
    /// Who makes it.
    pub by: Actor,
}

/// Why a webhook is neither made nor changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRefused {
    /// The URL is none, or its target is not allowed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The store refused.
    #[error(transparent)]
    Create(#[from] CreateWebhookError),
}

impl From<StoreError> for WebhookRefused {
    fn from(error: StoreError) -> Self {
        Self::Create(error.into())
    }
}

/// Makes a webhook with a secret of its own. A target that is not allowed leaves a line in the audit log.
/// No name is resolved here: that is judged with every delivery.
///
/// # Errors
/// [`WebhookRefused`] says why not; nothing is stored then.
pub fn create_webhook<S: WebhookStore + OrgStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    allow: &AllowTargets,
    org: &OrgId,
    request: CreateWebhook,
) -> Result<NewWebhook, WebhookRefused> {
    let by = request.by.clone();
    let new = new_webhook(stores, clock, ids, allow, org, request)?;
    stores.create_webhook(org, &new, &by)?;
    Ok(new)
}

/// As [`create_webhook`], unless the same call was made before. `once` makes the response, which has the secret and is
/// stored encrypted.
///
/// # Errors
/// As [`create_webhook`], and when the key was used for another call.
pub fn create_webhook_once<S: WebhookStore + OrgStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    allow: &AllowTargets,
    org: &OrgId,
    request: CreateWebhook,
    once: &IdempotentWrite<'_, NewWebhook>,
) -> Result<Idempotent<NewWebhook>, WebhookRefused> {
    let by = request.by.clone();
    let new = new_webhook(stores, clock, ids, allow, org, request)?;
    let answer = |(): &()| (once.answer)(&new);
    let write = IdempotentWrite {
        call: once.call,
        answer: &answer,
    };
    Ok(match stores.create_webhook_once(org, &new, &by, &write)? {
        Idempotent::Executed(()) => Idempotent::Executed(new),
        Idempotent::Replayed(answer) => Idempotent::Replayed(answer),
    })
}

fn new_webhook<S: OrgStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    allow: &AllowTargets,
    org: &OrgId,
    request: CreateWebhook,
) -> Result<NewWebhook, WebhookRefused> {
    let now = clock.now();
    let url = receiver(stores, allow, org, &request.url, &request.by, now)?;
    Ok(NewWebhook {
        webhook: Webhook {
            id: WebhookId::make(ids),
            org_id: org.clone(),
            url,
            events: request.events,
            state: WebhookState::Enabled,
            created_at: now,
            updated_at: now,
        },
        secret: WebhookSecret::make(ids),
    })
}

/// Changes a webhook. The address is judged first, and then whether the organization has such a webhook: none
/// where it has not, as where there is no id.
///
/// # Errors
/// As [`create_webhook`]; nothing is changed then.
pub fn update_webhook<S: WebhookStore + OrgStore + ?Sized>(
    stores: &S,
    clock: &dyn Clock,
    allow: &AllowTargets,
    (org, webhook): (&OrgId, Option<&WebhookId>),
    mut patch: WebhookPatch,
    by: &Actor,
) -> Result<Option<Webhook>, WebhookRefused> {
    let now = clock.now();
    if let Some(url) = &mut patch.url {
        *url = receiver(stores, allow, org, url, by, now)?;
    }
    match webhook {
        Some(webhook) => Ok(stores.patch_webhook(org, webhook, &patch, now, by)?),
        None => Ok(None),
    }
}

/// The URL that events are sent to, in its normal form. Of one that is not allowed the audit log keeps the
/// host alone, because the rest may hold a token.
fn receiver<S: OrgStore + ?Sized>(
    stores: &S,
    allow: &AllowTargets,
    org: &OrgId,
    text: &str,
    by: &Actor,
    now: DateTime<Utc>,
) -> Result<String, WebhookRefused> {
    match check_url(stores, allow, org, (text, &host_of), by, now) {
        Ok(url) => Ok(url.into()),
        Err(TargetRejected::Target(error)) => Err(error.into()),
        Err(TargetRejected::Store(error)) => Err(error.into()),
    }
}
