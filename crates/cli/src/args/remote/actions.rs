//! `assay actions`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::{PageArgs, RemoteArgs};

/// `assay actions`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay actions\n  assay actions --site example.com --priority critical,high\n  assay \
actions update act_01J… --status done"
)]
pub struct ActionsArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<ActionsCommand>,

    /// The filters of the list.
    #[command(flatten)]
    pub list: ListActionsArgs,
}

/// `assay actions …`.
#[derive(Debug, Subcommand)]
pub enum ActionsCommand {
    /// List action items by priority; by default those that are open or in progress.
    List(Box<ListActionsArgs>),
    /// Show an action item and its comments.
    #[command(after_help = "Example:\n  assay actions show act_01J…")]
    Show {
        /// The item's id or its last characters.
        #[arg(value_name = "ACTION_ID")]
        action: String,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Create an action item and print its id.
    Create(Box<CreateActionArgs>),
    /// Change an action item.
    Update(Box<UpdateActionArgs>),
    /// Comment on an action item.
    #[command(
        after_help = "Examples:\n  assay actions comment act_01J… 'Fixed in release 42.'\n  git log \
-1 | assay actions comment act_01J… -"
    )]
    Comment {
        /// The item's id or its last characters.
        #[arg(value_name = "ACTION_ID")]
        action: String,
        /// The text of the comment; `-` reads it from standard input.
        text: String,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show the brief of an action item, or queue its generation.
    Brief(Box<BriefArgs>),
    /// Print one prompt for a coding agent from up to ten action items.
    Handoff(Box<HandoffArgs>),
}

/// `assay actions list`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay actions list\n  assay actions list --site example.com --priority \
critical,high\n  assay actions list --status done --limit 200 --json\n  assay actions list --status all"
)]
pub struct ListActionsArgs {
    /// Filter by status; comma-separated, or `all`.
    #[arg(
        long,
        value_name = "STATUS",
        value_enum,
        value_delimiter = ',',
        default_value = "open,in_progress"
    )]
    pub status: Vec<ActionStatusFilter>,

    /// Filter by priority; comma-separated.
    #[arg(long, value_name = "PRIORITY", value_enum, value_delimiter = ',')]
    pub priority: Vec<PriorityArg>,

    /// Filter by site: its id or host.
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,

    /// Filter by assignee: a member's id or e-mail address.
    #[arg(long, value_name = "MEMBER_ID")]
    pub assignee: Option<String>,

    /// Pagination.
    #[command(flatten)]
    pub page: PageArgs,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay actions create`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay actions create 'Say when the office is open' --site example.com\n  assay \
actions create 'Renew the certificate' --priority high --assignee mem_01J… --due 2026-12-24"
)]
pub struct CreateActionArgs {
    /// The title: what to do, in one line.
    pub title: String,

    /// The site of the item: its id or host.
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,

    /// The description: what to do, in detail.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,

    /// The priority [default: medium].
    #[arg(long, value_name = "PRIORITY", value_enum)]
    pub priority: Option<PriorityArg>,

    /// The assignee: a member's id or e-mail address; see `assay account --members`.
    #[arg(long, value_name = "MEMBER_ID")]
    pub assignee: Option<String>,

    /// The due date: YYYY-MM-DD.
    #[arg(long, value_name = "DAY")]
    pub due: Option<String>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay actions update`.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("change").required(true).multiple(true)
        .args(["status", "priority", "assignee", "due", "title", "description"]),
    after_help = "Examples:\n  assay actions update act_01J… --status done\n  assay actions update act_01J… \
--priority high --assignee mem_01J… --due 2026-12-24\n  assay actions update act_01J… --assignee none --due none"
)]
pub struct UpdateActionArgs {
    /// The item's id or its last characters.
    #[arg(value_name = "ACTION_ID")]
    pub action: String,

    /// The new status.
    #[arg(long, value_name = "STATUS", value_enum)]
    pub status: Option<ActionStatusArg>,

    /// The new priority.
    #[arg(long, value_name = "PRIORITY", value_enum)]
    pub priority: Option<PriorityArg>,

    /// The new assignee: a member's id or e-mail address, or `none`.
    #[arg(long, value_name = "MEMBER_ID")]
    pub assignee: Option<String>,

    /// The new due date: YYYY-MM-DD, or `none`.
    #[arg(long, value_name = "DAY")]
    pub due: Option<String>,

    /// The title: what to do, in one line.
    #[arg(long)]
    pub title: Option<String>,

    /// The description: what to do, in detail.
    #[arg(long)]
    pub description: Option<String>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay actions brief`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay actions brief act_01J…\n  assay actions brief act_01J… --queue \
--wait\n  assay actions brief act_01J… --queue --instructions 'We use Hugo.' --wait > brief.md"
)]
pub struct BriefArgs {
    /// The item's id or its last characters.
    #[arg(value_name = "ACTION_ID")]
    pub action: String,

    /// Queue the generation of the brief, also if one exists.
    #[arg(long)]
    pub queue: bool,

    /// Your own instructions to include in the brief; requires --queue.
    #[arg(long, value_name = "TEXT", requires = "queue")]
    pub instructions: Option<String>,

    /// Wait until the brief is ready and print it.
    #[arg(long)]
    pub wait: bool,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay actions handoff`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay actions handoff act_01J… act_01K…\n  assay actions handoff act_01J… \
--format cursor --output prompt.md"
)]
pub struct HandoffArgs {
    /// The ids of one to ten items, or their last characters.
    #[arg(value_name = "ACTION_ID", required = true, num_args = 1..=10)]
    pub actions: Vec<String>,

    /// The format of the prompt.
    #[arg(long, value_name = "F", value_enum, default_value_t = HandoffArg::Markdown)]
    pub format: HandoffArg,

    /// Write the prompt to FILE instead of standard output.
    #[arg(long, short, value_name = "FILE", conflicts_with = "json")]
    pub output: Option<PathBuf>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// The status of an action item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ActionStatusArg {
    /// Not started.
    Open,
    /// In progress.
    InProgress,
    /// Done.
    Done,
    /// Won't be fixed.
    Dismissed,
}

/// The status of an action item, or any status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ActionStatusFilter {
    /// Not started.
    Open,
    /// In progress.
    InProgress,
    /// Done.
    Done,
    /// Won't be fixed.
    Dismissed,
    /// Any status.
    All,
}

/// The priority of an action item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PriorityArg {
    /// Do it immediately.
    Critical,
    /// Do it next.
    High,
    /// Do it in the normal order.
    Medium,
    /// Do it when there is time.
    Low,
}

/// The format of a handoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HandoffArg {
    /// Markdown for any coding agent or person.
    Markdown,
    /// For the agent in Cursor.
    Cursor,
}
