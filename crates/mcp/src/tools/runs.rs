//! `get_run`, `list_runs`, `cancel_run`.

use api_types::run::{Run, RunList, RunStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::{given, more, runs};
use super::wait_for_run;
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::page;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

/// A run.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct RunArguments {
    /// Id of the run.
    run_id: String,
}

pub(super) struct GetRun;

impl Tool for GetRun {
    const NAME: &'static str = "get_run";
    const TITLE: &'static str = "Get a run";
    const DESCRIPTION: &'static str =
        "Get the status of a run. To wait for its end, call wait_for_run.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = RunArguments;
    type Output = Run;

    async fn call(context: &Context, arguments: RunArguments) -> Result<Run, Failure> {
        Ok(context.client.run(&arguments.run_id).await?.value)
    }

    fn next(run: &Run, offers: Offers) -> String {
        wait_for_run::next(run, offers)
    }
}

pub(super) struct CancelRun;

/// A cancelled run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cancelled {
    /// Id of the run.
    run_id: String,
    /// The status.
    status: RunStatus,
    /// The site of the run.
    site_id: String,
}

impl Tool for CancelRun {
    const NAME: &'static str = "cancel_run";
    const TITLE: &'static str = "Cancel a run";
    const DESCRIPTION: &'static str = "Cancel a queued or running run. Its results so far are lost. Cancelling twice is not an error.";
    const EFFECT: Effect = Effect::Replaces;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = RunArguments;
    type Output = Cancelled;

    async fn call(context: &Context, arguments: RunArguments) -> Result<Cancelled, Failure> {
        let run = context.client.cancel_run(&arguments.run_id).await?.value;
        Ok(Cancelled {
            run_id: run.run_id,
            status: run.status,
            site_id: run.site_id,
        })
    }

    fn next(_cancelled: &Cancelled, _offers: Offers) -> String {
        "The run has no report. start_audit starts another.".to_owned()
    }
}

pub(super) struct ListRuns;

/// Filters and pagination.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListArguments {
    /// Filter by site; empty for all.
    #[serde(default)]
    #[schema(default = "")]
    site_id: String,
    /// Filter by status; empty for all.
    #[serde(default)]
    status: Vec<RunStatus>,
    /// The maximum number of entries.
    #[serde(default = "runs")]
    #[schema(default = 20, minimum = 1, maximum = 200)]
    limit: u32,
    /// The nextCursor of the previous page.
    #[serde(default)]
    #[schema(default = "")]
    cursor: String,
}

impl Tool for ListRuns {
    const NAME: &'static str = "list_runs";
    const TITLE: &'static str = "List runs";
    const DESCRIPTION: &'static str =
        "List the organization's runs, newest first. A completed run has a reportId.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = ListArguments;
    type Output = RunList;

    async fn call(context: &Context, arguments: ListArguments) -> Result<RunList, Failure> {
        let (site, cursor) = (given(&arguments.site_id), given(&arguments.cursor));
        let client = &context.client;
        let status = &arguments.status;
        page::fitting(arguments.limit, Self::TEXT_ORIGIN, |limit| {
            client.runs(site, status, Some(limit), cursor)
        })
        .await
    }

    fn next(list: &RunList, _offers: Offers) -> String {
        let next = match list.runs.first() {
            None => "start_audit starts a run.",
            Some(_) => "Call get_report with the reportId of a completed run.",
        };
        more(list.next_cursor.as_deref(), next)
    }
}
