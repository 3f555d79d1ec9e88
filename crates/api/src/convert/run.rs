use api_types::run as wire;
use domain::FailureCode;
use domain::ports::RunPage;
use domain::run::{
    Device, Mode, Run, RunCursor, RunError, RunOptions, RunPhase, RunProgress, RunStatus, Trigger,
};

use super::time;

/// A run.
pub(crate) fn run(run: &Run) -> wire::Run {
    wire::Run {
        run_id: run.id.to_string(),
        status: status(run.state.status()),
        url: run.url.clone(),
        site_id: run.site_id.to_string(),
        report_id: run.report_id().map(ToString::to_string),
        trigger: trigger(run.trigger),
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

const fn status(status: RunStatus) -> wire::RunStatus {
    match status {
        RunStatus::Queued => wire::RunStatus::Queued,
        RunStatus::Running => wire::RunStatus::Running,
        RunStatus::Completed => wire::RunStatus::Completed,
        RunStatus::Failed => wire::RunStatus::Failed,
        RunStatus::Cancelled => wire::RunStatus::Cancelled,
    }
}

fn options(options: &RunOptions) -> wire::RunOptions {
    wire::RunOptions {
        max_pages: options.max_pages,
        max_depth: options.max_depth,
        mode: match options.mode {
            Mode::Auto => wire::Mode::Auto,
            Mode::Static => wire::Mode::Static,
            Mode::Rendered => wire::Mode::Rendered,
        },
        include: options.include.clone(),
        exclude: options.exclude.clone(),
        device: match options.device {
            Device::Mobile => wire::Device::Mobile,
            Device::Desktop => wire::Device::Desktop,
        },
        headers: (!options.headers.is_empty()).then(|| options.headers.hidden().expose().clone()),
        user_agent: options.user_agent.clone(),
        respect_robots: options.respect_robots,
    }
}

const fn progress(progress: &RunProgress) -> wire::RunProgress {
    wire::RunProgress {
        phase: match progress.phase {
            RunPhase::Queued => wire::RunPhase::Queued,
            RunPhase::Discovering => wire::RunPhase::Discovering,
            RunPhase::Crawling => wire::RunPhase::Crawling,
            RunPhase::Rendering => wire::RunPhase::Rendering,
            RunPhase::Scoring => wire::RunPhase::Scoring,
            RunPhase::Done => wire::RunPhase::Done,
        },
        pages_discovered: progress.pages_discovered,
        pages_fetched: progress.pages_fetched,
        pages_audited: progress.pages_audited,
        percent: progress.percent,
    }
}

/// What started a run.
pub(super) const fn trigger(trigger: Trigger) -> wire::Trigger {
    match trigger {
        Trigger::Api => wire::Trigger::Api,
        Trigger::Schedule => wire::Trigger::Schedule,
        Trigger::Dashboard => wire::Trigger::Dashboard,
    }
}

/// Why a run failed.
pub(super) fn run_error(error: &RunError) -> wire::RunError {
    wire::RunError {
        code: match error.code {
            FailureCode::DnsFailure => wire::FailureCode::DnsFailure,
            FailureCode::ConnectionRefused => wire::FailureCode::ConnectionRefused,
            FailureCode::TlsError => wire::FailureCode::TlsError,
            FailureCode::Timeout => wire::FailureCode::Timeout,
            FailureCode::HttpError => wire::FailureCode::HttpError,
            FailureCode::TooManyRedirects => wire::FailureCode::TooManyRedirects,
            FailureCode::RedirectedElsewhere => wire::FailureCode::RedirectedElsewhere,
            FailureCode::RobotsDisallowed => wire::FailureCode::RobotsDisallowed,
            FailureCode::Blocked => wire::FailureCode::Blocked,
            FailureCode::TargetNotAllowed => wire::FailureCode::TargetNotAllowed,
            FailureCode::NotHtml => wire::FailureCode::NotHtml,
            FailureCode::DeadlineExceeded => wire::FailureCode::DeadlineExceeded,
            FailureCode::ResourceLimit => wire::FailureCode::ResourceLimit,
            FailureCode::Internal => wire::FailureCode::Internal,
        },
        message: error.message.clone(),
    }
}
