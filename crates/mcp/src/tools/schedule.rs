//! `get_schedule`, `set_schedule`.

use api_types::schedule::{Frequency, Schedule, SetScheduleRequest};
use serde::Deserialize;
use utoipa::ToSchema;

use super::limits::given;
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct GetSchedule;

/// The site of the schedule.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetArguments {
    /// Id of the site.
    site_id: String,
}

impl Tool for GetSchedule {
    const NAME: &'static str = "get_schedule";
    const TITLE: &'static str = "Get a schedule";
    const DESCRIPTION: &'static str = "Get the schedule of automatic audits of a site.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = GetArguments;
    type Output = Schedule;

    async fn call(context: &Context, arguments: GetArguments) -> Result<Schedule, Failure> {
        Ok(context.client.schedule(&arguments.site_id).await?.value)
    }

    fn next(schedule: &Schedule, _offers: Offers) -> String {
        format!("set_schedule with siteId {} changes it.", schedule.site_id)
    }
}

pub(super) struct SetSchedule;

/// A schedule to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct SetArguments {
    /// Id of the site.
    site_id: String,
    /// False keeps the settings and starts no runs.
    enabled: bool,
    /// The frequency.
    frequency: Frequency,
    /// Five cron fields, only with frequency custom.
    #[serde(default)]
    #[schema(default = "")]
    cron: String,
    /// The IANA time zone.
    #[serde(default = "utc")]
    #[schema(default = "UTC")]
    timezone: String,
}

fn utc() -> String {
    "UTC".to_owned()
}

impl Tool for SetSchedule {
    const NAME: &'static str = "set_schedule";
    const TITLE: &'static str = "Set a schedule";
    const DESCRIPTION: &'static str =
        "Replace the schedule of automatic audits of a site. Requires a key with the role admin.";
    const EFFECT: Effect = Effect::Replaces;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = SetArguments;
    type Output = Schedule;

    async fn call(context: &Context, arguments: SetArguments) -> Result<Schedule, Failure> {
        let request = SetScheduleRequest {
            enabled: arguments.enabled,
            frequency: arguments.frequency,
            cron: given(&arguments.cron).map(str::to_owned),
            timezone: arguments.timezone,
        };
        let set = context
            .client
            .set_schedule(&arguments.site_id, &request)
            .await?;
        Ok(set.value)
    }

    fn next(schedule: &Schedule, _offers: Offers) -> String {
        format!(
            "From nextRunAt on, list_runs with siteId {} has its runs.",
            schedule.site_id
        )
    }
}
