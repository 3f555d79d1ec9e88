use api_types::waiver::{CreateWaiverRequest, Waiver};
use domain::id::SiteId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_create_waiver,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::Conflict],
    example: |_| serde_json::to_value(examples::waiver()),
    handle: create_waiver,
};

/// Create a waiver
///
/// Accepts findings of a check on a site: all of them, those at URLs that match `path`, or those with a `cause`.
/// From the next run on they stay in the report, marked, but cost no points, fail no gate and create no action item.
#[utoipa::path(
    post,
    path = "/api/mcp/sites/{siteId}/waivers",
    tag = "Sites",
    params(IdempotencyHeader, ("siteId" = String, Path, description = "Id of the site.")),
    request_body = CreateWaiverRequest,
    responses((status = 201, description = "The waiver.", body = Waiver)),
)]
fn create_waiver(call: &Call) -> Result<Reply, Problem> {
    let (state, now) = (&call.state, call.now());
    let checks = (&*state.checks, state.settings.variant);
    let author = convert::author(&call.caller.key);
    let waiver = call.body(|asked, invalid| {
        convert::new_waiver(asked, checks, &author, (&*state.ids, now), invalid)
    })?;
    let site = call.id("siteId", SiteId::parse)?;
    call.once(
        |once| (state.stores).create_waiver(call.org(), &site, &waiver, &call.by(), once),
        |made| Reply::created(&convert::waiver(&site, made, now)),
    )
}
