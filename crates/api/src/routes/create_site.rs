use api_types::site::{CreateSiteRequest, Site};
use domain::idempotency::Idempotent;
use domain::key::Role;
use domain::target::gate_url;
use domain::usecase::{self, CreateSite, CreateSitePolicy};

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_create_site,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::TargetNotAllowed, Code::Conflict, Code::PlanLimitHit],
    example: |_| serde_json::to_value(examples::new_site()),
    handle: create_site,
};

/// Create a site
///
/// This starts no audit. Starting an audit also creates the site of the URL's host if it does not
/// exist.
#[utoipa::path(
    post,
    path = "/api/mcp/sites",
    tag = "Sites",
    params(IdempotencyHeader),
    request_body = CreateSiteRequest,
    responses((
        status = 201,
        description = "The site.",
        body = Site,
        headers(("Location" = String, description = "The path of the site.")),
    )),
)]
fn create_site(call: &Call) -> Result<Reply, Problem> {
    let allow = &call.state.settings.allow_targets;
    let (url, name) = call.body(|asked: CreateSiteRequest, invalid| {
        let name = invalid.check(asked.name.as_deref().map(convert::site_name).transpose());
        invalid.check_later(gate_url(&asked.url, allow));
        Some((asked.url, name?))
    })?;
    let request = CreateSite {
        url,
        name,
        by: call.by(),
    };
    let policy = CreateSitePolicy {
        allow,
        limits: call.plan()?.limits,
    };
    let (stores, clock, ids) = (&*call.state.stores, &*call.state.clock, &*call.state.ids);
    let org = call.org();
    call.once(
        |once| match once {
            Some(once) => {
                usecase::create_site_once(stores, clock, ids, &policy, org, &request, once)
            }
            None => usecase::create_site(stores, clock, ids, &policy, org, request)
                .map(Idempotent::Executed),
        },
        answer,
    )
}

fn answer(site: &domain::site::Site) -> Result<Reply, Problem> {
    let location = format!("/api/mcp/sites/{}", site.id);
    Reply::created(&convert::new_site(site.clone()))?.at(&location)
}
