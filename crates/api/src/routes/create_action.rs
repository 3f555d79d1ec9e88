use api_types::action::{self as wire, CreateActionRequest};
use domain::action::ActionItem;
use domain::id::SiteId;
use domain::idempotency::Idempotent;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_create_action,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::NotFound],
    example: |_| serde_json::to_value(examples::own_action()),
    handle: create_action,
};

/// Create an action item
///
/// Creates an item with status `open` for work that is not a finding of an audit. Audits never change it.
#[utoipa::path(
    post,
    path = "/api/mcp/actions",
    tag = "Actions",
    params(IdempotencyHeader),
    request_body = CreateActionRequest,
    responses((
        status = 201,
        description = "The item.",
        body = wire::ActionItem,
        headers(("Location" = String, description = "The path of the item.")),
    )),
)]
fn create_action(call: &Call) -> Result<Reply, Problem> {
    let (stores, ids) = (&call.state.stores, &*call.state.ids);
    let (item, site) = call
        .body(|asked, invalid| convert::new_action(asked, call.org(), ids, call.now(), invalid))?;
    let site_id = site.map(|id| SiteId::parse(&id).ok_or_else(Problem::not_found));
    let item = ActionItem {
        site_id: site_id.transpose()?,
        ..item
    };
    let (org, by) = (call.org(), call.by());
    let location = format!("/api/mcp/actions/{}", item.id);
    call.once(
        |once| match once {
            Some(once) => stores.create_action_once(org, &item, &by, once),
            None => stores
                .create_action(org, &item, &by)
                .map(Idempotent::Executed),
        },
        |()| Reply::created(&convert::action(&item))?.at(&location),
    )
}
