use domain::id::SiteId;
use domain::key::Role;
use serde_json::Value;

use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_delete_site,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| Ok(Value::Null),
    handle: delete_site,
};

/// Delete a site
///
/// Deletes the site with its runs, reports, schedule and action items. Active runs are cancelled. The
/// monthly usage does not change.
#[utoipa::path(
    delete,
    path = "/api/mcp/sites/{siteId}",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    responses((status = 204, description = "The site is deleted.")),
)]
fn delete_site(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("siteId", SiteId::parse)?;
    let stores = &call.state.stores;
    if stores.delete_site(call.org(), &id, call.now(), &call.by())? {
        Ok(Reply::nothing())
    } else {
        Err(Problem::not_found())
    }
}
