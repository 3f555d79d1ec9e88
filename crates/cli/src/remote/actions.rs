//! `assay actions`.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use api_types::action::{
    ActionItem, ActionStatus, BriefStatus, CreateActionRequest, UpdateActionRequest,
};
use api_types::brief::{ActionBrief, QueueBriefRequest};
use api_types::comment::ActionComment;
use api_types::handoff::HandoffRequest;
use client::{ActionFilter, Reply};
use report::plain::plain;

use super::session::{Session, print};
use super::table::{paragraph, sheet, table};
use super::times::minute;
use super::{documents, labels, runs};
use crate::args::{
    ActionStatusFilter, ActionsArgs, ActionsCommand, BriefArgs, CreateActionArgs, HandoffArgs,
    ListActionsArgs, UpdateActionArgs,
};
use crate::exit::Exit;
use crate::output::{print_error, write_note};
use crate::runner::Form;

/// The polling interval for a brief.
const POLL: Duration = Duration::from_secs(2);
/// The number of comments shown with an item.
const COMMENTS: u32 = 200;

pub(super) async fn actions(session: &Session, args: &ActionsArgs) -> Result<Exit> {
    let Some(command) = &args.command else {
        return list(session, &args.list).await;
    };
    match command {
        ActionsCommand::List(args) => list(session, args).await,
        ActionsCommand::Show { action, .. } => show(session, action).await,
        ActionsCommand::Create(args) => create(session, args).await,
        ActionsCommand::Update(args) => {
            let id = session.action_id(&args.action).await?;
            let changes = changes(session, args).await?;
            let item = session.client.update_action(&id, &changes).await?;
            session.print(&item, |item| shown(item, &[]))?;
            if item.value.status == ActionStatus::Dismissed && !session.json {
                offer_waiver(&item.value);
            }
            Ok(Exit::Fine)
        }
        ActionsCommand::Comment { action, text, .. } => {
            let text = match text.as_str() {
                "-" => read_input()?,
                text => text.to_owned(),
            };
            let id = session.action_id(action).await?;
            let comment = session.client.comment(&id, &text).await?;
            session.print(&comment, |comment| format!("{}\n", comment.comment_id))?;
            Ok(Exit::Fine)
        }
        ActionsCommand::Brief(args) => brief(session, args).await,
        ActionsCommand::Handoff(args) => handoff(session, args).await,
    }
}

/// Says how to accept the finding of a dismissed item.
fn offer_waiver(item: &ActionItem) {
    if let (Some(site), Some(check)) = (&item.site_id, &item.check_id) {
        write_note(&format!(
            "The finding still costs points. To accept it: assay waivers add {} {} --reason TEXT",
            plain(site),
            plain(check)
        ));
    }
}

async fn list(session: &Session, args: &ListActionsArgs) -> Result<Exit> {
    let site = match &args.site {
        Some(site) => Some(session.site_id(site).await?),
        None => None,
    };
    let filter = ActionFilter {
        statuses: statuses(&args.status),
        priorities: args.priority.iter().copied().map(Into::into).collect(),
        site,
        assignee: member(session, args.assignee.as_deref()).await?,
        limit: args.page.limit,
        cursor: args.page.cursor.clone(),
    };
    let actions = session.client.actions(&filter).await?;
    session.print(&actions, |list| {
        if list.actions.is_empty() {
            return "No action items.\n".to_owned();
        }
        table(
            ["PRIORITY", "STATUS", "AFFECTS", "DUE", "TITLE", "ACTION"],
            list.actions.iter().map(row),
        )
    })?;
    runs::more(session, actions.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

/// The status filter for the API, in which an empty list means all.
fn statuses(wanted: &[ActionStatusFilter]) -> Vec<ActionStatus> {
    let one = |status: &ActionStatusFilter| {
        Some(match status {
            ActionStatusFilter::Open => ActionStatus::Open,
            ActionStatusFilter::InProgress => ActionStatus::InProgress,
            ActionStatusFilter::Done => ActionStatus::Done,
            ActionStatusFilter::Dismissed => ActionStatus::Dismissed,
            ActionStatusFilter::All => return None,
        })
    };
    let all: Option<Vec<ActionStatus>> = wanted.iter().map(one).collect();
    all.unwrap_or_default()
}

fn row(item: &ActionItem) -> [String; 6] {
    let dash = || "–".to_owned();
    [
        labels::priority(item.priority).to_owned(),
        labels::action_status(item.status).to_owned(),
        affects(item).unwrap_or_else(dash),
        item.due_date.clone().unwrap_or_else(dash),
        item.title.clone(),
        item.action_id.clone(),
    ]
}

/// What the finding of an item affects: "12 pages".
fn affects(item: &ActionItem) -> Option<String> {
    let affected = item.affected_pages?;
    Some(labels::reach(item.check_id.as_deref(), affected))
}

async fn show(session: &Session, action: &str) -> Result<Exit> {
    let id = session.action_id(action).await?;
    let item = session.client.action(&id).await?;
    let comments = if session.json || item.value.comment_count == 0 {
        Vec::new()
    } else {
        let list = session.client.comments(&id, Some(COMMENTS), None).await?;
        list.value.comments
    };
    session.print(&item, |item| shown(item, &comments))?;
    Ok(Exit::Fine)
}

fn shown(item: &ActionItem, comments: &[ActionComment]) -> String {
    let mut rows = vec![
        ("Action", item.action_id.clone()),
        ("Title", item.title.clone()),
        ("Status", labels::action_status(item.status).to_owned()),
        ("Priority", labels::priority(item.priority).to_owned()),
    ];
    rows.extend(
        item.severity
            .map(|it| ("Severity", labels::severity(it).to_owned())),
    );
    rows.extend(item.check_id.iter().map(|it| ("Check", it.clone())));
    rows.extend(affects(item).map(|it| ("Affects", it)));
    rows.extend(item.site_id.iter().map(|it| ("Site", it.clone())));
    rows.extend(item.report_id.iter().map(|it| ("Report", it.clone())));
    rows.extend(item.assignee_id.iter().map(|it| ("Assignee", it.clone())));
    rows.extend(item.due_date.iter().map(|it| ("Due", it.clone())));
    rows.push(("Brief", labels::brief_status(item.brief_status).to_owned()));
    rows.extend(
        item.resolved_at
            .iter()
            .map(|it| ("Resolved", format!("{} UTC", minute(it)))),
    );
    rows.extend(
        item.verified_at
            .iter()
            .map(|it| ("Verified", format!("{} UTC, by an audit", minute(it)))),
    );
    let mut out = sheet(&rows);
    if !item.description.is_empty() {
        let _ = write!(out, "\n{}\n", lines(&item.description));
    }
    for comment in comments {
        let _ = write!(
            out,
            "\n{} UTC, {}:\n{}\n",
            minute(&comment.created_at),
            plain(&comment.author.name),
            lines(&comment.body)
        );
    }
    out
}

async fn create(session: &Session, args: &CreateActionArgs) -> Result<Exit> {
    let site_id = match &args.site {
        Some(site) => Some(session.site_id(site).await?),
        None => None,
    };
    let request = CreateActionRequest {
        title: args.title.clone(),
        site_id,
        description: args.description.clone(),
        priority: args.priority.map(Into::into),
        assignee_id: member(session, args.assignee.as_deref()).await?,
        due_date: args.due.clone(),
    };
    let item = session.client.create_action(&request).await?;
    session.print(&item, |item| format!("{}\n", item.action_id))?;
    Ok(Exit::Fine)
}

/// Text of several lines without control sequences.
fn lines(text: &str) -> String {
    let filled: String = text.lines().map(paragraph).collect();
    filled.trim_end().to_owned()
}

/// The id of the member that an argument names.
async fn member(session: &Session, named: Option<&str>) -> Result<Option<String>> {
    Ok(match named {
        Some(named) => Some(session.member_id(named).await?),
        None => None,
    })
}

async fn changes(session: &Session, args: &UpdateActionArgs) -> Result<UpdateActionRequest> {
    let assignee = args.assignee.as_deref();
    let assigned = member(session, assignee.filter(|it| *it != "none")).await?;
    let or_none = |given: &Option<String>| {
        given
            .as_ref()
            .map(|text| (text != "none").then(|| text.clone()))
    };
    Ok(UpdateActionRequest {
        status: args.status.map(Into::into),
        priority: args.priority.map(Into::into),
        assignee_id: assignee.map(|_| assigned),
        due_date: or_none(&args.due),
        title: args.title.clone(),
        description: args.description.clone(),
    })
}

fn read_input() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .context("cannot read standard input")?;
    Ok(text)
}

async fn brief(session: &Session, args: &BriefArgs) -> Result<Exit> {
    let id = session.action_id(&args.action).await?;
    if args.queue {
        let request = QueueBriefRequest {
            instructions: args.instructions.clone(),
        };
        let queued = session.client.queue_brief(&id, &request).await?;
        if !args.wait {
            session.print(&queued, |queued| {
                format!("The brief of {} is queued.\n", queued.action_id)
            })?;
            return Ok(Exit::Fine);
        }
    }
    let brief = written(session, &id, args.wait).await?;
    let status = brief.value.status;
    if session.json {
        session.print(&brief, |_| String::new())?;
    } else if let Some(content) = &brief.value.content {
        print(&format!(
            "{}\n",
            content.lines().map(harmless).collect::<Vec<_>>().join("\n")
        ))?;
    }
    if status == BriefStatus::Failed {
        let why = brief.value.error.as_deref();
        print_error(None, why.unwrap_or("generating the brief failed"));
        return Ok(Exit::CouldNotRun);
    }
    if status != BriefStatus::Ready && !session.json {
        write_note(match status {
            BriefStatus::None => "There is no brief yet; --queue generates one.",
            _ => "The brief is being generated; --wait waits for it.",
        });
    }
    Ok(Exit::Fine)
}

/// A line with its indentation and without control sequences.
fn harmless(line: &str) -> String {
    let indent: String = line.chars().take_while(|c| *c == ' ').collect();
    format!("{indent}{}", plain(line))
}

/// The brief; with `--wait`, once it is ready or has failed.
async fn written(session: &Session, id: &str, wait: bool) -> Result<Reply<ActionBrief>> {
    loop {
        let brief = session.client.brief(id).await?;
        let under_way = matches!(
            brief.value.status,
            BriefStatus::Queued | BriefStatus::Generating
        );
        if !(wait && under_way) {
            return Ok(brief);
        }
        tokio::time::sleep(POLL).await;
    }
}

async fn handoff(session: &Session, args: &HandoffArgs) -> Result<Exit> {
    let mut ids = Vec::with_capacity(args.actions.len());
    for action in &args.actions {
        ids.push(session.action_id(action).await?);
    }
    let request = HandoffRequest {
        ids,
        format: Some(args.format.into()),
    };
    let handoff = session.client.handoff(&request).await?;
    let prompt = handoff.value.prompt.as_bytes();
    let write = |output: &Path| documents::write(output, prompt, Some(Form::Words));
    match &args.output {
        Some(output) => write(output)?,
        None if session.json => session.print(&handoff, |_| String::new())?,
        // The service removes control characters from briefs, so the text is printed unchanged.
        None => write(Path::new("-"))?,
    }
    Ok(Exit::Fine)
}
