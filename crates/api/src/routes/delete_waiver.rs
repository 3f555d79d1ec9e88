use domain::id::{SiteId, WaiverId};
use domain::key::Role;
use serde_json::Value;

use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_delete_waiver,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| Ok(Value::Null),
    handle: delete_waiver,
};

/// Delete a waiver
///
/// What it accepted counts again from the next run on. Existing reports do not change.
#[utoipa::path(
    delete,
    path = "/api/mcp/sites/{siteId}/waivers/{waiverId}",
    tag = "Sites",
    params(
        ("siteId" = String, Path, description = "Id of the site."),
        ("waiverId" = String, Path, description = "Id of the waiver."),
    ),
    responses((status = 204, description = "The waiver is deleted.")),
)]
fn delete_waiver(call: &Call) -> Result<Reply, Problem> {
    let site = call.id("siteId", SiteId::parse)?;
    let waiver = call.id("waiverId", WaiverId::parse)?;
    let stores = &call.state.stores;
    if stores.delete_waiver(call.org(), &site, &waiver, call.now(), &call.by())? {
        Ok(Reply::nothing())
    } else {
        Err(Problem::not_found())
    }
}
