use domain::id::SiteId;
use domain::key::Role;
use serde_json::Value;

use crate::endpoint::{Answer, Call, Endpoint};
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
/// Its runs, reports, schedule and action items are removed with it, and runs under way end. The usage
/// of the month stays as it is.
#[utoipa::path(
    delete,
    path = "/api/mcp/sites/{siteId}",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    responses((status = 204, description = "The site is gone.")),
)]
fn delete_site(call: &Call) -> Result<Answer, Problem> {
    let id = call.id("siteId", SiteId::parse)?;
    let stores = &call.state.stores;
    if stores.delete_site(call.org(), &id, call.now(), &call.by())? {
        Ok(Answer::nothing())
    } else {
        Err(Problem::not_found())
    }
}
