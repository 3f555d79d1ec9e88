//! `assay runs`.

use anyhow::Result;
use api_types::run::{Run, RunStatus};
use domain::text::{count, grouped};

use super::session::Session;
use super::table::{sheet, table};
use super::times::{minute, minute_or_dash};
use super::{labels, wait};
use crate::args::{ListReportsArgs, ListRunsArgs, RunsArgs, RunsCommand};
use crate::exit::Exit;
use crate::output::write_note;

pub(super) async fn runs(session: &Session, args: &RunsArgs) -> Result<Exit> {
    match &args.command {
        None => list(session, &args.list).await,
        Some(command) => run(session, command).await,
    }
}

async fn list(session: &Session, args: &ListRunsArgs) -> Result<Exit> {
    let site = match &args.site {
        Some(site) => Some(session.site_id(site).await?),
        None => None,
    };
    let status: Vec<RunStatus> = args.status.iter().copied().map(Into::into).collect();
    let (limit, cursor) = (args.page.limit, args.page.cursor.as_deref());
    let list = session
        .client
        .runs(site.as_deref(), &status, limit, cursor)
        .await?;
    session.print(&list, |list| {
        if list.runs.is_empty() {
            return "No runs. Start one with `assay start URL`.\n".to_owned();
        }
        table(
            ["STARTED (UTC)", "STATUS", "URL", "RUN", "REPORT"],
            list.runs.iter().map(row),
        )
    })?;
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

/// Lists the runs that have a report.
pub(super) async fn reports(session: &Session, args: &ListReportsArgs) -> Result<Exit> {
    let site = match &args.site {
        Some(site) => Some(session.site_id(site).await?),
        None => None,
    };
    let (limit, cursor) = (args.page.limit, args.page.cursor.as_deref());
    let list = session
        .client
        .runs(site.as_deref(), &[RunStatus::Completed], limit, cursor)
        .await?;
    session.print(&list, |list| {
        if list.runs.is_empty() {
            return "No reports. Start an audit with `assay start URL`.\n".to_owned();
        }
        let rows = list.runs.iter().map(|run| {
            let report = run.report_id.clone();
            [
                minute_or_dash(run.finished_at.as_ref()),
                grouped(run.progress.pages_audited),
                run.url.clone(),
                report.unwrap_or_else(|| "–".to_owned()),
            ]
        });
        table(["FINISHED (UTC)", "PAGES", "URL", "REPORT"], rows)
    })?;
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

async fn run(session: &Session, command: &RunsCommand) -> Result<Exit> {
    match command {
        RunsCommand::List(args) => list(session, args).await,
        RunsCommand::Show { run, wait, .. } => {
            let run = &session.run_id(run).await?;
            let run = if *wait {
                match wait::wait(session, run).await? {
                    Some(run) => run,
                    None => return Ok(Exit::CouldNotRun),
                }
            } else {
                session.client.run(run).await?
            };
            session.print(&run, shown)?;
            Ok(if *wait {
                wait::exit_status(&run.value)
            } else {
                Exit::Fine
            })
        }
        RunsCommand::Cancel { run, .. } => {
            let run = session.run_id(run).await?;
            let run = session.client.cancel_run(&run).await?;
            session.print(&run, |run| {
                format!("{} is {}\n", run.run_id, labels::status(run.status))
            })?;
            Ok(Exit::Fine)
        }
    }
}

/// Prints the cursor of the next page.
pub(super) fn more(session: &Session, cursor: Option<&String>) {
    if let Some(cursor) = cursor.filter(|_| !session.json) {
        write_note(&format!("More entries: --cursor {cursor}"));
    }
}

fn row(run: &Run) -> [String; 5] {
    [
        minute_or_dash(run.started_at.as_ref()),
        labels::status(run.status).to_owned(),
        run.url.clone(),
        run.run_id.clone(),
        run.report_id.clone().unwrap_or_else(|| "–".to_owned()),
    ]
}

fn shown(run: &Run) -> String {
    let progress = &run.progress;
    let mut rows = vec![
        ("Run", run.run_id.clone()),
        ("URL", run.url.clone()),
        ("Site", run.site_id.clone()),
        ("Status", labels::status(run.status).to_owned()),
    ];
    if run.status == RunStatus::Running {
        let phase = labels::phase(progress);
        rows.push(("Phase", format!("{phase} ({} %)", progress.percent)));
    }
    rows.push((
        "Pages",
        count(progress.pages_audited, "page audited", "pages audited"),
    ));
    if progress.pages_rendered > 0 {
        let rendered = count(progress.pages_rendered, "page", "pages");
        rows.push(("Rendered", format!("{rendered} in a browser")));
    }
    rows.push(("Created", format!("{} UTC", minute(&run.created_at))));
    rows.extend(
        run.finished_at
            .iter()
            .map(|time| ("Finished", format!("{} UTC", minute(time)))),
    );
    rows.extend(
        run.error
            .iter()
            .map(|error| ("Error", error.message.clone())),
    );
    rows.extend(
        run.report_id
            .iter()
            .map(|report| ("Report", report.clone())),
    );
    sheet(&rows)
}
