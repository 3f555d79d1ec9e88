use api_types::webhook::DeliveryList;
use domain::event::EventKind;
use domain::id::WebhookId;
use domain::key::Role;
use domain::webhook::DeliveryCursor;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::PageQuery;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_deliveries,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::deliveries()),
    handle: list_deliveries,
};

/// List the deliveries of a webhook
///
/// Lists ended and pending deliveries, newest first. They are kept for 30 days. For the next page, pass `nextCursor`
/// as `cursor`.
#[utoipa::path(
    get,
    path = "/api/mcp/webhooks/{webhookId}/deliveries",
    tag = "Webhooks",
    params(
        ("webhookId" = String, Path, description = "Id of the webhook."),
        PageQuery,
    ),
    responses((status = 200, description = "The deliveries.", body = DeliveryList)),
)]
fn list_deliveries(call: &Call) -> Result<Reply, Problem> {
    let (after, limit) =
        call.query(|query: PageQuery, invalid| query.part(DeliveryCursor::decode, invalid))?;
    let id = call.id("webhookId", WebhookId::parse)?;
    let stores = &call.state.stores;
    let kinds = EventKind::all_in(call.state.settings.variant);
    let page = stores.deliveries(call.org(), &id, &kinds, after.as_ref(), limit)?;
    Reply::ok(&convert::deliveries(&page.ok_or_else(Problem::not_found)?))
}
