//! `get_schedule`, `set_schedule`.

use api_types::schedule::{Frequency, Schedule, SetScheduleRequest};
use serde::Deserialize;
use utoipa::ToSchema;

use super::limits::given;
use crate::answer::Words;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};

pub(super) struct GetSchedule;

/// Whose schedule.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetArguments {
    /// Id of the site, as list_sites names it.
    site_id: String,
}

impl Tool for GetSchedule {
    const NAME: &'static str = "get_schedule";
    const TITLE: &'static str = "Read a schedule";
    const DESCRIPTION: &'static str = "Read when a site is audited by itself.";
    const EFFECT: Effect = Effect::Reads;
    const WORDS: Words = Words::Ours;
    type Arguments = GetArguments;
    type Output = Schedule;

    async fn call(context: &Context, arguments: GetArguments) -> Result<Schedule, Failure> {
        Ok(context.client.schedule(&arguments.site_id).await?.value)
    }
}

pub(super) struct SetSchedule;

/// A schedule to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct SetArguments {
    /// Id of the site, as list_sites names it.
    site_id: String,
    /// Whether it is kept; false keeps what is set and does not follow it.
    enabled: bool,
    /// How often.
    frequency: Frequency,
    /// Five fields: minute, hour, day, month, day of the week; with frequency custom alone, else empty.
    #[serde(default)]
    #[schema(default = "")]
    cron: String,
    /// The IANA name of the time zone it is kept in.
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
    const DESCRIPTION: &'static str = "Set when a site is audited by itself, in the place of what was set before. Needs a key of the role admin.";
    const EFFECT: Effect = Effect::Replaces;
    const WORDS: Words = Words::Ours;
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
}
