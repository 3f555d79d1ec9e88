use api_types::schedule::{Schedule, SetScheduleRequest};
use domain::id::SiteId;
use domain::key::Role;
use domain::usecase;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_set_schedule,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::schedule()),
    handle: set_schedule,
};

/// Set the schedule of a site
///
/// From now on, the site is audited automatically with its default options: `daily`, `weekly` on Mondays or
/// `monthly` on the first, at a fixed time per site between 3:00 and 4:00; `custom` at the times of `cron`. Runs
/// count towards the limits of the plan. A run is skipped if a limit is reached or another run of the site has not
/// ended; then the event `schedule.skipped` is sent.
#[utoipa::path(
    put,
    path = "/api/mcp/sites/{siteId}/schedule",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    request_body = SetScheduleRequest,
    responses((status = 200, description = "The schedule.", body = Schedule)),
)]
fn set_schedule(call: &Call) -> Result<Reply, Problem> {
    let change = call.body(convert::schedule_change)?;
    let site = call.id("siteId", SiteId::parse)?;
    let (stores, clock) = (&*call.state.stores, &*call.state.clock);
    let schedule = usecase::set_schedule(stores, clock, call.org(), &site, &change, &call.by())?;
    Reply::ok(&convert::schedule(
        &schedule.ok_or_else(Problem::not_found)?,
    ))
}
