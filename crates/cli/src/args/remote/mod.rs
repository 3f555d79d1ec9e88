//! The arguments of the commands that work on a running service.

mod actions;
mod schedule;
mod start;
mod webhooks;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::format::{Format, document_format};
pub use actions::{
    ActionStatusArg, ActionStatusFilter, ActionsCommand, BriefArgs, CreateActionArgs, HandoffArg,
    HandoffArgs, ListActionsArgs, PriorityArg, UpdateActionArgs,
};
pub use schedule::{FrequencyArg, ScheduleCommand, SetScheduleArgs};
pub use start::{ModeArg, StartArgs};
pub use webhooks::{WebhookEventArg, WebhooksCommand};

/// Commands that are calls of the HTTP API.
#[derive(Debug, Subcommand)]
pub enum RemoteCommand {
    /// Start an audit on the service.
    Start(Box<StartArgs>),
    /// List, show and cancel the runs of the service.
    #[command(subcommand)]
    Runs(RunsCommand),
    /// Show and download reports.
    #[command(subcommand)]
    Reports(ReportsCommand),
    /// List the sites, with their scores; add and remove them.
    Sites(SitesArgs),
    /// Show the recent runs of a site with their scores.
    History(HistoryArgs),
    /// Show and set when a site is audited by itself.
    #[command(subcommand)]
    Schedule(ScheduleCommand),
    /// Work on action items: list, show, create, update, comment, brief, hand off.
    #[command(subcommand)]
    Actions(ActionsCommand),
    /// Show the organization, plan and key; verifies the key.
    Account(AccountArgs),
    /// List, create, change, test and remove webhooks.
    #[command(subcommand)]
    Webhooks(WebhooksCommand),
}

/// Which service a command talks to, and how its answer is printed.
#[derive(Debug, Clone, Args)]
pub struct RemoteArgs {
    /// Print the answer of the API as JSON.
    #[arg(long)]
    pub json: bool,

    /// Where the service is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Where the service is. The key comes from the environment variable `ASSAY_API_KEY` alone, so that it
/// stands in no list of processes.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// The service's address. The key is read from the environment variable ASSAY_API_KEY.
    #[arg(
        long,
        value_name = "URL",
        env = "ASSAY_URL",
        default_value = "http://127.0.0.1:8080",
        help_heading = "Service"
    )]
    pub server: String,

    /// Send the key over plain http to another machine, where others may read it.
    #[arg(long, help_heading = "Service")]
    pub allow_plain_http: bool,
}

/// Which part of a long list is wanted.
#[derive(Debug, Clone, Args)]
pub struct PageArgs {
    /// Ask for at most N [default: 50].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: Option<u32>,

    /// Go on where an earlier list ended.
    #[arg(long, value_name = "CURSOR")]
    pub cursor: Option<String>,
}

/// `assay runs`.
#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    /// List runs, newest first.
    #[command(
        after_help = "Examples:\n  assay runs list\n  assay runs list --status \
queued,running\n  assay runs list --site example.com --limit 10 --json"
    )]
    List {
        /// Only those of this site: its id or host.
        #[arg(long, value_name = "SITE")]
        site: Option<String>,
        /// Only those that stand so; several with commas.
        #[arg(long, value_name = "STATUS", value_enum, value_delimiter = ',')]
        status: Vec<RunStatusArg>,
        /// Which part of the list.
        #[command(flatten)]
        page: PageArgs,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show a run.
    #[command(
        after_help = "Examples:\n  assay runs show run_01J…\n  assay runs show run_01J… --wait"
    )]
    Show {
        /// The run's id.
        #[arg(value_name = "RUN_ID")]
        run: String,
        /// Wait for its end, with progress on the standard error.
        #[arg(long)]
        wait: bool,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Cancel a run that has not ended.
    #[command(after_help = "Example:\n  assay runs cancel run_01J…")]
    Cancel {
        /// The run's id.
        #[arg(value_name = "RUN_ID")]
        run: String,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunStatusArg {
    /// Nobody works on it yet.
    Queued,
    /// It is being worked on.
    Running,
    /// It has a report.
    Completed,
    /// It ended without one.
    Failed,
    /// Somebody ended it.
    Cancelled,
}

/// `assay reports`.
#[derive(Debug, Subcommand)]
pub enum ReportsCommand {
    /// Show a report: scores, and what to fix first.
    #[command(
        after_help = "Examples:\n  assay reports show rep_01J…\n  assay reports show \
run_01J… --dimension seo --all\n  assay reports show rep_01J… --json | jq .subscores"
    )]
    Show {
        /// The report's id, or that of its run.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// Show every issue, not the first 20 alone.
        #[arg(long)]
        all: bool,
        /// Show only issues of this dimension.
        #[arg(long, value_name = "DIMENSION", value_enum)]
        dimension: Option<DimensionArg>,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the causes that are kept of an issue: broken addresses, cookies, elements of a template.
    #[command(
        after_help = "Examples:\n  assay reports causes rep_01J… broken-link\n  assay reports causes \
run_01J… iss_01J… --limit 200 --json"
    )]
    Causes {
        /// The report's id, or that of its run.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// The issue's id, as --json of `reports show` tells it, or its check.
        #[arg(value_name = "ISSUE")]
        issue: String,
        /// Which part of the list.
        #[command(flatten)]
        page: PageArgs,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the occurrences that are kept of an issue, or of one of its causes.
    #[command(
        after_help = "Examples:\n  assay reports occurrences rep_01J… image-alt\n  assay reports \
occurrences rep_01J… iss_01J… --limit 200 --json\n  assay reports occurrences rep_01J… broken-link \
--cause 24680937b262fa3f5604926f6291d7f9"
    )]
    Occurrences {
        /// The report's id, or that of its run.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// The issue's id, as --json of `reports show` tells it, or its check.
        #[arg(value_name = "ISSUE")]
        issue: String,
        /// Only those of this cause, as `reports causes` tells it.
        #[arg(long, value_name = "FINGERPRINT")]
        cause: Option<String>,
        /// Which part of the list.
        #[command(flatten)]
        page: PageArgs,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List what the run asked the site for, in the order of the crawl.
    #[command(
        after_help = "Examples:\n  assay reports pages rep_01J…\n  assay reports pages run_01J… \
--limit 200 --json | jq '.pages[] | select(.status != 200)'"
    )]
    Pages {
        /// The report's id, or that of its run.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// Which part of the list.
        #[command(flatten)]
        page: PageArgs,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Download a report as a file, in one format or several.
    #[command(
        after_help = "Examples:\n  assay reports download rep_01J… --format pdf --output \
report.pdf\n  assay reports download run_01J… --format html --output r.html --format sarif --output \
r.sarif\n  assay reports download rep_01J… --format llm | pbcopy"
    )]
    Download {
        /// The report's id, or that of its run.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// In this format; repeat it, with an --output for each.
        #[arg(long = "format", value_name = "F", value_parser = document_format(), required = true)]
        formats: Vec<Format>,
        /// Write it to FILE; - for the standard output, which is the default for a single format.
        #[arg(long = "output", short, value_name = "FILE")]
        outputs: Vec<PathBuf>,
        /// Which service.
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// One of the six dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DimensionArg {
    /// How fast pages arrive and how much they weigh.
    Performance,
    /// Whether people with disabilities can use the pages.
    Accessibility,
    /// Whether search engines find, read and rank the pages.
    Seo,
    /// Whether the site protects its visitors.
    Security,
    /// Whether words and media are complete and correct.
    Content,
    /// Whether assistants and agents can use the content.
    #[value(name = "ai-readiness", alias = "aiReadiness")]
    AiReadiness,
}

/// `assay sites`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay sites\n  assay sites --json\n  assay sites add https://example.com/ \
--name Shop\n  assay sites remove site_01J… --yes"
)]
pub struct SitesArgs {
    /// What to do; lists them unless said.
    #[command(subcommand)]
    pub command: Option<SitesCommand>,

    /// Which service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay sites …`.
#[derive(Debug, Subcommand)]
pub enum SitesCommand {
    /// List the sites.
    List {
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Add a site.
    Add {
        /// Any page of it.
        url: String,
        /// Its name [default: its host].
        #[arg(long)]
        name: Option<String>,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Remove a site with its runs, reports and action items.
    Remove {
        /// The site's id or host.
        site: String,
        /// Do it; there is no way back.
        #[arg(long, required = true)]
        yes: bool,
        /// Which service.
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// `assay history`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay history example.com\n  assay history site_01J… --limit 30 --json"
)]
pub struct HistoryArgs {
    /// The site's id or host.
    pub site: String,

    /// Show at most N runs [default: 10].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub limit: Option<u32>,

    /// Which service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay account`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ASSAY_URL=https://assay.example.com ASSAY_API_KEY=sk_service_… assay account\n  \
assay account --members"
)]
pub struct AccountArgs {
    /// List the organization's members instead, whose ids action items are assigned by.
    #[arg(long)]
    pub members: bool,

    /// Which service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}
