//! `get_run`, `list_runs`, `cancel_run`.

use api_types::run::{Run, RunList, RunStatus};
use serde::Deserialize;
use utoipa::ToSchema;

use super::limits::{given, runs};
use crate::answer::Words;
use crate::context::Context;
use crate::failure::Failure;
use crate::page;
use crate::tool::{Effect, Tool};

/// Which run.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct RunArguments {
    /// Id of the run.
    run_id: String,
}

pub(super) struct GetRun;

impl Tool for GetRun {
    const NAME: &'static str = "get_run";
    const TITLE: &'static str = "Read a run";
    const DESCRIPTION: &'static str =
        "Read where a run stands. To wait for its end, call wait_for_run instead of polling this.";
    const EFFECT: Effect = Effect::Reads;
    const WORDS: Words = Words::Others;
    type Arguments = RunArguments;
    type Output = Run;

    async fn call(context: &Context, arguments: RunArguments) -> Result<Run, Failure> {
        Ok(context.client.run(&arguments.run_id).await?.value)
    }
}

pub(super) struct CancelRun;

impl Tool for CancelRun {
    const NAME: &'static str = "cancel_run";
    const TITLE: &'static str = "Cancel a run";
    const DESCRIPTION: &'static str = "End a run that is queued or running. What it found so far is lost. Cancelling twice is no error.";
    const EFFECT: Effect = Effect::Replaces;
    const WORDS: Words = Words::Others;
    type Arguments = RunArguments;
    type Output = Run;

    async fn call(context: &Context, arguments: RunArguments) -> Result<Run, Failure> {
        Ok(context.client.cancel_run(&arguments.run_id).await?.value)
    }
}

pub(super) struct ListRuns;

/// Which runs.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListArguments {
    /// Only those of this site; empty for all.
    #[serde(default)]
    #[schema(default = "")]
    site_id: String,
    /// Only those that stand so; empty for all.
    #[serde(default)]
    status: Vec<RunStatus>,
    /// At most so many.
    #[serde(default = "runs")]
    #[schema(default = 20, minimum = 1, maximum = 200)]
    limit: u32,
    /// The nextCursor of the page before; empty for the first page.
    #[serde(default)]
    #[schema(default = "")]
    cursor: String,
}

impl Tool for ListRuns {
    const NAME: &'static str = "list_runs";
    const TITLE: &'static str = "List runs";
    const DESCRIPTION: &'static str =
        "List the organization's runs, newest first. A completed run names its reportId.";
    const EFFECT: Effect = Effect::Reads;
    const WORDS: Words = Words::Others;
    type Arguments = ListArguments;
    type Output = RunList;

    async fn call(context: &Context, arguments: ListArguments) -> Result<RunList, Failure> {
        let (site, cursor) = (given(&arguments.site_id), given(&arguments.cursor));
        let client = &context.client;
        let status = &arguments.status;
        page::fitting(arguments.limit, Self::WORDS, |limit| {
            client.runs(site, status, Some(limit), cursor)
        })
        .await
    }
}
