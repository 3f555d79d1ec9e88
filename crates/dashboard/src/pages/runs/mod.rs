//! A run: how far it has come, and what became of it.

mod events;
mod progress;

use askama::Template;
use domain::id::RunId;
use domain::key::Role;
use domain::ports::Cancellation;
use domain::run::{Device, Mode, Run, RunOptions, RunState, Trigger};
use domain::text::count;

use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(crate) use progress::Progress;

pub(super) const ROUTES: &[Route] = &[
    Route::get("/runs/{id}", Access::SignedIn(Role::Read), show),
    Route::get(
        "/runs/{id}/events",
        Access::SignedIn(Role::Read),
        events::watch,
    ),
    Route::post("/runs/{id}/cancel", Access::SignedIn(Role::Member), cancel),
];

/// Seconds after which a browser without script loads the page of a run under way again.
const REFRESH_SECONDS: u32 = 3;

#[derive(Template)]
#[template(path = "pages/runs/run.html")]
struct RunPage {
    layout: Layout,
    site_id: String,
    url: String,
    progress: Progress,
    outcome: Outcome,
    started_by: &'static str,
    created: Time,
    started: Option<Time>,
    finished: Option<Time>,
    options: Vec<(&'static str, String)>,
}

/// What became of a run.
enum Outcome {
    /// It waits or runs.
    UnderWay,
    /// It has this report.
    Completed { report_id: String },
    /// It has no report.
    Failed { code: &'static str, message: String },
    /// A person cancelled it.
    Cancelled,
}

impl Outcome {
    fn new(state: &RunState) -> Self {
        match state {
            RunState::Queued | RunState::Running { .. } => Self::UnderWay,
            RunState::Completed { report_id, .. } => Self::Completed {
                report_id: report_id.to_string(),
            },
            RunState::Failed { error, .. } => Self::Failed {
                code: error.code.as_str(),
                message: error.message.clone(),
            },
            RunState::Cancelled { .. } => Self::Cancelled,
        }
    }

    /// Whether the page offers to start another audit of the address.
    const fn may_be_repeated(&self) -> bool {
        matches!(self, Self::Failed { .. } | Self::Cancelled)
    }
}

/// The run that the path names.
fn run(visit: &Visit) -> Result<Run, Failure> {
    let id = visit.id("id", RunId::parse)?;
    let run = visit.state.stores.run(visit.org()?, &id)?;
    run.ok_or(Failure::NotFound)
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let run = run(visit)?;
    let title = format!("Audit of {}", run.url);
    let mut layout = Layout::new(visit, title, Section::Sites);
    if !run.state.status().is_final() {
        layout = layout.refreshed_every(REFRESH_SECONDS);
    }
    Reply::page(&RunPage {
        layout,
        site_id: run.site_id.to_string(),
        progress: Progress::new(&run, visit.now()),
        outcome: Outcome::new(&run.state),
        started_by: started_by(run.trigger),
        created: Time::new(run.created_at),
        started: Time::optional(run.state.started_at()),
        finished: Time::optional(run.state.finished_at()),
        options: options(&run.options),
        url: run.url,
    })
}

fn cancel(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", RunId::parse)?;
    let stores = &visit.state.stores;
    let cancelled = stores.cancel_run(visit.org()?, &id, visit.now())?;
    match cancelled.ok_or(Failure::NotFound)? {
        Cancellation::Done(_) => {
            (visit.state.settings.on_run_cancelled)();
            Ok(Reply::redirect(format!("/runs/{id}")))
        }
        // The page says how it ended.
        Cancellation::Before(_) | Cancellation::TooLate(_) => {
            Ok(Reply::redirect(format!("/runs/{id}")))
        }
    }
}

/// What started a run, in words.
pub(crate) const fn started_by(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Api => "the API",
        Trigger::Schedule => "the schedule",
        Trigger::Dashboard => "a person in the dashboard",
    }
}

/// How a run audits: what is not as everybody expects.
fn options(options: &RunOptions) -> Vec<(&'static str, String)> {
    let mut shown = vec![(
        "Maximum pages",
        count(u64::from(options.max_pages), "page", "pages"),
    )];
    if let Some(depth) = options.max_depth {
        shown.push(("Maximum depth", count(u64::from(depth), "click", "clicks")));
    }
    let mode = match options.mode {
        Mode::Auto => "in a browser if available",
        Mode::Static => "without browser",
        Mode::Rendered => "in a browser",
    };
    shown.push(("How pages are loaded", mode.to_owned()));
    let device = match options.device {
        Device::Mobile => "phone",
        Device::Desktop => "desktop computer",
    };
    shown.push(("Device", device.to_owned()));
    for (label, patterns) in [
        ("Only include pages that match", &options.include),
        ("Exclude pages that match", &options.exclude),
    ] {
        if !patterns.is_empty() {
            shown.push((label, patterns.join(" ")));
        }
    }
    if let Some(user_agent) = &options.user_agent {
        shown.push(("User agent", user_agent.clone()));
    }
    if !options.respect_robots {
        shown.push(("robots.txt", "ignored".to_owned()));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_are_not_set_are_not_shown() {
        let mut asked = RunOptions::with_max_pages(1_000);
        let labels = |asked: &RunOptions| {
            let shown = options(asked);
            shown.iter().map(|(label, _)| *label).collect::<Vec<_>>()
        };
        assert_eq!(
            labels(&asked),
            ["Maximum pages", "How pages are loaded", "Device"]
        );
        asked.include = vec!["/a".to_owned(), "/b".to_owned()];
        asked.respect_robots = false;
        assert!(options(&asked).contains(&("Only include pages that match", "/a /b".to_owned())));
        assert!(labels(&asked).contains(&"robots.txt"));
    }
}
