//! `assay actions`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::{PageArgs, RemoteArgs};

/// `assay actions`.
#[derive(Debug, Subcommand)]
pub enum ActionsCommand {
    /// List action items, by priority; those that are open or in progress unless said otherwise.
    List(Box<ListActionsArgs>),
    /// Show an action item and what was said about it.
    #[command(after_help = "Example:\n  assay actions show act_01J…")]
    Show {
        /// The item's id.
        #[arg(value_name = "ACTION_ID")]
        action: String,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Make an action item, and print its id.
    Create(Box<CreateActionArgs>),
    /// Change an action item.
    Update(Box<UpdateActionArgs>),
    /// Say something about an action item.
    #[command(
        after_help = "Examples:\n  assay actions comment act_01J… 'Fixed in release 42.'\n  git log \
-1 | assay actions comment act_01J… -"
    )]
    Comment {
        /// The item's id.
        #[arg(value_name = "ACTION_ID")]
        action: String,
        /// The text; - reads it from the standard input.
        text: String,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show the brief of an action item, or have it written.
    Brief(Box<BriefArgs>),
    /// Print one prompt for a coding agent, of up to ten action items.
    Handoff(Box<HandoffArgs>),
}

/// `assay actions list`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay actions list\n  assay actions list --site example.com --priority \
critical,high\n  assay actions list --status done --limit 200 --json\n  assay actions list --status all"
)]
pub struct ListActionsArgs {
    /// Only those that stand so; several with commas, or all.
    #[arg(
        long,
        value_name = "STATUS",
        value_enum,
        value_delimiter = ',',
        default_value = "open,in_progress"
    )]
    pub status: Vec<ActionStatusFilter>,

    /// Only those of this priority; several with commas.
    #[arg(long, value_name = "PRIORITY", value_enum, value_delimiter = ',')]
    pub priority: Vec<PriorityArg>,

    /// Only those of this site: its id or host.
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,

    /// Only those of this member, by id.
    #[arg(long, value_name = "MEMBER_ID")]
    pub assignee: Option<String>,

    /// Which part of the list.
    #[command(flatten)]
    pub page: PageArgs,

    /// Which service.
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
    /// What is to be done, in a line.
    pub title: String,

    /// The site it is about: its id or host.
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,

    /// What is to be done, in full.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,

    /// How much it matters [default: medium].
    #[arg(long, value_name = "PRIORITY", value_enum)]
    pub priority: Option<PriorityArg>,

    /// Who is to do it: a member's id, as `assay account --members` lists them.
    #[arg(long, value_name = "MEMBER_ID")]
    pub assignee: Option<String>,

    /// Until when: a day as YYYY-MM-DD.
    #[arg(long, value_name = "DAY")]
    pub due: Option<String>,

    /// Which service.
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
    /// The item's id.
    #[arg(value_name = "ACTION_ID")]
    pub action: String,

    /// Where it stands.
    #[arg(long, value_name = "STATUS", value_enum)]
    pub status: Option<ActionStatusArg>,

    /// How much it matters.
    #[arg(long, value_name = "PRIORITY", value_enum)]
    pub priority: Option<PriorityArg>,

    /// Who is to do it: a member's id, or none.
    #[arg(long, value_name = "MEMBER_ID")]
    pub assignee: Option<String>,

    /// Until when: a day as YYYY-MM-DD, or none.
    #[arg(long, value_name = "DAY")]
    pub due: Option<String>,

    /// What is to be done, in a line.
    #[arg(long)]
    pub title: Option<String>,

    /// What is to be done, in full.
    #[arg(long)]
    pub description: Option<String>,

    /// Which service.
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
    /// The item's id.
    #[arg(value_name = "ACTION_ID")]
    pub action: String,

    /// Have it written, or written anew.
    #[arg(long)]
    pub queue: bool,

    /// What to add in your own words; needs --queue.
    #[arg(long, value_name = "TEXT", requires = "queue")]
    pub instructions: Option<String>,

    /// Wait until it is written, and print it.
    #[arg(long)]
    pub wait: bool,

    /// Which service.
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
    /// The items' ids, one to ten.
    #[arg(value_name = "ACTION_ID", required = true, num_args = 1..=10)]
    pub actions: Vec<String>,

    /// For whom the prompt is written.
    #[arg(long, value_name = "F", value_enum, default_value_t = HandoffArg::Markdown)]
    pub format: HandoffArg,

    /// Write the prompt to FILE instead of the standard output.
    #[arg(long, short, value_name = "FILE", conflicts_with = "json")]
    pub output: Option<PathBuf>,

    /// Which service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// Where an action item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ActionStatusArg {
    /// Nobody has begun.
    Open,
    /// Somebody is at it.
    InProgress,
    /// It is done.
    Done,
    /// It shall not be done.
    Dismissed,
}

/// Where an action item stands, or wherever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum ActionStatusFilter {
    /// Nobody has begun.
    Open,
    /// Somebody is at it.
    InProgress,
    /// It is done.
    Done,
    /// It shall not be done.
    Dismissed,
    /// Wherever it stands.
    All,
}

/// How much an action item matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PriorityArg {
    /// Now.
    Critical,
    /// Next.
    High,
    /// In its turn.
    Medium,
    /// Some day.
    Low,
}

/// For whom a handoff is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HandoffArg {
    /// Any coding agent, and people.
    Markdown,
    /// The agent in Cursor.
    Cursor,
}
