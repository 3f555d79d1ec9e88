use api_types::webhook::{CreateWebhookRequest, CreatedWebhook};
use domain::idempotency::Idempotent;
use domain::key::Role;
use domain::ports::NewWebhook;
use domain::report::Variant;
use domain::target::gate_url;
use domain::usecase::{self, CreateWebhook};

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_create_webhook,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::TargetNotAllowed, Code::Conflict],
    example: |_| serde_json::to_value(examples::created_webhook()),
    handle: create_webhook,
};

/// Create a webhook
///
/// From now on, events are sent to the URL, signed according to Standard Webhooks. The response contains the
/// signing secret, which is shown only once.
#[utoipa::path(
    post,
    path = "/api/mcp/webhooks",
    tag = "Webhooks",
    params(IdempotencyHeader),
    request_body = CreateWebhookRequest,
    responses((
        status = 201,
        description = "The webhook, with its secret.",
        body = CreatedWebhook,
        headers(("Location" = String, description = "The path of the webhook.")),
    )),
)]
fn create_webhook(call: &Call) -> Result<Reply, Problem> {
    let variant = call.state.settings.variant;
    let allow = &call.state.settings.allow_targets;
    let asked = call.body(|asked: CreateWebhookRequest, invalid| {
        invalid.check_later(gate_url(&asked.url, allow));
        let events = convert::webhook_events(&asked.events, variant, invalid)?;
        Some((asked.url, events))
    });
    let (url, events) = asked.map_err(|problem| convert::webhook_problem(problem, variant))?;
    let request = CreateWebhook {
        url,
        events,
        by: call.by(),
    };
    let (stores, clock, ids) = (&*call.state.stores, &*call.state.clock, &*call.state.ids);
    let org = call.org();
    call.once(
        |once| match once {
            Some(once) => {
                usecase::create_webhook_once(stores, clock, ids, allow, org, request, once)
            }
            None => usecase::create_webhook(stores, clock, ids, allow, org, request)
                .map(Idempotent::Executed),
        },
        |new| answer(new, variant),
    )
}

fn answer(new: &NewWebhook, variant: Variant) -> Result<Reply, Problem> {
    let location = format!("/api/mcp/webhooks/{}", new.webhook.id);
    Reply::created(&convert::created_webhook(new, variant))?.at(&location)
}
