use api_types::account::Account;
use domain::key::Role;
use domain::plan::Period;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_account,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |variant| serde_json::to_value(examples::account(variant)),
    handle: get_account,
};

/// Verify a key
///
/// Returns the organization, plan and key of this request, and the usage of the plan.
#[utoipa::path(
    get,
    path = "/api/mcp/account",
    tag = "Account",
    responses((status = 200, description = "The account.", body = Account)),
)]
fn get_account(call: &Call) -> Result<Reply, Problem> {
    let period = Period::containing(call.now());
    let plan = call.plan()?;
    let usage = call.state.stores.usage(call.org(), period)?;
    let variant = call.state.settings.variant;
    Reply::ok(&convert::account(
        &call.caller,
        &plan,
        usage,
        period,
        variant,
    ))
}
