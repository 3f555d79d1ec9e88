use api_types::problem::FieldError;
use api_types::site::{Site, UpdateSiteRequest};
use domain::id::SiteId;
use domain::key::Role;
use domain::run::OptionBounds;
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
    let asked = call.body_with(|asked| errors(asked, bounds));
    let most = bounds.max_pages;
    let asked = asked.map_err(|problem| problem.with_range("options.maxPages", 1, most))?;
    let errors = errors(asked.clone(), bounds);
    if !errors.is_empty() {
        return Err(Problem::fields(errors));
    }
    let patch = SitePatch {
        name: asked.name.as_deref().map(convert::site_name).transpose()?,
        options: asked.options.map(|options| convert::options(options).0),
    };
    if patch == SitePatch::default() {
        return Err(Problem::invalid(
            "No field to change; `name` or `options` is required.",
        ));
    }
    Ok(patch)
}

/// Every invalid field.
fn errors(asked: UpdateSiteRequest, bounds: &OptionBounds) -> Vec<FieldError> {
    let name = asked.name.as_deref().map(convert::site_name);
    let name = name.and_then(Result::err).map(Problem::into_fields);
    let options = asked.options;
    let options = options.map(|options| convert::option_errors(options, bounds));
    name.into_iter().chain(options).flatten().collect()
}
