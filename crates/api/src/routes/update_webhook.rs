use api_types::webhook::{UpdateWebhookRequest, Webhook};
use domain::id::WebhookId;
use domain::key::Role;
use domain::report::Variant;
use domain::target::{AllowTargets, gate_url};
use domain::usecase;
use domain::webhook::WebhookPatch;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::InvalidFields;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_update_webhook,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::TargetNotAllowed],
    example: |_| serde_json::to_value(examples::webhook()),
    handle: update_webhook,
};

/// Update a webhook
///
/// Changes the URL, the events or whether the webhook is enabled. The secret does not change. Disabling the webhook
/// cancels pending deliveries; events that happen while it is disabled are not sent later.
#[utoipa::path(
    patch,
    path = "/api/mcp/webhooks/{webhookId}",
    tag = "Webhooks",
    params(("webhookId" = String, Path, description = "Id of the webhook.")),
    request_body = UpdateWebhookRequest,
    responses((status = 200, description = "The webhook.", body = Webhook)),
)]
fn update_webhook(call: &Call) -> Result<Reply, Problem> {
    let variant = call.state.settings.variant;
    let allow = &call.state.settings.allow_targets;
    let patch = call.body(|asked, invalid| patch(asked, variant, allow, invalid));
    let patch = patch.map_err(|problem| convert::webhook_problem(problem, variant))?;
    let (stores, clock) = (&*call.state.stores, &*call.state.clock);
    // Errors of the input alone come before unknown ids, so the URL is validated first.
    let id = call.id("webhookId", WebhookId::parse).ok();
    let which = (call.org(), id.as_ref());
    let webhook = usecase::update_webhook(stores, clock, allow, which, patch, &call.by())?;
    Reply::ok(&convert::webhook(
        &webhook.ok_or_else(Problem::not_found)?,
        call.state.settings.variant,
    ))
}

fn patch(
    asked: UpdateWebhookRequest,
    variant: Variant,
    allow: &AllowTargets,
    invalid: &mut InvalidFields,
) -> Option<WebhookPatch> {
    if let Some(url) = &asked.url {
        invalid.check_later(gate_url(url, allow));
    }
    let events = match asked.events {
        Some(events) => Some(convert::webhook_events(&events, variant, invalid)?),
        None => None,
    };
    let patch = WebhookPatch {
        url: asked.url,
        events,
        enabled: asked.enabled,
    };
    if patch == WebhookPatch::default() {
        invalid.add(Problem::invalid(
            "No field to change; `url`, `events` or `enabled` is required.",
        ));
    }
    Some(patch)
}
