//! `wait_for_run`.

use std::time::Duration;

use api_types::dimension::PerDimension;
use api_types::run::{Run, RunProgress, RunStatus};
use client::Error;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::timeout;
use utoipa::ToSchema;

use super::limits::seconds;
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct WaitForRun;

/// The run to wait for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Arguments {
    /// Id of the run.
    run_id: String,
    /// Many clients abort a call after a minute.
    #[serde(default = "seconds")]
    #[schema(default = 45, minimum = 1, maximum = 600)]
    timeout_seconds: u32,
}

/// A run, ended or still active.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Waited {
    /// The run.
    run: Run,
    /// Whether the run has ended.
    ended: bool,
    /// The overall score, 0 to 100; null unless it completed.
    overall_score: Option<u8>,
    /// The score of each dimension; null unless it completed.
    subscores: Option<PerDimension<u8>>,
}

impl Tool for WaitForRun {
    const NAME: &'static str = "wait_for_run";
    const TITLE: &'static str = "Wait for a run";
    const DESCRIPTION: &'static str = "Wait until a run ends, and return it with its scores. After the timeout, ended is false: call it again.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = Arguments;
    type Output = Waited;

    async fn call(context: &Context, arguments: Arguments) -> Result<Waited, Failure> {
        let time = Duration::from_secs(arguments.timeout_seconds.into());
        let run = wait(context, &arguments.run_id, time).await?;
        let report = match &run.report_id {
            Some(report) => Some(context.client.report(report).await?.value),
            None => None,
        };
        Ok(Waited {
            ended: !matches!(run.status, RunStatus::Queued | RunStatus::Running),
            overall_score: report.as_ref().map(|report| report.overall_score),
            subscores: report.map(|report| report.subscores),
            run,
        })
    }

    fn next(waited: &Waited, offers: Offers) -> String {
        next(&waited.run, offers)
    }
}

/// The run at its end, or as it was seen last when the time was up.
async fn wait(context: &Context, run: &str, time: Duration) -> Result<Run, Error> {
    let (seen, last) = watch::channel(None);
    let mut show = |run: &Run| {
        let progress = &run.progress;
        let message = message(progress);
        context.progress.report(progress.percent, message);
        seen.send_replace(Some(run.clone()));
    };
    if let Ok(ended) = timeout(time, context.client.watch(run, &mut show)).await {
        return Ok(ended?.value);
    }
    let last = last.borrow().clone();
    match last {
        Some(run) => Ok(run),
        None => Ok(context.client.run(run).await?.value),
    }
}

/// "rendering: 12 pages audited of 40 found, 11 rendered, about 20 s left"
fn message(progress: &RunProgress) -> String {
    let phase = serde_json::to_value(progress.phase).unwrap_or_default();
    let mut text = format!(
        "{}: {} pages audited of {} found",
        phase.as_str().unwrap_or_default(),
        progress.pages_audited,
        progress.pages_discovered
    );
    if progress.pages_rendered > 0 {
        text.push_str(&format!(", {} rendered", progress.pages_rendered));
    }
    if let Some(measured) = progress.pages_measured {
        text.push_str(&format!(", {measured} measured"));
    }
    if let Some(seconds) = progress.seconds_left {
        text.push_str(&format!(", about {seconds} s left"));
    }
    text
}

/// What to call after a look at a run.
pub(super) fn next(run: &Run, offers: Offers) -> String {
    match (run.status, &run.report_id) {
        (RunStatus::Completed, Some(report)) if !offers.has_actions() => {
            format!("Call get_report with reportId {report}.")
        }
        (RunStatus::Completed, Some(report)) => format!(
            "Call get_report with reportId {report}, or list_actions with siteId {} for the action items.",
            run.site_id
        ),
        (RunStatus::Queued | RunStatus::Running, _) => {
            format!(
                "The run is still active. Call wait_for_run with runId {}.",
                run.run_id
            )
        }
        (RunStatus::Failed, _) => {
            "The run has no report; its error has the reason. Correct the cause, then call start_audit."
                .to_owned()
        }
        _ => "The run was cancelled and has no report. start_audit starts another.".to_owned(),
    }
}
