use api_types::run as wire;
use domain::FailureCode;
use domain::ports::RunPage;
use domain::run::{
    Device, Mode, Run, RunCursor, RunError, RunOptions, RunPhase, RunProgress, RunStatus, Trigger,
};

use super::same_variants::{ToWire, same_variants};
use super::time;

same_variants! { RunStatus, wire::RunStatus: Queued, Running, Completed, Failed, Cancelled }
same_variants! { Mode, wire::Mode: Auto, Static, Rendered }
same_variants! { Device, wire::Device: Mobile, Desktop }
same_variants! { RunPhase, wire::RunPhase: Queued, Discovering, Crawling, Rendering, Scoring, Done }
same_variants! { Trigger, wire::Trigger: Api, Schedule, Dashboard }
same_variants! {
    FailureCode, wire::FailureCode:
    DnsFailure, ConnectionRefused, TlsError, Timeout, HttpError, TooManyRedirects,
    RedirectedElsewhere, RobotsDisallowed, Blocked, TargetNotAllowed, NotHtml, DeadlineExceeded,
    ResourceLimit, Internal
}

/// A run.
pub(crate) fn run(run: &Run) -> wire::Run {
    wire::Run {
        run_id: run.id.to_string(),
        status: run.state.status().to_wire(),
        url: run.url.clone(),
        site_id: run.site_id.to_string(),
        report_id: run.report_id().map(ToString::to_string),
        trigger: run.trigger.to_wire(),
        options: options(&run.options),
        progress: progress(&run.progress),
        error: run.state.error().map(run_error),
        created_at: time(run.created_at),
        started_at: run.state.started_at().map(time),
        finished_at: run.state.finished_at().map(time),
    }
}

/// A page of a list of runs.
pub(crate) fn runs(page: &RunPage) -> wire::RunList {
    wire::RunList {
        runs: page.runs.iter().map(run).collect(),
        next_cursor: page.next.as_ref().map(RunCursor::encode),
    }
}

fn options(options: &RunOptions) -> wire::RunOptions {
    wire::RunOptions {
        max_pages: options.max_pages,
        max_depth: options.max_depth,
        mode: options.mode.to_wire(),
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        device: options.device.to_wire(),
        headers: (!options.headers.is_empty()).then(|| options.headers.hidden().expose().clone()),
        user_agent: options.user_agent.clone(),
        respect_robots: options.respect_robots,
    }
}

fn progress(progress: &RunProgress) -> wire::RunProgress {
    wire::RunProgress {
        phase: progress.phase.to_wire(),
        pages_discovered: progress.pages_discovered,
        pages_fetched: progress.pages_fetched,
        pages_audited: progress.pages_audited,
        pages_rendered: progress.pages_rendered,
        pages_measured: progress.pages_measured,
        seconds_left: progress.seconds_left,
        percent: progress.percent,
    }
}

/// Why a run failed.
pub(super) fn run_error(error: &RunError) -> wire::RunError {
    wire::RunError {
        code: error.code.to_wire(),
        message: error.message.clone(),
    }
}
