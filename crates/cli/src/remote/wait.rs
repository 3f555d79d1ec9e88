//! Waits until a run ends.

use std::fmt::Write;
use std::io::IsTerminal;

use anyhow::Result;
use api_types::run::{Run, RunError, RunPhase, RunStatus};
use client::Reply;
use domain::text::{count, grouped, time_left};
use indicatif::{ProgressBar, ProgressStyle};

use super::labels;
use super::session::Session;
use crate::exit::Exit;
use crate::output::{print_error, write_note};

/// Waits until a run ends, with progress on standard error. Returns `None` after Ctrl-C; the run continues
/// then.
pub(super) async fn wait(session: &Session, run: &str) -> Result<Option<Reply<Run>>> {
    let mut line = Line::new();
    let mut show = |run: &Run| line.show(run);
    let ended = tokio::select! {
        ended = session.client.watch(run, &mut show) => Some(ended),
        _ = tokio::signal::ctrl_c() => None,
    };
    line.finish();
    let Some(ended) = ended else {
        write_note(&format!(
            "The run continues. Show it with `assay runs show {run}`, cancel it with `assay runs cancel {run}`."
        ));
        return Ok(None);
    };
    Ok(Some(ended?))
}

/// Prints why a run has no report.
pub(super) fn exit_status(run: &Run) -> Exit {
    match run.status {
        RunStatus::Completed => Exit::Fine,
        RunStatus::Failed => {
            match &run.error {
                Some(RunError { code, message }) => {
                    let code = serde_json::to_value(code).unwrap_or_default();
                    print_error(code.as_str(), message);
                }
                None => print_error(None, "the run failed"),
            }
            Exit::CouldNotRun
        }
        RunStatus::Cancelled => {
            print_error(None, "the run was cancelled");
            Exit::CouldNotRun
        }
        RunStatus::Queued | RunStatus::Running => Exit::Fine,
    }
}

/// A bar on a terminal; otherwise a line for each phase change.
struct Line {
    bar: Option<ProgressBar>,
    shown: Option<&'static str>,
}

impl Line {
    fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(100);
            if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent:>3} %  {wide_msg}") {
                bar.set_style(style.progress_chars("━╸─"));
            }
            bar
        });
        Self { bar, shown: None }
    }

    fn show(&mut self, run: &Run) {
        let text = described(run);
        if let Some(bar) = &self.bar {
            bar.set_position(u64::from(run.progress.percent));
            bar.set_message(text);
            return;
        }
        let phase = labels::phase(&run.progress);
        if self.shown.replace(phase) != Some(phase) {
            write_note(&text);
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn described(run: &Run) -> String {
    let progress = &run.progress;
    let phase = labels::phase(progress);
    if progress.pages_discovered == 0 {
        return phase.to_owned();
    }
    let mut text = format!(
        "{phase}: {} audited of {} found",
        count(progress.pages_audited, "page", "pages"),
        count(progress.pages_discovered, "URL", "URLs")
    );
    if progress.phase == RunPhase::Rendering {
        let _ = match progress.pages_measured {
            Some(measured) => write!(text, ", {} measured", grouped(measured)),
            None => write!(text, ", {} rendered", grouped(progress.pages_rendered)),
        };
    }
    if let Some(seconds) = progress.seconds_left {
        let _ = write!(text, ", {}", time_left(seconds));
    }
    text
}
