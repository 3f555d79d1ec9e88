use api_types::site::{Site, UpdateSiteRequest};
use domain::id::SiteId;
use domain::key::Role;
use domain::site::SitePatch;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_update_site,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::site()),
    handle: update_site,
};

/// Update a site
///
/// Changes the name and the default options of its runs. Options are never returned, because header values in them
/// may be secret.
#[utoipa::path(
    patch,
    path = "/api/mcp/sites/{siteId}",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    request_body = UpdateSiteRequest,
    responses((status = 200, description = "The site.", body = Site)),
)]
fn update_site(call: &Call) -> Result<Reply, Problem> {
    let patch = patch(call)?;
    let id = call.id("siteId", SiteId::parse)?;
    let stores = &call.state.stores;
    let is_there = stores.patch_site(call.org(), &id, &patch, call.now(), &call.by())?;
    let variant = call.state.settings.variant;
    let site = stores.site(call.org(), &id, variant)?;
    let site = site.filter(|_| is_there).ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::site(&site, variant))
}

fn patch(call: &Call) -> Result<SitePatch, Problem> {
    let bounds = &call.state.settings.bounds;
    let patch = call.body(|asked: UpdateSiteRequest, invalid| {
        let name = invalid.check(asked.name.as_deref().map(convert::site_name).transpose());
        if let Some(options) = &asked.options {
            invalid.check(convert::validate_options(options.clone(), bounds));
        }
        let patch = SitePatch {
            name: name?,
            options: asked.options.map(|options| convert::options(options).0),
        };
        if patch == SitePatch::default() {
            let message = "No field to change; `name` or `options` is required.";
            invalid.add(Problem::invalid(message));
        }
        Some(patch)
    });
    patch.map_err(|problem| problem.with_range("options.maxPages", 1, bounds.max_pages))
}
