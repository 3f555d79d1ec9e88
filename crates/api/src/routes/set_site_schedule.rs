use api_types::schedule::{Schedule, SetScheduleRequest};
use domain::id::SiteId;
use domain::key::Role;
use domain::usecase;

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_set_site_schedule,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::schedule()),
    handle: set_site_schedule,
};

/// Set a site's schedule
///
/// The site is audited by itself from now on, with its default options: `daily`, `weekly` on Mondays and
/// `monthly` on the first, at a time between 3:00 and 4:00 that is the site's own; `custom` exactly when `cron`
/// says. Runs count against the caps of the plan. A run that a cap holds back, or that another run of the site
/// is in the way of, is left out: the event `schedule.skipped` tells of it.
#[utoipa::path(
    put,
    path = "/api/mcp/sites/{siteId}/schedule",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    request_body = SetScheduleRequest,
    responses((status = 200, description = "The schedule.", body = Schedule)),
)]
fn set_site_schedule(call: &Call) -> Result<Answer, Problem> {
    let change = convert::schedule_change(call.body()?)?;
    let site = call.id("siteId", SiteId::parse)?;
    let (stores, clock) = (&*call.state.stores, &*call.state.clock);
    let schedule = usecase::set_schedule(stores, clock, call.org(), &site, &change, &call.by())?;
    Answer::ok(&convert::schedule(
        &schedule.ok_or_else(Problem::not_found)?,
    ))
}
